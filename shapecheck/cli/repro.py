"""`shapecheck repro`: a standalone program that shows one fault."""

from __future__ import annotations

from dataclasses import replace

import click

from shapecheck.cli.location import parse_location
from shapecheck.cli.output import write
from shapecheck.config_files import nearest


@click.command(name="repro")
@click.argument("place", metavar="FILE:LINE")
def command(place: str) -> int:
    """Print a small program that shows the fault on a line."""
    from shapecheck.checker.confirm import repro

    spot = parse_location(place)
    if spot.line is None:
        raise click.UsageError(f"'{place}' has no line number, as in {place}:14")
    program = repro(spot.file, spot.line, replace(nearest([spot.file]), baseline=None), spot.cell)
    if not program:
        raise click.UsageError(f"{place}: no finding there")
    write(program)
    return 0
