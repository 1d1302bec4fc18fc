"""Lists that hold so many items at most, and forget the oldest."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.join import as_homogeneous
from shapecheck.domain.values import HomogeneousSeq, Seq, Value, as_size
from shapecheck.shapes.size import Kind, fresh

MAX_LENGTH = "__most__"


def bounded(contents: Value, most: Value) -> Value:
    """What is left of the contents; how many items that are is only known while they are few."""
    limit = as_size(most)
    if isinstance(contents, Seq) and isinstance(limit, int) and limit > 0:
        return replace(contents, items=contents.items[-limit:])
    if isinstance(contents, (Seq, HomogeneousSeq)):
        return _of_any_length(contents)
    return contents


def _of_any_length(contents: Seq | HomogeneousSeq) -> Value:
    many = as_homogeneous(contents)
    return contents if many is None else replace(many, length=fresh("n", Kind.LOST, why="items that a queue keeps"))
