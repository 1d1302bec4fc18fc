"""What happens at one axis, or at each of several: `at(axis, "d -> 1")`; all other axes pass through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shapecheck.models.lang.apply import IN_GRAPHS, Application
from shapecheck.models.lang.kinds import Tensor
from shapecheck.models.lang.needs import Need, never
from shapecheck.models.lang.signature import Axis, Pattern, parse_pattern
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size


@dataclass(frozen=True, slots=True)
class At:
    axes: tuple[int, ...] | None
    inputs: Pattern
    outputs: Pattern


def at(axes: int | Sequence[int] | None, text: str) -> At:
    """The signature that acts at some axes (None: at all of them).  "-> 1" inserts an axis."""
    before, _, after = text.partition("->")
    inputs = parse_pattern(before)
    if len(inputs) > 1:
        raise ValueError(f"one axis at a time: {text!r}")
    if isinstance(axes, int):
        axes = (axes,)
    return At(None if axes is None else tuple(axes), inputs, parse_pattern(after))


def apply_at(form: At, operand: Tensor, application: Application) -> Shape:
    """The operand's shape with the given axes replaced."""
    return _inserted(form, operand, application) if not form.inputs else _replaced(form, operand, application)


def _replaced(form: At, operand: Tensor, application: Application) -> Shape:
    shape = operand.shape
    change = _changer(form, application)
    if shape.tail is not None:
        return _replaced_partly(form, operand, change)
    rank = len(shape.head)
    axes = tuple(range(rank)) if form.axes is None else form.axes
    if not in_range(operand, axes, rank, application.needs):
        application.failed = True
        return UNRANKED
    chosen = [axis % rank if rank else 0 for axis in axes] if rank else []
    if len(set(chosen)) < len(chosen) and IN_GRAPHS not in application.bindings:
        application.needs.append(never("axis-range", f"axis {list(axes)} names an axis of {operand.name} twice"))
    sizes: list[Size] = []
    for axis, size in enumerate(shape.head):
        sizes += change(size) if axis in chosen else (size,)
    return Shape(tuple(sizes))


def _replaced_partly(form: At, operand: Tensor, change: Callable[[Size], tuple[Size, ...]]) -> Shape:
    """As far as the known ends tell."""
    head, tail = operand.shape.head, operand.shape.tail or ()
    if form.axes is None:
        return Shape(()) if not form.outputs else UNRANKED
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


def _changer(form: At, application: Application) -> Callable[[Size], tuple[Size, ...]]:
    (token,) = form.inputs
    name = token.name if isinstance(token, Axis) else "_"

    def change(size: Size) -> tuple[Size, ...]:
        application.bindings[name] = size
        return application.build(form.outputs).head

    return change


def _inserted(form: At, operand: Tensor, application: Application) -> Shape:
    shape = operand.shape
    new = application.build(form.outputs).head
    axes = form.axes or (0,)
    if shape.tail is None:
        rank = len(shape.head) + len(axes)
        if not in_range(operand, axes, rank, application.needs):
            application.failed = True
            return UNRANKED
        chosen = {axis % rank for axis in axes}
        if len(chosen) < len(axes):
            application.needs.append(never("axis-range", f"axis {list(axes)} names an axis twice"))
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
    """Whether all axes exist; states it otherwise."""
    for axis in axes:
        if not -rank <= axis < rank:
            needs.append(never("axis-range", f"axis {axis} is out of range: {operand.name} has {_axes(operand)}"))
            return False
    return True


def _axes(operand: Tensor) -> str:
    rank = len(operand.shape.head)
    return "1 axis" if rank == 1 else f"{rank} axes"
