"""`shapecheck graph`: the dataflow graph of a file."""

from __future__ import annotations

from pathlib import Path

import click

from shapecheck.cli.output import write
from shapecheck.config_files import nearest


@click.command(name="graph")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "form", type=click.Choice(["dot", "graphml", "json"]), default="dot", show_default=True)
def command(file: Path, form: str) -> int:
    """Print the dataflow graph of a file."""
    from shapecheck.checker.inspect import graph
    from shapecheck.report.graphs import render

    write(render(graph(file, nearest([file])), form))
    return 0
