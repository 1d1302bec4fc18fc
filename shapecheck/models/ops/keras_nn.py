"""Convolution, pooling and normalisation of keras.ops, which take any number of spatial axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import (
    ONE,
    Answer,
    Axes,
    Axis,
    Flag,
    Maps,
    Need,
    Ranked,
    Size,
    Sizes,
    Tensor,
    Text,
    also,
    at,
    one_of,
    op,
    result,
)
from shapecheck.models.ops.conv import depthwise, grouped, not_both, separable
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.size import Size as AnySize

Padding = Literal["valid", "same"]


@op("keras.ops.{max_pool,average_pool}")
def pool(
    inputs: Tensor, pool_size: Sizes, strides: Sizes | None = None, padding: Padding = "valid", data_format: Text = ""
) -> Answer:
    maps = Maps.like(inputs, data_format)
    return maps("n h.. c -> n H.. c"), *maps.window(pool_size, strides or pool_size, padding, may_be_empty=True)


@op("keras.ops.{adaptive_max_pool,adaptive_average_pool}", oracle="none: sizes and formats of several kinds")
def adaptive_pool(inputs: Tensor, output_size: Sizes, data_format: Text = "") -> Answer:
    maps = Maps.like(inputs, data_format)
    return maps("n h.. c -> n H.. c"), maps.become(output_size.spread(maps.axes))


@op("keras.ops.conv")
def conv(
    inputs: Tensor,
    kernel: Tensor,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: Text = "",
    dilation_rate: Sizes = ONE,
) -> Answer:
    not_both(strides, dilation_rate)
    maps = Maps.like(inputs, data_format)
    extras = maps.window(None, strides, padding, dilation_rate)
    return maps("n h.. c, p.. i o -> n H.. o"), grouped, "o % (c // i) == 0", *extras


@op("keras.ops.depthwise_conv")
def depthwise_conv(
    inputs: Tensor,
    kernel: Tensor,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: Text = "",
    dilation_rate: Sizes = ONE,
) -> Answer:
    not_both(strides, dilation_rate)
    return depthwise(Maps.like(inputs, data_format), strides, padding, dilation_rate)


@op("keras.ops.separable_conv")
def separable_conv(
    inputs: Tensor,
    depthwise_kernel: Tensor,
    pointwise_kernel: Tensor,
    strides: Sizes = ONE,
    padding: Padding = "valid",
    data_format: Text = "",
    dilation_rate: Sizes = ONE,
) -> Answer:
    not_both(strides, dilation_rate)
    return separable(Maps.like(inputs, data_format), strides, padding, dilation_rate)


@op("keras.ops.conv_transpose", oracle="none: paddings of the output")
def conv_transpose(
    inputs: Tensor, kernel: Tensor, strides: Sizes, padding: Padding = "valid", data_format: Text = ""
) -> Answer:
    return Maps.like(inputs, data_format)("n h.. i, p.. o i -> n _.. o")


@op("keras.ops.moments", returns="tuple", oracle="tf.nn.moments")
def moments(x: Tensor, axes: Axes, keepdims: Flag = False) -> Answer:
    from shapecheck.models.ops.axis import moments as tf_moments

    answer: Answer = tf_moments(x, axes, keepdims)
    return answer


@op("keras.ops.batch_normalization")
def batch_normalization(x: Tensor, mean: Tensor, variance: Tensor, axis: Axis) -> Answer:
    """Mean and variance have one axis."""
    size = x.shape.size(axis)
    if size is None or (mean.rank, variance.rank) != (1, 1):
        return UNRANKED
    return x.shape if mean.shape == variance.shape == Shape((size,)) else UNRANKED, *_stretch(size, mean, variance)


def _stretch(size: AnySize, *operands: Tensor) -> list[Need]:
    """Return operands of one axis, each of which broadcasts with an axis of that size."""
    said = "{} has {} elements, not {}"
    counts = [(each.name, each.shape.head[0]) for each in operands]
    claims = [AnyOf((Equal(count, size), Equal(count, 1), Equal(size, 1))) for _, count in counts]
    return [
        Need(ClashKind.ELEMENTS, claim, said.format(*each, size)) for claim, each in zip(claims, counts, strict=True)
    ]


@op("keras.ops.{layer_normalization,rms_normalization}")
def layer_normalization(x: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d") if x.rank else UNRANKED


@op("keras.ops.dot_product_attention")
def dot_product_attention(query: Tensor, key: Tensor, value: Tensor) -> Answer:
    """Keys and values may have fewer heads."""
    return "b t n h, b s k h, b s k v -> b t n v", "n % k == 0"


@op("keras.ops.depth_to_space")
def depth_to_space(x: Tensor, block_size: Size, data_format: Text = "channels_last") -> Answer:
    if isinstance(block_size, int) and block_size < 2:
        return UNRANKED
    maps = Maps.of(2, data_format)
    return maps("b h.. c -> b {h * k}.. {c // (k * k)}"), {"k": block_size}, "c % (k * k) == 0"


@op("keras.ops.space_to_depth")
def space_to_depth(x: Tensor, block_size: Size, data_format: Text = "channels_last") -> Answer:
    if isinstance(block_size, int) and block_size < 2:
        return UNRANKED
    maps = Maps.of(2, data_format)
    return maps("b h.. c -> b {h // k}.. {c * k * k}"), {"k": block_size}, *maps.each("{h} % k == 0")


@op("keras.ops.multi_hot", dtype="float32", oracle="none: needs legal indices")
def multi_hot(inputs: Ranked, num_classes: Size, axis: Axis = -1) -> Answer:
    """One-hot along a new axis, then the maximum along the second; of a vector, along the first."""
    if not inputs.rank or not -1 <= axis <= inputs.rank:
        return UNRANKED
    return Shape(_encoded(inputs.shape.head, inputs.rank if axis == -1 else axis, num_classes))


def _encoded(sizes: Sequence[AnySize], axis: int, classes: AnySize) -> tuple[AnySize, ...]:
    """Return sizes with an axis of classes, without the axis whose classes are merged."""
    merged = min(len(sizes) - 1, 1)
    one_hot = (*sizes[:axis], classes, *sizes[axis:])
    return one_hot[:merged] + one_hot[merged + 1 :]


@op("keras.ops.slice", oracle="none: needs legal indices")
def slice_(inputs: Tensor, start_indices: Tensor, shape: Sizes) -> Answer:
    if shape.known is None or shape.is_single:
        return UNRANKED
    return Shape(tuple(fresh("?", Kind.LOST) if size == -1 else size for size in shape.known))


@op("keras.ops.{slice_update,scatter_update}", oracle="none: needs legal indices")
def updated(inputs: Tensor) -> Answer:
    return "*S -> *S"


@op("keras.ops.{fft,fft2}", returns="tuple", oracle="none: takes pairs of tensors")
def fft(x: Tensor) -> Answer:
    return result(UNRANKED, UNRANKED)


@op("keras.ops.extract_sequences")
def extract_sequences(x: Tensor, sequence_length: Size, sequence_stride: Size) -> Answer:
    """Only complete sequences are returned."""
    sizes = (sequence_length, sequence_stride)
    if not x.rank or not all(isinstance(size, int) and size > 0 for size in sizes):
        return UNRANKED
    return "*S n -> *S {max((n - sequence_length) // sequence_stride + 1, 0)} {sequence_length}"


@op("keras.ops.polar", dtype="complex64")
def polar(abs_: Tensor, angle: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("keras.ops.ctc_loss")
def ctc_loss(target: Tensor, output: Tensor, target_length: Tensor, output_length: Tensor) -> Answer:
    kept = output.dtype if output.dtype == "float64" else None
    return "b _, b _ _, b, _ -> b", also(dtype=kept), *_one_for_each(output_length, output)


def _one_for_each(lengths: Tensor, output: Tensor) -> list[Need]:
    """Return the need that there is one length for each row, or one for all."""
    batch, count = output.shape.size(0), lengths.shape.size(0)
    if batch is None or count is None:
        return []
    return [one_of(ClashKind.AXIS, count, (batch, 1), f"output_length has {count} elements, output has {batch} rows")]
