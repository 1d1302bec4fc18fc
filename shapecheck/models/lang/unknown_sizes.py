"""Unknown sizes, and their reasons."""

from __future__ import annotations

from shapecheck.shapes.size import Expr, Kind, fresh

IN_FILE = "as the file has"  # a graph that reads the file is built before that is known


def lost(why: str = "") -> Expr:
    """Return a size that is not followed."""
    return fresh("?", Kind.LOST, why=why)


def counted(why: str) -> Expr:
    """Return a size that only the elements of arrays determine: "as many as are true"."""
    return fresh("?", Kind.COUNTED, why=why)
