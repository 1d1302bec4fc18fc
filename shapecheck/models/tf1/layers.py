"""The layer functions of TensorFlow 1: `tf.layers`, `tf.contrib.layers` and `slim`.

Those of `slim` take omitted arguments from an enclosing `arg_scope`; a window's stride and padding are not known where
the scope of the caller is not.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Seq, Value, as_size, items_of
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    ONE,
    Answer,
    AnyValue,
    Axis,
    Context,
    Dimensions,
    Maps,
    Need,
    Size,
    Sizes,
    Tensor,
    also,
    at,
    behaviour,
    op,
)
from shapecheck.models.lang.constraints import not_known
from shapecheck.models.lang.suspicious import misplaced_channels, nature_of
from shapecheck.models.tf1.layer_weights import kernel
from shapecheck.shapes.size import Kind

Padding: TypeAlias = Literal["valid", "same"]
Layout: TypeAlias = Literal["channels_last", "channels_first"]
SlimLayout: TypeAlias = Literal["NHWC", "NCHW", "NWC", "NCW", "NDHWC", "NCDHW"]


def built(inputs: Tensor, axis: int) -> tuple[Need, ...]:
    """Return the constraint that a size, which is that of weights, is known when the layer is applied."""
    size = inputs.shape.size(axis)
    static = not isinstance(inputs.value, TensorValue) or inputs.value.static
    if size is None or isinstance(size, int) or not static:
        return ()
    if any(symbol.kind is not Kind.DYNAMIC for symbol in size.symbols()):
        return ()
    where = "last axis" if axis == -1 else "axis of channels"
    return (not_known(where, inputs.name, size),)


# tf.layers ----------------------------------------------------------------------------------------------------------


@op("tf.layers.dense", varargs="more", leaves=kernel)
def dense(inputs: Tensor, units: Size, activation: AnyValue = NONE, more: AnyValue = NONE) -> Answer:
    return "n *S d -> n *S {units}", *built(inputs, -1), also(nature=nature_of(activation))


@op(
    "tf.contrib.{layers,slim}.{fully_connected,linear,relu,relu6}",
    "tf.contrib.layers.legacy_fully_connected",
    was={"num_outputs": "units", "num_output_units": "units", "x": "inputs", "activation_fn": "activation"},
    varargs="more",
    leaves=kernel,
)
def connected(inputs: Tensor, units: Size, activation: AnyValue = NONE, more: AnyValue = NONE) -> Answer:
    """Without an activation, each has its own."""
    nature = nature_of(activation) if activation != NONE else ""
    return "n *S d -> n *S {units}", *built(inputs, -1), also(nature=nature)


def _conv(
    maps: Maps,
    inputs: Tensor,
    kernel: Sizes,
    strides: Sizes,
    padding: str,
    dilation: Sizes,
    batch: str = "*N n",  # more than one leading axis since TensorFlow 2.4
) -> tuple[Any, ...]:
    signature = maps(f"{batch} h.. c -> {batch} H.. {{filters}}")
    return signature, *maps.window(kernel, strides, padding, dilation), *built(inputs, maps.channel)


@op("tf.layers.conv{1,2,3}d", varargs="more", leaves=kernel)
def conv(
    axes: Dimensions,
    inputs: Tensor,
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: Layout = "channels_last",
    dilation_rate: Sizes = ONE,
    more: AnyValue = NONE,
) -> Answer:
    maps = Maps.of(axes, data_format)
    declared = getattr(inputs.value, "role", "") == "placeholder" and kernel_size.spread(axes)[0] != 1
    notices = misplaced_channels(inputs.shape, maps.first) if declared else []
    return *_conv(maps, inputs, kernel_size, strides, padding, dilation_rate), also(notices=notices)


@op("tf.layers.separable_conv{1,2}d", varargs="more")
def separable_conv(
    axes: Dimensions,
    inputs: Tensor,
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: Layout = "channels_last",
    dilation_rate: Sizes = ONE,
    more: AnyValue = NONE,
) -> Answer:
    return _conv(Maps.of(axes, data_format), inputs, kernel_size, strides, padding, dilation_rate, "n")


def _transposed(maps: Maps, inputs: Tensor, kernel: Sizes, strides: Sizes, padding: str) -> Answer:
    wider = maps.unwindow(kernel, strides, padding)
    return maps("n h.. c -> n H.. {filters}"), wider, *built(inputs, maps.channel)


@op("tf.layers.conv{2,3}d_transpose", varargs="more", leaves=kernel)
def conv_transpose(
    axes: Dimensions,
    inputs: Tensor,
    filters: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: Layout = "channels_last",
    more: AnyValue = NONE,
) -> Answer:
    return _transposed(Maps.of(axes, data_format), inputs, kernel_size, strides, padding)


@op("tf.layers.{max,average}_pooling{1,2,3}d", varargs="more")
def pool(
    axes: Dimensions,
    inputs: Tensor,
    pool_size: Sizes,
    strides: Sizes,
    padding: Padding = "valid",
    data_format: Layout = "channels_last",
    more: AnyValue = NONE,
) -> Answer:
    maps = Maps.of(axes, data_format)
    return maps("n h.. c -> n H.. c"), *maps.window(pool_size, strides, padding)


@op("tf.layers.flatten", "tf.contrib.{layers,slim}.flatten", varargs="more")
def flatten(inputs: Tensor, more: AnyValue = NONE) -> Answer:
    return "n *S -> n (prod(S))"


@op("tf.layers.dropout", "tf.contrib.{layers,slim}.dropout", varargs="more")
def dropout(inputs: Tensor, more: AnyValue = NONE) -> Answer:
    return "*S -> *S"


@op("tf.layers.batch_normalization", varargs="more")
def batch_normalization(inputs: Tensor, axis: Axis = -1, more: AnyValue = NONE) -> Answer:
    return at(axis, "d -> d")


@op(
    "tf.contrib.{layers,slim}.{batch_norm,layer_norm,instance_norm,group_norm,bias_add,unit_norm,softmax}",
    varargs="more",
)
def normalization(inputs: Tensor, more: AnyValue = NONE) -> Answer:
    return "n *S -> n *S"


# slim ---------------------------------------------------------------------------------------------------------------


def _slim(
    maps: Maps, out: str, kernel: Sizes, stride: Sizes | None, padding: str | None, rate: Sizes | None = None
) -> Answer:
    """Return the window of an operation, as far as the call and the enclosing scopes determine it."""
    signature = maps(f"n h.. c -> n H.. {out}")
    if stride is None or padding is None:
        return signature
    return signature, *maps.window(kernel, stride, padding, rate)


@op(
    "tf.contrib.{layers,slim}.{conv2d,convolution2d}",
    was={"num_outputs": "filters"},
    varargs="more",
    scoped={"stride": 1, "padding": "SAME", "data_format": None, "rate": 1},
    leaves=kernel,
)
def slim_conv2d(
    inputs: Tensor,
    filters: Size,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Padding | None = None,
    data_format: SlimLayout | None = None,
    rate: Sizes | None = None,
    more: AnyValue = NONE,
) -> Answer:
    """Before TensorFlow 1.5, the window had as many axes as the input."""
    maps = Maps.of({3: 1, 5: 3}.get(inputs.rank or 0, 2), data_format)
    return _slim(maps, "{filters}", kernel_size, stride, padding, rate)


@op(
    "tf.contrib.{layers,slim}.{conv2d_transpose,convolution2d_transpose}",
    was={"num_outputs": "filters"},
    varargs="more",
    scoped={"stride": 1, "padding": "SAME", "data_format": None},
    leaves=kernel,
)
def slim_conv2d_transpose(
    inputs: Tensor,
    filters: Size,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Padding | None = None,
    data_format: SlimLayout | None = None,
    more: AnyValue = NONE,
) -> Answer:
    maps = Maps.of(2, data_format)
    if stride is None or padding is None:
        return _slim(maps, "{filters}", kernel_size, None, None)
    return _transposed(maps, inputs, kernel_size, stride, padding)


@op(
    "tf.contrib.{layers,slim}.max_pool2d",
    varargs="more",
    scoped={"stride": 2, "padding": "VALID", "data_format": None},
)
@op(
    "tf.contrib.{layers,slim}.avg_pool2d",
    varargs="more",
    scoped={"stride": 2, "padding": "VALID", "data_format": None},
)
def slim_pool2d(
    inputs: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Padding | None = None,
    data_format: SlimLayout | None = None,
    more: AnyValue = NONE,
) -> Answer:
    return _slim(Maps.of(2, data_format), "c", kernel_size, stride, padding)


@op("tf.contrib.{layers,slim}.one_hot_encoding", varargs="more", dtype="float32")
def one_hot_encoding(labels: Tensor, num_classes: Size, more: AnyValue = NONE) -> Answer:
    return "*S -> *S {num_classes}"


@behaviour("tf.contrib.{layers,slim}.utils.collect_named_outputs")
def collect_named_outputs(ctx: Context, collections: Value, alias: Value, outputs: Value) -> Value:
    return outputs


@behaviour("tf.contrib.{layers,slim}.repeat")
def repeat(ctx: Context, inputs: Value, repetitions: Value, layer: Value, *args: Value, **keywords: Value) -> Value:
    times = as_size(repetitions)
    if not isinstance(times, int) or times > 64:
        return ctx.lost("a layer repeated an unknown number of times")
    options = {name: value for name, value in keywords.items() if name != "scope"}
    for _ in range(times):
        inputs = ctx.call(layer, [inputs, *args], options)
    return inputs


@behaviour("tf.contrib.{layers,slim}.stack")
def stack(ctx: Context, inputs: Value, layer: Value, stack_args: Value, **keywords: Value) -> Value:
    options = {name: value for name, value in keywords.items() if name != "scope"}
    each = items_of(stack_args)
    if each is None or isinstance(stack_args, HomogeneousSeq):
        return ctx.lost("a stack of unknown layers")
    for arguments in each:
        several = arguments.items if isinstance(arguments, Seq) else (arguments,)
        inputs = ctx.call(layer, [inputs, *several], options)
    return inputs


@behaviour("tf.contrib.{layers,slim}.embed_sequence")
def embed_sequence(
    ctx: Context, ids: Value, vocab_size: Value = Const(None), embed_dim: Value = Const(None), **keywords: Value
) -> Value:
    table = ctx.apply("tf.zeros", Seq("list", (vocab_size, embed_dim)))
    return ctx.apply("tf.gather", table, ids)
