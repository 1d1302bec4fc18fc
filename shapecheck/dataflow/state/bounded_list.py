"""Lists with a maximum length, which drop their oldest items."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.join import as_homogeneous
from shapecheck.domain.values import HomogeneousSeq, Seq, Value, as_size
from shapecheck.shapes.size import Kind, fresh

MAX_LENGTH = "__most__"


def bounded(contents: Value, max_length: Value) -> Value:
    """Return the contents after dropping the oldest items; their number is known only for a short list."""
    limit = as_size(max_length)
    if isinstance(contents, Seq) and isinstance(limit, int) and limit > 0:
        return replace(contents, items=contents.items[-limit:])
    if isinstance(contents, (Seq, HomogeneousSeq)):
        return _with_unknown_length(contents)
    return contents


def _with_unknown_length(contents: Seq | HomogeneousSeq) -> Value:
    """Return a sequence with an unknown number of similar items."""
    sequence = as_homogeneous(contents)
    return (
        contents
        if sequence is None
        else replace(sequence, length=fresh("n", Kind.LOST, why="items of a bounded deque"))
    )
