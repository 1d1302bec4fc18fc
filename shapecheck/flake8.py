"""The flake8 plugin, which reports the same findings.

It knows only flake8's calling convention; flake8 itself filters by code and handles `# noqa`. A rule that is off by
default is reported if flake8 is told its code. Nothing is imported before there is a file to check.
"""

from __future__ import annotations

import ast
import re
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
    selected: ClassVar[tuple[str, ...]] = ()

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        del tree
        self.filename = filename
        self.text = "".join(lines)

    @classmethod
    def parse_options(cls, options: Namespace) -> None:
        cls.noqa = not options.disable_noqa
        codes = (*(options.select or ()), *(options.extend_select or ()))
        cls.selected = tuple(code for code in codes if re.fullmatch(r"SHP\d{3}", code))

    def run(self) -> Iterator[tuple[int, int, str, type]]:
        """Yield row (from 1), column (from 0), code and message of each finding."""
        from shapecheck.checker.pipeline import check
        from shapecheck.config import BadConfig
        from shapecheck.config_files import nearest
        from shapecheck.diagnostics import BAD_CONFIGURATION

        where = "-" if self.filename in ("-", "stdin") else self.filename
        try:
            config = nearest([where])
        except BadConfig as error:
            yield 1, 0, f"{BAD_CONFIGURATION.code} {error}", type(self)
            return
        wanted = (*config.extend_select, *self.selected)
        config = replace(config, stdin_filename=self.filename, noqa=self.noqa, extend_select=wanted)
        for finding in check(["-"], config, stdin=self.text).findings:
            places = (finding.place, *(call.place for call in finding.call_path))
            here = next((place for place in places if place.filename == self.filename), None)
            if (
                here is not None
            ):  # flake8 reports only this file: a fault elsewhere appears at the call that leads to it
                there = "" if here is finding.place else f", in {finding.place}"
                yield here.row, here.column - 1, f"{finding.code} {finding.message}{there}", type(self)
