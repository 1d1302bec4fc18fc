"""Axes that must have the same size have different ones."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.shape import Shape

_TRANSPOSING = {"tf.matmul", "tf.linalg.matmul", "tf.@"}
_PRODUCTS = {*_TRANSPOSING, "np.matmul", "np.dot", "np.@", "np.ndarray.dot", "keras.ops.matmul", "keras.@"}
_JOINS = {"tf.concat", "np.concatenate", "keras.ops.concatenate"}


@rule("SHP101", Severity.ERROR, on={"axis"})
def axis_mismatch(call: Call) -> Words:
    if call.name in _PRODUCTS and len(call.arguments) == 2 and not call.step.keywords:
        return call.says(_transposed(call, *call.arguments))
    return call.says(_other_axis(call) if call.name in _JOINS else "")


def _transposed(call: Call, a: Argument, b: Argument) -> str:
    """The operand to transpose, if that of just one makes the product possible."""
    if a.rank is None or a.rank < 2 or b.rank != a.rank or not call.broadcasts(_rows(a.shape), _rows(b.shape)):
        return ""
    (m, k), (other, n) = a.shape.sizes[-2:], b.shape.sizes[-2:]
    fits = [call.always(m, other), call.always(k, n)]
    if fits.count(True) != 1 or not (a.rank == 2 or call.name in _TRANSPOSING):
        return "" if fits.count(True) != 2 else "the sizes agree if one side is transposed"
    if call.name in _TRANSPOSING:
        function = "" if call.written.is_call else "tf.matmul with "
        return f"{function}transpose_{'a' if fits[0] else 'b'}=True makes the sizes agree"
    text = (a if fits[0] else b).text
    return f"{text}.T makes the sizes agree" if text.isidentifier() else ""


def _rows(shape: Shape) -> Shape:
    """The axes before those of the matrices."""
    return Shape(shape.sizes[:-2])


def _other_axis(call: Call) -> str:
    """The axis along which the parts can be joined, if there is just one."""
    shapes = [argument.shape for argument in call.arguments]
    ranks = {shape.rank for shape in shapes}
    rank = ranks.pop() if len(ranks) == 1 else None
    first, *others = shapes or [Shape(())]
    possible = [axis for axis in range(rank or 0) if all(_joins(call, first, other, axis) for other in others)]
    return f"the parts fit along axis {possible[0]}" if len(possible) == 1 else ""


def _joins(call: Call, a: Shape, b: Shape, joined: int) -> bool:
    pairs = enumerate(zip(a.sizes, b.sizes, strict=True))
    return all(axis == joined or call.always(x, y) for axis, (x, y) in pairs)
