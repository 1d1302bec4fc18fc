"""A real shell of IPython in a process of its own: `python -m tests.support.live_session` runs the notebooks of
`live_notebooks.md` and prints, for each cell, what was told before it ran and what it raised, as lines of JSON."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).with_name("live_notebooks.md")
_BLOCK = re.compile(r"^```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PACKAGE = re.compile(r"\((\w+)\)$")


def notebooks() -> Iterator[tuple[str, str, list[str]]]:
    """Yield each notebook: whether it is faulty or working, its name, and its cells."""
    start, *parts = re.split(r"^## ", NOTEBOOKS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for part in parts:
        title, *sections = re.split(r"^### ", part, flags=re.MULTILINE)
        for section in sections:
            name = section.splitlines()[0]
            package = _PACKAGE.search(name)
            if package is None or importlib.util.find_spec(package[1]) is not None:
                yield title.split()[0].lower(), name, [*_BLOCK.findall(start), *_BLOCK.findall(section)]


def run(shell: Any, cells: Sequence[str]) -> Iterator[dict[str, object]]:
    """Run the cells of a notebook in an empty session; yield what happens."""
    from shapecheck.live.magics import CellChecker

    checker = next(each for each in shell.ast_transformers if isinstance(each, CellChecker))
    shell.reset(new_session=True)
    for cell in cells:
        told: list[str] = []

        def note(raw: str, check: Any = CellChecker._check.__get__(checker), told: list[str] = told) -> Any:
            found = check(raw)
            told.extend(f"{finding.severity.value}[{finding.name}] {finding.message}" for finding in found.findings)
            return found

        checker._check = note  # type: ignore[method-assign]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            result = shell.run_cell(cell, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        unchecked = "not checked" in printed.getvalue()
        yield {"cell": cell, "told": told, "raised": error and repr(error)[:200], "unchecked": unchecked}


def main() -> None:
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "shapecheck")
    for kind, name, cells in notebooks():
        for seen in run(shell, cells):
            print(json.dumps({"kind": kind, "name": name, **seen}), flush=True, file=sys.__stdout__)


if __name__ == "__main__":
    main()
