"""Tests of a value's type: a single number or text, an iterable, or a tensor."""

from __future__ import annotations

from shapecheck.domain.values import Const, Dict, HomogeneousSeq, Int, Range, Scalar, Seq, Tensor, Value
from shapecheck.models.lang import Context, behaviour

_SINGLE = (bool, int, float, complex, str, bytes)


@behaviour("np.isscalar")
def isscalar(ctx: Context, element: Value) -> Value:
    """The result of a NumPy function is a number if it has no axes."""
    match ctx.freeze(element):
        case Const(value=known):
            return Const(isinstance(known, _SINGLE))
        case Int() | Scalar():
            return Const(True)
        case Tensor(library=library, shape=shape) if library != "np" or shape.head:
            return Const(False)
        case Tensor(shape=shape) if shape.tail is None:
            return Const(True)
        case Seq() | HomogeneousSeq() | Dict() | Range():
            return Const(False)
    return Scalar("bool")


@behaviour("np.iterable")
def iterable(ctx: Context, y: Value) -> Value:
    match ctx.freeze(y):
        case Const(value=known):
            return Const(isinstance(known, (str, bytes)))
        case Int():
            return Const(False)
        case Tensor(shape=shape) if shape.head or shape.tail is None:
            return Const(bool(shape.head))
        case Seq() | HomogeneousSeq() | Dict() | Range():
            return Const(True)
    return Scalar("bool")


@behaviour("tf.is_tensor", "tf.contrib.framework.is_tensor", "keras.ops.is_tensor")
def is_tensor(ctx: Context, x: Value) -> Value:
    """Only some versions of Keras have symbolic tensors that count."""
    match ctx.freeze(x):
        case Tensor(library="tf", role=role, trace=0) if role != "variable":
            return Const(True)
        case Tensor(library="np", step=int(step), is_ambiguous=False) if step:
            return Const(False)
        case Const() | Int() | Scalar() | Seq() | HomogeneousSeq() | Dict() | Range():
            return Const(False)
    return Scalar("bool")
