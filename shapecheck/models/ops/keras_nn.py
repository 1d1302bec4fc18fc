"""Convolution, pooling and normalisation of keras.ops, which take any number of spatial axes."""

from __future__ import annotations

from typing import Literal

from shapecheck.models.lang import Answer, Axes, Axis, Flag, Size, Sizes, Tensor, Text, also, at, op, result, window
from shapecheck.models.lang.needs import Need
from shapecheck.models.ops.conv import AXES, KERNELS, dilated, grouped, is_first, laid_out
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh

Padding = Literal["valid", "same"]


def _is_first(data_format: str | None) -> bool:
    return data_format == "channels_first" or is_first(data_format)


@op("keras.ops.{max_pool,average_pool}", rung=2)
def pool(
    inputs: Tensor, pool_size: Sizes, strides: Sizes | None = None, padding: Padding = "valid", data_format: Text = ""
) -> Answer:
    if inputs.rank not in (3, 4, 5):
        return UNRANKED
    axes = inputs.rank - 2
    first = _is_first(data_format)
    before, after = (laid_out(each, "c", first) for each in (AXES[axes], AXES[axes].upper()))
    steps = pool_size if strides is None else strides
    kernels = pool_size.spread(axes)
    return f"{before} -> {after}", *window(AXES[axes], kernels, steps, padding, may_be_empty=True)


@op("keras.ops.{adaptive_max_pool,adaptive_average_pool}", rung=2, oracle="none: sizes and formats of several kinds")
def adaptive_pool(inputs: Tensor, output_size: Sizes, data_format: Text = "") -> Answer:
    if inputs.rank not in (3, 4, 5):
        return UNRANKED
    sizes = output_size.spread(inputs.rank - 2)
    n, *inner = inputs.shape.head
    return Shape((n, inner[0], *sizes) if _is_first(data_format) else (n, *sizes, inner[-1]))


@op("keras.ops.conv", rung=2)
def conv(
    inputs: Tensor,
    kernel: Tensor,
    strides: Sizes | None = None,
    padding: Padding = "valid",
    data_format: Text = "",
    dilation_rate: Sizes | None = None,
) -> Answer:
    if inputs.rank not in (3, 4, 5):
        return UNRANKED
    if dilated(strides) and dilated(dilation_rate):
        return UNRANKED
    axes, first = inputs.rank - 2, _is_first(data_format)
    before, after = laid_out(AXES[axes], "c", first), laid_out(AXES[axes].upper(), "o", first)
    extras = window(AXES[axes], KERNELS[axes], _ones(strides), padding, dilation_rate)
    return f"{before}, {KERNELS[axes]} i o -> {after}", grouped, "o % (c // i) == 0", *extras


def _ones(sizes: Sizes | None) -> Sizes:
    return Sizes((1,), lambda name: fresh(name, Kind.LOST), is_single=True) if sizes is None else sizes


@op("keras.ops.depthwise_conv", rung=2)
def depthwise_conv(
    inputs: Tensor, kernel: Tensor, strides: Sizes | None = None, padding: Padding = "valid", data_format: Text = ""
) -> Answer:
    if inputs.rank not in (3, 4):
        return UNRANKED
    axes, first = inputs.rank - 2, _is_first(data_format)
    before, after = laid_out(AXES[axes], "c", first), laid_out(AXES[axes].upper(), "{c * m}", first)
    extras = window(AXES[axes], KERNELS[axes], _ones(strides), padding, may_be_empty=True)
    return f"{before}, {KERNELS[axes]} c m -> {after}", *extras


@op("keras.ops.separable_conv", rung=2)
def separable_conv(
    inputs: Tensor,
    depthwise_kernel: Tensor,
    pointwise_kernel: Tensor,
    strides: Sizes | None = None,
    padding: Padding = "valid",
    data_format: Text = "",
) -> Answer:
    if inputs.rank not in (3, 4):
        return UNRANKED
    axes, first = inputs.rank - 2, _is_first(data_format)
    before, after = laid_out(AXES[axes], "c", first), laid_out(AXES[axes].upper(), "o", first)
    extras = window(AXES[axes], KERNELS[axes], _ones(strides), padding, may_be_empty=True)
    ones = "1 " * axes
    mixed = "(c * m) % i == 0", "o % ((c * m) // i) == 0"
    return f"{before}, {KERNELS[axes]} c m, {ones} i o -> {after}", *mixed, *extras


@op("keras.ops.conv_transpose", rung=3, oracle="none: paddings of the output")
def conv_transpose(inputs: Tensor, kernel: Tensor, strides: Sizes, padding: Padding = "valid") -> Answer:
    return UNRANKED if inputs.rank is None else Shape(tuple(fresh("?", Kind.LOST) for _ in inputs.shape.head))


