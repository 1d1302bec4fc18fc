"""`shapecheck repro`: a program of its own that shows one fault."""

from __future__ import annotations

import click

from shapecheck.cli.output import write
from shapecheck.cli.place import file_and_line
from shapecheck.config import nearest


@click.command(name="repro")
@click.argument("place", metavar="FILE:LINE")
def command(place: str) -> int:
    """Print a minimal program that shows the fault in a line."""
    from shapecheck.confirming import repro

    file, line = file_and_line(place)
    if line is None:
        raise click.UsageError(f"'{place}' lacks a line, as in {place}:14")
    program = repro(file, line, nearest([file]))
    if not program:
        raise click.UsageError(f"{file}:{line}: nothing is reported there")
    write(program)
    return 0
