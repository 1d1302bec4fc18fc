"""`FILE:LINE` on the command line; `FILE:cell 3:LINE` in a notebook, as findings name it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import click

_LINE = re.compile(r"(?P<file>.+?)(?::cell (?P<cell>\d+))?(?::(?P<line>\d+))?(?::\d+)?:?", re.DOTALL)


class Spot(NamedTuple):
    """A file, and a line of it or of a notebook's cell where they are given."""

    file: Path
    line: int | None = None
    cell: int | None = None


def spot_of(text: str) -> Spot:
    """What a text means; a file that is not there is a usage error."""
    spot = Spot(Path(text))
    found = _LINE.fullmatch(text)
    if found is not None and not spot.file.is_file():
        line, cell = (int(number) if number else None for number in (found["line"], found["cell"]))
        spot = Spot(Path(found["file"]), line, cell)
    if not spot.file.is_file():
        raise click.UsageError(f"{spot.file}: no such file")
    return spot