@op("keras.ops.moments", returns="tuple", rung=2, oracle="tf.nn.moments")
def moments(x: Tensor, axes: Axes, keepdims: Flag = False) -> Answer:
    from shapecheck.models.ops.axis import moments as tf_moments

    answer: Answer = tf_moments(x, axes, keepdims)
    return answer


@op("keras.ops.batch_normalization", rung=2)
def batch_normalization(x: Tensor, mean: Tensor, variance: Tensor, axis: Axis) -> Answer:
    """Mean and variance are of one axis."""
    size = x.shape.size(axis)
    if size is None or (mean.rank, variance.rank) != (1, 1):
        return UNRANKED
    counts = [(each, each.shape.head[0]) for each in (mean, variance)]
    needs = [
        Need(
            "elements",
            AnyOf((Equal(n, size), Equal(n, 1), Equal(size, 1))),
            f"{each.name} has {n} elements, not {size}",
        )
        for each, n in counts
    ]
    return result(x.shape if all(n == size for _, n in counts) else UNRANKED, needs=needs)


@op("keras.ops.{layer_normalization,rms_normalization}", rung=2)
def layer_normalization(x: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d") if x.rank else UNRANKED


@op("keras.ops.dot_product_attention", rung=2)
def dot_product_attention(query: Tensor, key: Tensor, value: Tensor) -> Answer:
    """Keys and values may have fewer heads."""
    return "b t n h, b s k h, b s k v -> b t n v", "n % k == 0"


@op("keras.ops.depth_to_space", rung=2)
def depth_to_space(x: Tensor, block_size: Size, data_format: Text = "channels_last") -> Answer:
    if isinstance(block_size, int) and block_size < 2:
        return UNRANKED
    sizes = {"k": block_size}
    if _is_first(data_format):
        return "b c h w -> b (c // (k * k)) (h * k) (w * k)", sizes, "c % (k * k) == 0"
    return "b h w c -> b (h * k) (w * k) (c // (k * k))", sizes, "c % (k * k) == 0"


@op("keras.ops.space_to_depth", rung=2)
def space_to_depth(x: Tensor, block_size: Size, data_format: Text = "channels_last") -> Answer:
    if isinstance(block_size, int) and block_size < 2:
        return UNRANKED
    sizes, fits = {"k": block_size}, ("h % k == 0", "w % k == 0")
    if _is_first(data_format):
        return "b c h w -> b (c * k * k) (h // k) (w // k)", sizes, *fits
    return "b h w c -> b (h // k) (w // k) (c * k * k)", sizes, *fits


@op("keras.ops.multi_hot", rung=2, oracle="none: needs legal indices")
def multi_hot(inputs: Tensor, num_classes: Size) -> Answer:
    if not inputs.rank:
        return UNRANKED
    return ("b _ -> b {c}" if inputs.rank == 2 else "*S _ -> *S {c}" if inputs.rank > 1 else "_ -> {c}"), {
        "c": num_classes
    }


@op("keras.ops.slice", rung=3, oracle="none: needs legal indices")
def slice_(inputs: Tensor, start_indices: Tensor, shape: Sizes) -> Answer:
    if shape.known is None or shape.is_single:
        return UNRANKED
    return Shape(tuple(fresh("?", Kind.LOST) if size == -1 else size for size in shape.known))


@op("keras.ops.slice_update", rung=3, oracle="none: needs legal indices")
@op("keras.ops.scatter_update", rung=3, oracle="none: needs legal indices")
def updated(inputs: Tensor) -> Answer:
    return inputs.shape


@op("keras.ops.{fft,fft2}", returns="tuple", oracle="none: takes pairs of tensors")
def fft(x: Tensor) -> Answer:
    return result(UNRANKED, UNRANKED)


@op("keras.ops.extract_sequences", rung=3)
def extract_sequences(x: Tensor, sequence_length: Size, sequence_stride: Size) -> Answer:
    if not isinstance(sequence_length, int) or not isinstance(sequence_stride, int):
        return UNRANKED
    if sequence_length < 1 or sequence_stride < 1 or not x.rank:
        return UNRANKED
    sizes = {"m": f"max((n - {sequence_length}) // {sequence_stride} + 1, 0)", "k": sequence_length}
    return "*S n -> *S m k", sizes


@op("keras.ops.polar", dtype="complex64")
def polar(abs_: Tensor, angle: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op("keras.ops.ctc_loss", rung=2)
def ctc_loss(target: Tensor, output: Tensor, target_length: Tensor, output_length: Tensor) -> Answer:
    batch, count = output.shape.size(0), output_length.shape.size(0)
    answer = "b _, b _ _, b, _ -> b", also(dtype=output.dtype if output.dtype == "float64" else None)
    if batch is None or count is None:
        return answer
    said = f"output_length has {count} elements, output has {batch} rows"
    return *answer, Need("axis", AnyOf((Equal(count, batch), Equal(count, 1))), said)
