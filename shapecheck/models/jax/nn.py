"""`jax.nn`: activations, and the initializers of weights."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Library, Value
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Blind,
    Context,
    DtypeArg,
    Flag,
    ShapeArg,
    Size,
    Tensor,
    also,
    at,
    behaviour,
    op,
    reduced,
)
from shapecheck.models.lang.axis_positions import place_of
from shapecheck.models.ops.create import one_hot

_ACTIVATIONS = """
celu elu gelu log1mexp hard_sigmoid hard_silu hard_swish leaky_relu log_sigmoid mish relu6 selu silu soft_sign
softplus sparse_plus sparse_sigmoid squareplus swish tanh
"""
_INITIALIZERS = """
constant delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform kaiming_normal kaiming_uniform lecun_normal
lecun_uniform normal orthogonal truncated_normal uniform variance_scaling xavier_normal xavier_uniform
"""
_MODULES = "{jax.nn.initializers,flax.linen.initializers,flax.nnx.initializers}"


@op(f"jax.nn.{{{','.join(_ACTIVATIONS.split())}}}", dtype="first float")
@op("jax.nn.{relu,hard_tanh,identity}", dtype="first -bool")
def activation(x: Tensor) -> Answer:
    return "*S -> *S"


@op("jax.nn.sigmoid", dtype="first float")
def sigmoid(x: Tensor) -> Answer:
    return "*S -> *S", also(nature="sigmoid")


@op("jax.nn.softmax", dtype="first float")
def softmax(x: Tensor, axis: Axes = (-1,)) -> Answer:
    is_single = axis is not None and len(axis) == 1 and x.shape.size(axis[0]) == 1
    notices = [(ClashKind.SIZE1_AXIS, f"an axis of {x.name} has size 1")] if is_single else []
    return at(axis, "d -> d"), also(nature="softmax" if axis == (-1,) else "", notices=notices)


@op("jax.nn.{log_softmax,standardize}", dtype="first float")
def along(x: Tensor, axis: Axes = (-1,)) -> Answer:
    return at(axis, "d -> d")


@op("jax.nn.logsumexp", "jax.scipy.special.logsumexp", dtype="first float")
def logsumexp(a: Tensor, axis: Axes = None, keepdims: Flag = False, b: AnyValue = NONE) -> Answer:
    return reduced(axis, keepdims)


@op("jax.nn.one_hot", dtype="float32")
def one_hot_rows(x: Tensor, num_classes: Size, axis: Axis = -1, dtype: DtypeArg = None) -> Answer:
    """The axis of classes may be counted from the end of the result."""
    if axis < -1 and x.rank is None:
        raise Blind("where the axis of classes is")
    return *one_hot(x, num_classes, axis + x.rank + 1 if axis < -1 and x.rank else axis), also(nature="one-hot")


@op("jax.nn.glu", dtype="first float")
def glu(x: Tensor, axis: Axis = -1) -> Answer:
    place_of(x, axis)
    return at(axis, "d -> (d // 2)"), "d % 2 == 0"


# Initializers --------------------------------------------------------------------------------------------------------


@behaviour(f"{_MODULES}.{{{','.join(_INITIALIZERS.split())}}}")
def initializer(ctx: Context, *args: Value, **options: Value) -> Value:
    """Return a function that makes weights."""
    return Library("jax.nn.initializers.made")


@behaviour(f"{_MODULES}.{{zeros,ones,zeros_init,ones_init}}", "flax.linen.{zeros,ones,zeros_init,ones_init}")
def constant(ctx: Context, *args: Value, **options: Value) -> Value:
    """Return weights, or, without a key and a shape, the function that makes them."""
    if len(args) + len(options) < 2:
        return Library("jax.nn.initializers.made")
    return ctx.apply("jax.nn.initializers.made", *args, **options)


@op("jax.nn.initializers.made", dtype="float32", oracle="none: the result of an initializer")
def made(key: AnyValue, shape: ShapeArg, dtype: DtypeArg = None) -> Answer:
    return shape
