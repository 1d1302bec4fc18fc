"""`shapecheck reveal`: the shapes of a file or line."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from shapecheck.cli.output import write
from shapecheck.cli.place import file_and_line
from shapecheck.config import nearest


@click.command(name="reveal")
@click.argument("place", metavar="FILE[:LINE]")
@click.option("--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(place: str, form: str) -> int:
    """Show the shape of every tensor expression of a file or line."""
    from shapecheck.pipeline import reveal

    file, line = file_and_line(place)
    found = reveal(file, line, nearest([file]))
    if form == "json":
        write(json.dumps([asdict(item) for item in found], indent=2, ensure_ascii=False) + "\n")
        return 0
    for item in found:
        shown = " ".join(item.text.split())
        write(f"{item.filename}:{item.row}:{item.column}: {shown}: {item.shape} {item.dtype}".rstrip() + "\n")
    return 0
