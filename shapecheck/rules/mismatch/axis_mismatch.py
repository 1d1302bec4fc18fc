"""Axes that must have the same size have different ones."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.rewriting import with_argument, with_operand
from shapecheck.rules.rule import rule
from shapecheck.shapes.shape import Shape

_TRANSPOSING = {"tf.matmul", "tf.linalg.matmul", "tf.@"}
_PRODUCTS = {*_TRANSPOSING, "np.matmul", "np.dot", "np.@", "np.ndarray.dot", "keras.ops.matmul", "keras.@"}
_JOINS = {"tf.concat", "np.concatenate", "keras.ops.concatenate"}


@rule("SHP101", Severity.ERROR, on={ClashKind.AXIS})
def axis_mismatch(call: Call) -> Words:
    if call.name in _PRODUCTS and len(call.arguments) == 2 and not call.step.keywords:
        return _transposed(call, *call.arguments)
    return _joined(call) if call.name in _JOINS else call.says()


def _transposed(call: Call, a: Argument, b: Argument) -> Words:
    """Return a hint to transpose the operand, if transposing exactly one makes the product possible."""
    if a.rank is None or a.rank < 2 or b.rank != a.rank or not call.broadcasts(_rows(a.shape), _rows(b.shape)):
        return call.says()
    (m, k), (other, n) = a.shape.sizes[-2:], b.shape.sizes[-2:]
    fits = [call.always(m, other), call.always(k, n)]
    if fits.count(True) != 1 or not (a.rank == 2 or call.name in _TRANSPOSING):
        return call.says("the sizes agree if one side is transposed" if all(fits) else "")
    return _by_keyword(call, fits[0]) if call.name in _TRANSPOSING else _by_attribute(call, a if fits[0] else b)


def _by_keyword(call: Call, is_first: bool) -> Words:
    keyword, function = f"transpose_{'a' if is_first else 'b'}", "" if call.written.is_call else "tf.matmul with "
    fix = with_argument(call, (keyword,), 2 if is_first else 3, "True") if call.is_everywhere else None
    return call.says(f"{function}{keyword}=True makes the sizes agree", fix=fix)


def _by_attribute(call: Call, operand: Argument) -> Words:
    text = operand.text
    if not text.isidentifier():
        return call.says()
    fix = with_operand(call, text, f"{text}.T") if call.is_everywhere else None
    return call.says(f"{text}.T makes the sizes agree", fix=fix)


def _rows(shape: Shape) -> Shape:
    """Return the axes before those of the matrices."""
    return Shape(shape.sizes[:-2])


def _joined(call: Call) -> Words:
    """Return a hint with the axis along which the parts can be joined, if there is just one."""
    shapes = [argument.shape for argument in call.arguments]
    ranks = {shape.rank for shape in shapes}
    rank = ranks.pop() if len(ranks) == 1 else None
    first, *others = shapes or [Shape(())]
    possible = [axis for axis in range(rank or 0) if all(_joins(call, first, other, axis) for other in others)]
    if len(possible) != 1:
        return call.says()
    return call.says(f"the parts fit along axis {possible[0]}", fix=with_argument(call, ("axis",), 1, str(possible[0])))


def _joins(call: Call, a: Shape, b: Shape, joined: int) -> bool:
    pairs = enumerate(zip(a.sizes, b.sizes, strict=True))
    return all(axis == joined or call.always(x, y) for axis, (x, y) in pairs)
