"""`shapecheck graph`: the dataflow graph of a file."""

from __future__ import annotations

from pathlib import Path

import click

from shapecheck.cli.output import write
from shapecheck.config_files import nearest


@click.command(name="graph")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(["dot", "graphml", "json", "svg", "html"]), default="dot", show_default=True
)
def command(file: Path, form: str) -> int:
    """Print the dataflow graph of a file."""
    from shapecheck.checker.inspect import drawing, graph

    config = nearest([file])
    if form in ("svg", "html"):
        from shapecheck.report.drawing.svg import page, svg

        drawn = drawing(file, config)
        write(svg(drawn, is_alone=True) + "\n" if form == "svg" else page(drawn, f"Dataflow of {file.name}"))
    else:
        from shapecheck.report.graphs import render

        write(render(graph(file, config), form))
    return 0
