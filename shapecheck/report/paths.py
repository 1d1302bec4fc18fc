"""Files and ranges as reports for other programs name them: relative to the current folder, with forward slashes."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from urllib.parse import quote

from shapecheck.source import Place


def relative(filename: str) -> str:
    """Return the name relative to the current folder if the file lies below it, otherwise unchanged."""
    if not os.path.isabs(filename):
        return PurePath(os.path.normpath(filename)).as_posix()
    inside = os.path.relpath(filename)
    return PurePath(filename if inside.startswith(os.pardir) else inside).as_posix()


def uri(filename: str) -> str:
    """Return the same as a reference in the sense of RFC 3986; absolute for a file elsewhere."""
    name = relative(filename)
    if os.path.isabs(name):
        return Path(name).as_uri()
    # A colon in the first segment would read as a scheme; surrogates are bytes that are no text.
    return quote(name.encode("utf-8", "surrogateescape"), safe="/")


def rows_and_columns(place: Place) -> tuple[int, int, int, int]:
    """Return row, column, last row and the column behind the end; all 1 in a notebook, whose cells have no rows in the
    file."""
    if place.cell is not None:
        return 1, 1, 1, 1
    return place.row, place.column, place.end_row, place.end_column


def headed(place: Place, message: str) -> str:
    """Return the message, with the cell in front if the place is in a notebook."""
    return message if place.cell is None else f"cell {place.cell}, line {place.row}: {message}"
