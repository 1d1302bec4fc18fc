"""Comments, with their lines.

It does not interpret them.
"""

from __future__ import annotations

from collections.abc import Iterable

from shapecheck import ir
from shapecheck.source import Source


def place(source: Source, comments: Iterable[tuple[int, str]]) -> tuple[ir.Comment, ...]:
    """Give comments, known by offset, their line numbers."""
    position = source.position
    return tuple(ir.Comment(start, position(start)[0], text) for start, text in sorted(comments))
