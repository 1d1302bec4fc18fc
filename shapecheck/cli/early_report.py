"""The report in a terminal, written while files are still being checked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from shapecheck.cli.output import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from shapecheck.findings import Finding

_FORMATS = ("text", "concise", "jsonl")
_CLEAR_LINE = "\r\x1b[2K"


def can_be_early(form: str, has_file: bool) -> bool:
    """Return whether findings may be written one by one: by formats that are a list, where somebody watches."""
    return form in _FORMATS and not has_file and sys.stdout.isatty()


class EarlyReport:
    """Writes single findings; `render` returns the report of some."""

    def __init__(self, render: Callable[[Sequence[Finding]], str], separator: str) -> None:
        self._render, self._separator = render, separator
        self._told: set[tuple[str, object]] = set()

    def tell(self, finding: Finding) -> None:
        """Write a finding, in place of a progress bar that may be shown."""
        if sys.stderr.isatty():
            click.echo(_CLEAR_LINE, nl=False, err=True, color=True)
        write((self._separator if self._told else "") + self._render([finding]))
        self._told.add((finding.code, finding.place))

    def rest(self, findings: Sequence[Finding]) -> str:
        """Return the report of the findings that have not been written."""
        left = [finding for finding in findings if (finding.code, finding.place) not in self._told]
        return (self._separator if self._told and left else "") + self._render(left)
