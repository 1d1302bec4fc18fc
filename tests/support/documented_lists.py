"""The parameter lists that the documentation of compiled functions begins with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.support.parameter_lists import List, Listed
from tests.support.written_parameters import list_of


def documented(text: str, name: str) -> Iterator[List]:
    """Return the lists that a documentation begins with, as in `arange([start,] stop[, step,], dtype=None)`."""
    head = re.split(r"\n\s*\n", text.strip("\n "), maxsplit=1)[0]
    for found in re.finditer(rf"(?:\b\w+\.)?\b{re.escape(name)}\(((?:[^()]|\([^()]*\))*)\)", head):
        told = re.sub(r"\s+", " ", found[1])
        inside = told.replace("[", ",").replace("]", ",")
        inside = re.sub(r",(\s*,)+", ",", inside).strip(", ")
        inside = re.sub(r"\((?:a1|tup|[^()=]*\.\.\.)[^()]*\)", "arrays", inside)
        inside = inside.replace("...", "*others").replace("<no value>", "None")
        names = [each.partition("=")[0].strip() for each in inside.split(",")]
        function = _parsed(inside) or _parsed(", ".join(f"{each}=None" for each in names))
        if function is not None:
            yield tuple(
                Listed(each.name, each.kind, each.is_required and "[" not in told) for each in list_of(function)
            )


def _parsed(inside: str) -> ast.FunctionDef | None:
    try:
        function = ast.parse(f"def f({inside}): pass").body[0]
    except SyntaxError:
        return None
    return function if isinstance(function, ast.FunctionDef) else None
