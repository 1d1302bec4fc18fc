"""How reports for other programs name files and stretches: relative to the folder of the run, with forward slashes."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from urllib.parse import quote

from shapecheck.source import Place


def relative(filename: str) -> str:
    """The name relative to the current folder where the file lies below it, otherwise as it was given."""
    if not os.path.isabs(filename):
        return PurePath(os.path.normpath(filename)).as_posix()
    inside = os.path.relpath(filename)
    return PurePath(filename if inside.startswith(os.pardir) else inside).as_posix()


def uri(filename: str) -> str:
    """The same as a reference in the sense of RFC 3986; absolute for a file elsewhere."""
    name = relative(filename)
    if os.path.isabs(name):
        return Path(name).as_uri()
    # A colon in the first segment would read as a scheme; surrogates are bytes that are no text.
    return quote(name.encode("utf-8", "surrogateescape"), safe="/")


def rows_and_columns(place: Place) -> tuple[int, int, int, int]:
    """Row, column, last row and the column behind the end; the beginning of a notebook, whose cells no row counts."""
    if place.cell is not None:
        return 1, 1, 1, 1
    return place.row, place.column, place.end_row, place.end_column


def headed(place: Place, message: str) -> str:
    """A message that names the cell where the place does not."""
    return message if place.cell is None else f"cell {place.cell}, line {place.row}: {message}"
