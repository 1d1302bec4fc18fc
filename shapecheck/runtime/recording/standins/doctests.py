"""Stand-in for doctest: examples in docstrings are not run, since they are not analysed."""

from __future__ import annotations

from typing import Any

from shapecheck.runtime.recording.standins.imports import after


def begin() -> None:
    after("doctest")(_act)


def _act(module: Any) -> None:
    for name in ("testmod", "testfile", "run_docstring_examples"):
        setattr(module, name, lambda *args, **keywords: module.TestResults(0, 0))
