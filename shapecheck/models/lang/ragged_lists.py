"""Lists whose items cannot be the rows of one array."""

from __future__ import annotations

from itertools import pairwise

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Choice, Const, HomogeneousSeq, Int, Range, Scalar, Seq, Tensor, Value
from shapecheck.models.lang.constraints import Need, never
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size, ceildiv

NUMBERS = (bool, int, float, complex, str, bytes)


def uneven(value: Value) -> tuple[Shape, Shape] | None:
    """Return the shapes of two items, at whatever depth, that certainly differ."""
    if isinstance(value, HomogeneousSeq) and value.kind in ("list", "tuple"):
        return uneven(value.element)
    if isinstance(value, Choice):
        pairs = [uneven(item) for _, item in value.options]
        return pairs[0] if all(pairs) else None
    if not isinstance(value, Seq) or value.kind == "shape":
        return None
    within = (uneven(item) for item in value.items if isinstance(item, (Seq, HomogeneousSeq, Choice)))
    found = next((pair for pair in within if pair is not None), None)
    if found is not None:
        return found
    return next(((a, b) for a, b in pairwise(map(_shape, value.items)) if _differ(a, b)), None)


def refused(x: Operand, target: Target) -> list[Need]:
    """Return the need that a list can be converted to an array: old versions of NumPy make an array of lists if rows
    differ in length.
    """
    pair = uneven(x.given)
    if pair is None or target.dated or target.tensorflow == 1 or target.keras == 2 or target.numpy == 1:
        return []
    return [never(ClashKind.AXIS, f"{x.name} has items of shapes {pair[0]} and {pair[1]}")]


def _shape(item: Value) -> Shape:
    match item:
        case Tensor(shape=shape):
            return shape
        case Const(value=known) if isinstance(known, NUMBERS):
            return SCALAR
        case Int() | Scalar():
            return SCALAR
        case Seq(kind="list" | "tuple", items=items):
            inner = _shape(items[0]) if items else SCALAR
            return Shape((len(items), *inner.head), inner.tail)
        case HomogeneousSeq(kind="list" | "tuple", element=element, length=length):
            inner = _shape(element)
            return Shape((length, *inner.head), inner.tail)
        case Range(start=start, stop=stop, step=int(step)) if step:
            return Shape((ceildiv(stop - start, step),))
    return UNRANKED


def _differ(a: Shape, b: Shape) -> bool:
    if a.tail is None and b.tail is None and len(a.head) != len(b.head):
        return True
    return any(map(_unequal, a.head, b.head))


def _unequal(a: Size, b: Size) -> bool:
    return isinstance(a, int) and isinstance(b, int) and a != b
