"""The parameter lists of the functions, classes and methods of libraries, as far as they refuse other arguments.

They accept what any version of the library accepts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from shapecheck import ir
from shapecheck.models.lang.parameter_tables import accepted
from shapecheck.models.lang.registry import lineage

Kind = Literal["positional", "plain", "keyword", "*", "**"]


def is_method(name: str) -> bool:
    """Return whether a canonical name is that of a method, which a class may be asked for: its object comes first."""
    owner = name.rpartition(".")[0]
    return owner.rpartition(".")[2][:1].isupper() or accepted(owner) is not None


def _told(name: str) -> str | None:
    """Return the list of a function or a class, or of a method: that of the class itself or of a base."""
    if (own := accepted(name)) is not None or not is_method(name):
        return own
    cls, _, method = name.rpartition(".")
    if method == "__init__":
        return accepted(cls)
    return next((told for each in lineage(cls) if (told := accepted(f"{each}.{method}")) is not None), None)


@lru_cache(maxsize=2_000)
def parameters_of(name: str) -> tuple[tuple[ir.Param, ...], frozenset[str]] | None:
    """Return the parameters of a canonical name, and those that may be left out; None if they are not known."""
    told = _told(name)
    if told is None:
        return None
    words = told.split(", ") if told else []
    later: Kind = "plain"
    params = []
    for word in words:
        if word.startswith("*"):
            later = "keyword"
            kind: Kind = "**" if word.startswith("**") else "*"
        else:
            kind = "positional" if word.startswith("_") and word[1].isdigit() else later
        if word != "*":
            params.append(ir.Param(0, 0, word.strip("*="), kind))
    return tuple(params), frozenset(word.removesuffix("=") for word in words if word.endswith("="))
