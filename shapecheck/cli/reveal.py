"""`shapecheck reveal`: the shapes of a file or line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from shapecheck.cli.location import parse_location
from shapecheck.cli.output import write
from shapecheck.config_files import nearest
from shapecheck.source import UnreadableSource

if TYPE_CHECKING:
    from shapecheck.checker.inspect import Revealed
    from shapecheck.shapes.shape import Shape

_KEYS = ("filename", "cell", "row", "column", "end_row", "end_column", "text", "shape", "dtype")


@click.command(name="reveal", short_help="Show the shapes in a file or line.")
@click.argument("place", metavar="FILE[:LINE]")
@click.option("--line", type=click.IntRange(min=1), metavar="N", help="Show only this line; the same as FILE:N.")
@click.option("--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(place: str, line: int | None, form: str) -> int:
    """Show the shape of every tensor expression in a file or line, and the layers of each model that it makes."""
    from shapecheck.checker.inspect import inspect
    from shapecheck.report.model_table import as_text

    spot = parse_location(place)
    if line is not None and spot.line not in (None, line):
        raise click.UsageError(f"{place} and --line {line} name different lines")
    spot = spot._replace(line=line or spot.line)
    try:
        seen = inspect(spot.file, spot.line, nearest([spot.file]), spot.cell)
    except UnreadableSource as error:
        raise click.UsageError(str(error)) from None
    found = seen.shapes
    for ending in seen.endings:
        click.echo(f"not followed beyond {ending}", err=True)
    if form == "json":
        write(json.dumps([_as_dict(item) for item in found], indent=2, ensure_ascii=False) + "\n")
        return 0
    if not found and not seen.models:
        click.echo(f"{place}: no known tensors there", err=True)
    for item in found:
        shown = " ".join(item.text.split())
        where = item.filename if item.cell is None else f"{item.filename}:cell {item.cell}"
        write(f"{where}:{item.row}:{item.column}: {shown}: {item.shape} {item.dtype or ''}".rstrip() + "\n")
    if seen.models:
        write(("\n" if found else "") + as_text(seen.models))
    return 0


def _as_dict(item: Revealed) -> dict[str, object]:
    return {**{key: getattr(item, key) for key in _KEYS}, "shape": _axes(item.tensor.shape)}


def _axes(shape: Shape) -> list[int | str | None] | str:
    """Return numbers, symbols as text, null for a lost size, and "..." for unknown axes."""
    from shapecheck.shapes.shape import UNRANKED
    from shapecheck.shapes.size import is_lost

    if shape == UNRANKED:
        return "unranked"
    sizes = [size if isinstance(size, int) else None if is_lost(size) else str(size) for size in shape.known]
    return sizes if shape.is_ranked else [*sizes[: len(shape.head)], "...", *sizes[len(shape.head) :]]
