"""The flake8 plugin, which reports the same findings.

It knows only flake8's calling convention; flake8 itself filters by code and handles `# noqa`. Nothing is imported
before there is a file to check.
"""

from __future__ import annotations

import ast
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from shapecheck import __version__


class Plugin:
    """The checker that flake8 creates for each file."""

    name: ClassVar[str] = "shapecheck"
    version: ClassVar[str] = __version__
    noqa: ClassVar[bool] = True

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        del tree
        self.filename = filename
        self.text = "".join(lines)

    @classmethod
    def parse_options(cls, options: Namespace) -> None:
        cls.noqa = not options.disable_noqa

    def run(self) -> Iterator[tuple[int, int, str, type]]:
        """Yield row (from 1), column (from 0), code and message of each finding."""
        from shapecheck.checker.pipeline import check
        from shapecheck.config import nearest

        where = "-" if self.filename in ("-", "stdin") else self.filename
        config = replace(nearest([where]), stdin_filename=self.filename, noqa=self.noqa)
        for finding in check(["-"], config, stdin=self.text).findings:
            places = (finding.place, *(call.place for call in finding.call_path))
            here = next((place for place in places if place.filename == self.filename), None)
            if (
                here is not None
            ):  # flake8 reports only this file: a fault elsewhere appears at the call that leads to it
                there = "" if here is finding.place else f", in {finding.place}"
                yield here.row, here.column - 1, f"{finding.code} {finding.message}{there}", type(self)
