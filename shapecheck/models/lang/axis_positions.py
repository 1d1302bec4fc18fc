"""Positions of axes: helpers for models that compute shapes themselves.

`at` in `axes` describes the change of an axis where a signature suffices.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang.apply import joined
from shapecheck.models.lang.constraints import Refused
from shapecheck.models.lang.parameter_kinds import Blind, Tensor
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size


def place_of(operand: Tensor, axis: Size | None) -> int:
    """Return the position of an axis, counted from the front; raise `Blind` where it is not known, `Refused` where the
    operand has no such axis.
    """
    if operand.rank is None or not isinstance(axis, int):
        raise Blind(f"an axis of {operand.name}")
    if not -operand.rank <= axis < operand.rank:
        raise Refused(ClashKind.AXIS_RANGE, f"axis {axis} is out of range: {operand.name} has rank {operand.rank}")
    return axis % operand.rank


def instead(shape: Shape, axis: int, new: Shape) -> Shape:
    """Return the shape with one axis replaced by others; unranked where the known head and tail do not contain the
    axis.
    """
    head, tail = shape.head, shape.tail
    if 0 <= axis < len(head):
        return joined([Shape(head[:axis]), new, Shape(head[axis + 1 :], tail)])
    ends = head if tail is None else tail
    if not -len(ends) <= axis < 0:
        return UNRANKED
    axis += len(ends)
    before = Shape(ends[:axis]) if tail is None else Shape(head, ends[:axis])
    return joined([before, new, Shape(ends[axis + 1 :])])


def in_order(shape: Shape, axes: Sequence[int]) -> Shape:
    """Return the axes of a shape of known rank, in another order."""
    return Shape(tuple(shape.sizes[axis] for axis in axes))


def aligned(*shapes: Shape) -> list[tuple[Size, ...]]:
    """Return the sizes of shapes as broadcasting aligns them, with ones before the shorter; raise `Blind` where a rank
    is not known.
    """
    if any(shape.tail is not None for shape in shapes):
        raise Blind("a rank")
    longest = max(len(shape.head) for shape in shapes)
    return [(1,) * (longest - len(shape.head)) + shape.head for shape in shapes]
