"""`FILE:LINE` on the command line; `FILE:cell 3:LINE` in a notebook, as findings name it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import click

_LINE = re.compile(r"(?P<file>.+?)(?::cell (?P<cell>\d+))?(?::(?P<line>\d+))?(?::\d+)?:?", re.DOTALL)


class Location(NamedTuple):
    """A file with an optional line, which is counted within a notebook's cell if there is one."""

    file: Path
    line: int | None = None
    cell: int | None = None


def parse_location(text: str) -> Location:
    """Parse a location; a missing file is a usage error."""
    location = Location(Path(text))
    found = _LINE.fullmatch(text)
    if found is not None and not location.file.is_file():
        line, cell = (int(number) if number else None for number in (found["line"], found["cell"]))
        location = Location(Path(found["file"]), line, cell)
    if not location.file.is_file():
        raise click.UsageError(f"{location.file}: no such file")
    return location
