"""Numbers that are not sizes but keep their operands, so that `int(rows / 2)` is a size again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.domain.values import Const, Int, Scalar, Tensor, Value, as_size
from shapecheck.shapes.size import Kind, Size, floor_div, fresh, symbols

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def symbolic_float(t: Tracer, op: str, left: Value, right: Value) -> Scalar:
    """Return an unknown number that keeps the operation and its operands."""
    value = Scalar("float")
    t.component(Conditions).meanings[value] = (op, left, right)
    return value


def floor_of(t: Tracer, value: Value) -> Size:
    """Return `int(value)`."""
    size = as_size(value)
    if size is not None:
        return size
    size = _quotient(t, value)
    if size is not None:
        return size
    kind = Kind.DATA if _is_followed(t, value, 0) else Kind.LOST
    return fresh("n", kind, why="int of an unknown number", low=None)


def _quotient(t: Tracer, value: Value) -> Size | None:
    """Return the floor of a quotient of sizes that are not negative, or None."""
    meaning = t.component(Conditions).meanings.get(value)
    if meaning is None or meaning[0] not in ("/", "//"):
        return None
    a, b = as_size(meaning[1]), _integral(meaning[2])
    if a is None or b is None or b == 0 or not all(map(_is_natural, (a, b))):
        return None
    return floor_div(a, b)


def _integral(value: Value) -> Size | None:
    """Return a size, which may be written as a float, or None."""
    if isinstance(value, Const) and isinstance(value.value, float) and value.value.is_integer():
        return int(value.value)
    return as_size(value)


def _is_natural(size: Size) -> bool:
    """Return whether a size is certainly not negative."""
    low = size if isinstance(size, int) else size.low()
    return low is not None and low >= 0


def _is_followed(t: Tracer, value: Value, depth: int) -> bool:
    """Return whether a number depends on nothing lost, so that only the data determine it."""
    match value:
        case Const():
            return True
        case Int(size=size):
            return all(symbol.kind is not Kind.LOST for symbol in symbols(size))
        case Tensor(shape=shape):
            return shape.rank == 0
        case Scalar() if depth < 8:
            meaning = t.component(Conditions).meanings.get(value)
            return meaning is not None and all(_is_followed(t, part, depth + 1) for part in meaning[1:])
    return False
