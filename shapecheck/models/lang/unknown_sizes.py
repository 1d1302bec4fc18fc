"""Unknown sizes, and their reasons."""

from __future__ import annotations

from shapecheck.shapes.size import Expr, Kind, Size, fresh, symbols

IN_FILE = "as the file has"  # a graph that reads the file is built before that is known
UNEVEN = "rows of batches, of which the last may be smaller"


def is_uneven(size: Size) -> bool:
    """Return whether a size depends on the rows of a batch, of which others may have fewer."""
    return any(symbol.why == UNEVEN for symbol in symbols(size))


def lost(why: str = "") -> Expr:
    """Return a size that is not followed."""
    return fresh("?", Kind.LOST, why=why)


def counted(why: str) -> Expr:
    """Return a size that only the elements of arrays determine: "as many as are true"."""
    return fresh("?", Kind.COUNTED, why=why)
