"""Operands of an elementwise operation have sizes that do not broadcast."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.shape import Shape

_COMPARISONS = ("equal", "not_equal", "==", "!=")


@rule("SHP103", Severity.ERROR, on={ClashKind.BROADCAST})
def broadcast_mismatch(call: Call) -> Words:
    if len(call.arguments) != 2:
        return call.says()
    a, b = call.arguments
    if call.name.rpartition(".")[2] in _COMPARISONS:
        return call.says()  # classes and rows of scores: a new axis would compare each with all
    return _new_axis(call, a, b) or _new_axis(call, b, a) or call.says(_transposed(call, a, b))


def _new_axis(call: Call, small: Argument, large: Argument) -> Words | None:
    """Return the position of a new axis with which the smaller operand broadcasts, if there is exactly one."""
    if small.rank is None or large.rank is None or not 0 < small.rank < large.rank or not small.text:
        return None
    sizes = small.shape.sizes
    widened = [Shape((*sizes[:axis], 1, *sizes[axis:])) for axis in range(1, small.rank + 1)]
    fits = [axis for axis, shape in enumerate(widened, 1) if _meets(call, shape, large.shape)]
    if len(fits) != 1:
        return None
    module = {"keras": "keras.ops"}.get(small.tensor.library, small.tensor.library)
    written = f"{module}.expand_dims({small.text}, {fits[0]})"
    meets = f"{written} has shape {widened[fits[0] - 1]}, which broadcasts"
    return call.says(meets)


def _meets(call: Call, small: Shape, large: Shape) -> bool:
    """Return whether each axis is 1 or as large as the one it is aligned with."""
    pairs = zip(reversed(small.sizes), reversed(large.sizes), strict=False)
    return all(mine == 1 or call.always(mine, yours) for mine, yours in pairs)


def _transposed(call: Call, a: Argument, b: Argument) -> str:
    """Return whether one matrix has the transposed shape of the other."""
    if a.rank != 2 or b.rank != 2 or not call.alike(a.shape.sizes, reversed(b.shape.sizes)):
        return ""
    return "the shapes agree if one side is transposed"
