"""Sizes that are not known, and why."""

from __future__ import annotations

from shapecheck.shapes.size import Expr, Kind, fresh

IN_FILE = "as the file has"  # a graph that reads the file is built before that is known


def lost(why: str = "") -> Expr:
    """A size that is not followed."""
    return fresh("?", Kind.LOST, why=why)


def counted(why: str) -> Expr:
    """A size that only the numbers in the arrays tell: "as many as are true"."""
    return fresh("?", Kind.DATA, why=why)
