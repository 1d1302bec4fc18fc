"""Changes of one axis, or of each of several: `at(axis, "d -> 1")`; all other axes stay as they are.

For a function with several results, `at(axis, "d -> d, 1")` keeps the axis in one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang.apply import IN_GRAPHS, Application
from shapecheck.models.lang.constraints import Need, never
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.models.lang.signature import Axis, Pattern, parse_pattern, split_outside_brackets
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size


@dataclass(frozen=True, slots=True)
class At:
    axes: tuple[int, ...] | None
    inputs: Pattern
    outputs: tuple[Pattern, ...]
    of: Tensor | None = None


def at(axes: int | Sequence[int] | None, text: str, of: Tensor | None = None) -> At:
    """Return the signature that changes some axes (None: all of them) of the first operand, or of another given one.
    "-> 1" inserts an axis.
    """
    if isinstance(axes, int):
        axes = (axes,)
    return At(None if axes is None else tuple(axes), *_parsed(text), of)


def reduced(axes: int | Sequence[int] | None, keepdims: bool) -> At:
    """Return the change of a reduction: its axes (None: all) are removed, or have size 1."""
    return at(axes, "d -> 1" if keepdims else "d ->")


@cache
def _parsed(text: str) -> tuple[Pattern, tuple[Pattern, ...]]:
    """Return the pattern of the axis before, and in each result."""
    before, _, after = text.partition("->")
    inputs = parse_pattern(before)
    if len(inputs) > 1:
        raise ValueError(f"one axis at a time: {text!r}")
    return inputs, tuple(map(parse_pattern, split_outside_brackets(after)))


def apply_at(form: At, operand: Tensor, application: Application) -> tuple[Shape, ...]:
    """Return the operand's shape with the given axes replaced, for each result."""
    if not form.inputs:
        return tuple(_inserted(form, made, operand, application) for made in form.outputs)
    if operand.shape.tail is not None:
        return tuple(_replaced_partly(form, made, operand, application) for made in form.outputs)
    axes = _chosen(form, operand, application)
    if axes is None:
        return (UNRANKED,) * len(form.outputs)
    return tuple(Shape(_each(operand.shape.head, axes, _changer(form, made, application))) for made in form.outputs)


def _chosen(form: At, operand: Tensor, application: Application) -> set[int] | None:
    """Return the chosen axes, counted from the front; None where one does not exist."""
    rank = len(operand.shape.head)
    if form.axes is None:
        return set(range(rank))
    if not in_range(operand, form.axes, rank, application.needs):
        application.failed = True
        return None
    chosen = {axis % rank for axis in form.axes}
    if len(chosen) < len(form.axes) and IN_GRAPHS not in application.bindings:
        application.needs.append(
            never(ClashKind.AXIS_RANGE, f"axis {list(form.axes)} repeats an axis of {operand.name}")
        )
    return chosen


def _replaced_partly(form: At, made: Pattern, operand: Tensor, application: Application) -> Shape:
    """Return the shape with axes replaced, as far as the known head and tail determine it."""
    change = _changer(form, made, application)
    head, tail = operand.shape.head, operand.shape.tail or ()
    if form.axes is None:
        return Shape(()) if not made else UNRANKED
    if all(0 <= axis < len(head) for axis in form.axes):
        return Shape(_each(head, set(form.axes), change), tail)
    if all(-len(tail) <= axis < 0 for axis in form.axes):
        return Shape(head, _each(tail, {axis + len(tail) for axis in form.axes}, change))
    if len(form.axes) != 1:
        return UNRANKED
    (axis,) = form.axes
    return Shape(head, ()) if axis >= 0 else Shape((), tail)


def _each(sizes: Sequence[Size], axes: set[int], change: Callable[[Size], tuple[Size, ...]]) -> tuple[Size, ...]:
    result: list[Size] = []
    for axis, size in enumerate(sizes):
        result += change(size) if axis in axes else (size,)
    return tuple(result)


def _changer(form: At, made: Pattern, application: Application) -> Callable[[Size], tuple[Size, ...]]:
    (token,) = form.inputs
    name = token.name if isinstance(token, Axis) else "_"

    def change(size: Size) -> tuple[Size, ...]:
        application.bindings[name] = size
        return application.build(made).head

    return change


def _inserted(form: At, made: Pattern, operand: Tensor, application: Application) -> Shape:
    shape = operand.shape
    new = application.build(made).head
    axes = form.axes or (0,)
    if shape.tail is None:
        rank = len(shape.head) + len(axes)
        if not in_range(operand, axes, rank, application.needs):
            application.failed = True
            return UNRANKED
        chosen = {axis % rank for axis in axes}
        if len(chosen) < len(axes):
            application.needs.append(never(ClashKind.AXIS_RANGE, f"axis {list(axes)} repeats an axis"))
            return UNRANKED
        rest = iter(shape.head)
        pieces = [new if axis in chosen else (next(rest),) for axis in range(rank)]
        return Shape(tuple(size for piece in pieces for size in piece))
    if len(axes) != 1:
        return UNRANKED
    (axis,) = axes
    if 0 <= axis <= len(shape.head):
        return Shape(shape.head[:axis] + new + shape.head[axis:], shape.tail)
    if axis < 0 and -axis - 1 <= len(shape.tail):
        cut = len(shape.tail) + axis + 1
        return Shape(shape.head, shape.tail[:cut] + new + shape.tail[cut:])
    return Shape(shape.head, ()) if axis >= 0 else Shape((), shape.tail)


def in_range(operand: Tensor, axes: Sequence[int], rank: int, needs: list[Need]) -> bool:
    """Return whether all axes exist, and state it otherwise."""
    for axis in axes:
        if not -rank <= axis < rank:
            needs.append(
                never(ClashKind.AXIS_RANGE, f"axis {axis} is out of range: {operand.name} has {_axes(operand)}")
            )
            return False
    return True


def _axes(operand: Tensor) -> str:
    rank = len(operand.shape.head)
    return "1 axis" if rank == 1 else f"{rank} axes"
