"""Where operations put an axis of their operands."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.domain.values import Const, Seq, SliceValue, Tensor, Value, as_size, as_str, items_of
from shapecheck.models.ops.einops import groups_of


def moved(axis: int, operand: Tensor, result: Tensor, kind: str, args: Sequence[Value]) -> int | None:
    """Return the axis of a result on which that of an operand is; None if that is not known."""
    if None in (operand.shape.rank, result.shape.rank):
        return axis if operand.shape.rank == result.shape.rank else None
    given, made = operand.shape.head, result.shape.head
    if kind in ("permute", "transpose", "swapaxes", "swapdims", "unsqueeze", "squeeze"):
        return _turned(kind, _numbers(args[1:]) or [], len(given), axis)
    if kind == "rearrange":
        return _rearranged(args, axis)
    if kind == "[]":
        return _indexed(args[1], axis) if len(args) == 2 and operand is args[0] else None
    if kind in ("cat", "concat"):
        return axis if len(given) == len(made) and given[axis] == made[axis] else None
    if kind in ("stack", "expand", "repeat", "movedim", "moveaxis", "t", "adjoint"):
        return None
    is_kept = given[: axis + 1] == made[: axis + 1]
    is_alike = len(given) == len(made) and given[:-1] == made[:-1]
    return axis if is_alike or (is_kept and axis == 0) else None


def _turned(kind: str, numbers: Sequence[int], rank: int, axis: int) -> int | None:
    """Return where an operation on axes puts one of them."""
    if kind == "permute":
        return [number % rank for number in numbers].index(axis) if len(numbers) == rank else None
    if kind == "unsqueeze":
        return axis + (numbers[0] % (rank + 1) <= axis) if len(numbers) == 1 else None
    if kind == "squeeze":
        is_other = len(numbers) == 1 and numbers[0] % rank != axis
        return axis - (numbers[0] % rank < axis) if is_other else None
    if len(numbers) != 2:
        return None
    one, other = (number % rank for number in numbers)
    return {one: other, other: one}.get(axis, axis)


def _numbers(values: Sequence[Value]) -> list[int] | None:
    """Return the numbers that are given, one by one or as a sequence."""
    items = items_of(values[0]) if len(values) == 1 else None
    sizes = [as_size(each) for each in (values if items is None else items)]
    return [size for size in sizes if isinstance(size, int)] if all(isinstance(size, int) for size in sizes) else None


def _indexed(index: Value, axis: int) -> int | None:
    """Return where an axis is behind an index; None if that is not known."""
    entries = items_of(index) if isinstance(index, Seq) and index.kind == "tuple" else (index,)
    moved = axis
    for at, entry in enumerate(entries or ()):
        if entry == Const(...) or not (isinstance(entry, SliceValue) or as_size(entry) is not None):
            return None
        if not isinstance(entry, SliceValue):
            if at == axis:
                return None
            moved -= at < axis
    return moved


def _rearranged(args: Sequence[Value], axis: int) -> int | None:
    """Return the axis that begins with what an axis of the operand begins with, by a pattern of einops."""
    pattern = as_str(args[1]) if len(args) > 1 else None
    before, _, after = (pattern or "").partition("->")
    axes, placed = groups_of(before) or (), groups_of(after) or ()
    name = _first(axes[axis]) if axis < len(axes) else ""
    return next((at for at, group in enumerate(placed) if name and _first(group) == name), None)


def _first(group: Sequence[str]) -> str:
    """Return the first name of a group of axes, whose brackets are told by a 1."""
    return next((name for name in group if name != "1"), "")
