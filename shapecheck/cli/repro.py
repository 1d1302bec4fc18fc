"""`shapecheck repro`: a program of its own that shows one fault."""

from __future__ import annotations

import click

from shapecheck.cli.output import write
from shapecheck.cli.place import spot_of
from shapecheck.config import nearest


@click.command(name="repro")
@click.argument("place", metavar="FILE:LINE")
def command(place: str) -> int:
    """Print a small program that reproduces the finding on a line."""
    from shapecheck.checker.confirm import repro

    spot = spot_of(place)
    if spot.line is None:
        raise click.UsageError(f"'{place}' has no line number, as in {place}:14")
    program = repro(spot.file, spot.line, nearest([spot.file]), spot.cell)
    if not program:
        raise click.UsageError(f"{place}: no finding there")
    write(program)
    return 0
