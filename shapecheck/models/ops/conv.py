"""Convolutions of tf.nn."""

from __future__ import annotations

from typing import Any, Literal

from shapecheck.models.lang import (
    Answer,
    Blind,
    Dimensions,
    ShapeArg,
    Size,
    Sizes,
    Target,
    Tensor,
    Text,
    also,
    never,
    op,
    result,
    window,
)
from shapecheck.models.lang.expression import Bindings, Unknown
from shapecheck.models.lang.needs import Need, equal
from shapecheck.models.lang.suspicious import parts_of_channels
from shapecheck.models.lang.window import slid
from shapecheck.shapes.claims import Divides
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.size import Size as AnySize

Padding = Literal["SAME", "VALID"]
WAS = {"filter": "filters", "value": "input", "out": "output_shape", "data_format": "data_format"}
AXES = {1: "w", 2: "h w", 3: "d h w"}
KERNELS = {1: "q", 2: "p q", 3: "r p q"}


def is_first(data_format: str | None) -> bool:
    """Whether channels come before the spatial axes."""
    return bool(data_format and data_format.upper().startswith("NC"))


def laid_out(axes: str, channels: str, first: bool, batch: str = "n") -> str:
    """The axes of a batch of images, in the order of the data format."""
    return f"{batch} {channels} {axes}" if first else f"{batch} {axes} {channels}"


def spatial(sizes: Sizes, axes: int, first: bool) -> Sizes:
    """The entries for the spatial axes; lists in tf.nn may have entries for batch and channels too."""
    if sizes.known is not None and len(sizes.known) == axes + 2:
        kept = sizes.known[2:] if first else sizes.known[1:-1]
        return Sizes(kept, sizes.fresh)
    if sizes.known is not None and len(sizes.known) == 1:
        return Sizes(sizes.known, sizes.fresh, is_single=True)
    return sizes


def convolved(
    axes: int,
    strides: Sizes,
    padding: str,
    dilations: Sizes | None,
    data_format: str | None,
    target: Target = Target(),
) -> tuple[Any, ...]:
    """The signature of a convolution: the input's channels are a multiple of the kernel's (groups), but for three axes
    on a CPU, which has the channels last.  TensorFlow 2 takes more than one leading axis."""
    first = is_first(data_format)
    names, kernels = AXES[axes], KERNELS[axes]
    batch = "n" if first or axes == 3 or target.tensorflow == 1 else "*N n"
    before = laid_out(names, "c", first, batch)
    after = laid_out(names.upper(), "o", first, batch)
    steps = spatial(strides, axes, first)
    gaps = None if dilations is None else spatial(dilations, axes, first)
    return (
        f"{before}, {kernels} i o -> {after}",
        grouped,
        "c == i" if axes == 3 and not first and target.tensorflow != 1 else "o % (c // i) == 0",
        *window(names, kernels, steps, padding, gaps, may_be_empty=True),
    )


def grouped(bindings: Bindings) -> Need:
    """The input's channels are a multiple of the filter's."""
    channels, inner = bindings["c"], bindings["i"]
    if isinstance(channels, (Shape, tuple)) or isinstance(inner, (Shape, tuple)):
        raise Unknown("channels")
    return Need("axis", Divides(inner, channels), f"the input has {channels} channels, the filter takes {inner}")


@op("tf.nn.conv{1,2,3}d", was={**WAS, "stride": "strides"}, rung=2)
def conv(
    axes: Dimensions,
    input: Tensor,
    filters: Tensor,
    strides: Sizes,
    padding: Padding,
    data_format: Text | None = None,
    dilations: Sizes | None = None,
    target: Target = Target(),
) -> Answer:
    channels = input.shape.size(1 if is_first(data_format) else -1)
    notices = parts_of_channels(input, channels, filters, filters.shape.size(-2))
    return (*convolved(axes, strides, padding, dilations, data_format, target), also(notices=notices))


@op("tf.nn.atrous_conv2d", was=WAS, rung=2)
def atrous_conv2d(value: Tensor, filters: Tensor, rate: Size, padding: Padding, target: Target = Target()) -> Answer:
    if rate == 0:
        return result(UNRANKED, needs=[never("negative-size", "rate is 0")])
    one, many = (Sizes((size,), lambda name: fresh(name, Kind.LOST), is_single=True) for size in (1, rate))
    return convolved(2, one, padding, many, None, target)


def dilated(sizes: Sizes | None) -> bool:
    """Whether some step is not 1."""
    return sizes is not None and (sizes.known is None or any(size != 1 for size in sizes.known))


@op("tf.nn.depthwise_conv2d", was={**WAS, "rate": "dilations"}, rung=2)
def depthwise_conv2d(
    input: Tensor,
    filter: Tensor,
    strides: Sizes,
    padding: Padding,
    data_format: Text | None = None,
    dilations: Sizes | None = None,
) -> Answer:
    first = is_first(data_format)
    if dilated(dilations) and dilated(strides):
        raise Blind("dilated and strided at once")
    before, after = laid_out("h w", "c", first), laid_out("H W", "{c * m}", first)
    steps, gaps = spatial(strides, 2, first), None if dilations is None else spatial(dilations, 2, first)
    return f"{before}, p q c m -> {after}", *window("h w", "p q", steps, padding, gaps, may_be_empty=True)


@op("tf.nn.depthwise_conv2d_native", was=WAS, rung=2)
def depthwise_conv2d_native(
    input: Tensor,
    filter: Tensor,
    strides: Sizes,
    padding: Padding,
    data_format: Text | None = None,
    dilations: Sizes | None = None,
) -> Answer:
    """A CPU takes no notice of dilations."""
    if dilated(dilations):
        raise Blind("dilations that may not count")
    return depthwise_conv2d(input, filter, strides, padding, data_format)


@op("tf.nn.separable_conv2d", was={**WAS, "rate": "dilations"}, rung=2)
def separable_conv2d(
    input: Tensor,
    depthwise_filter: Tensor,
    pointwise_filter: Tensor,
    strides: Sizes,
    padding: Padding,
    data_format: Text | None = None,
    dilations: Sizes | None = None,
) -> Answer:
    first = is_first(data_format)
    if dilated(dilations) and dilated(strides):
        raise Blind("dilated and strided at once")
    before, after = laid_out("h w", "c", first), laid_out("H W", "o", first)
    mixed = "(c * m) % i == 0", "o % ((c * m) // i) == 0"
    steps, gaps = spatial(strides, 2, first), None if dilations is None else spatial(dilations, 2, first)
    return (
        f"{before}, p q c m, 1 1 i o -> {after}",
        *mixed,
        *window("h w", "p q", steps, padding, gaps, may_be_empty=True),
    )


@op("tf.nn.conv2d_transpose", "tf.nn.deconv2d", was={**WAS, "input": "value"}, rung=3)
def conv2d_transpose(
    value: Tensor,
    filters: Tensor,
    output_shape: ShapeArg,
    strides: Sizes,
    padding: Padding = "SAME",
    data_format: Text | None = None,
) -> Answer:
    return transposed(2, value, filters, output_shape, strides, padding, data_format)


@op("tf.nn.conv3d_transpose", was={**WAS, "input": "value"}, rung=3)
def conv3d_transpose(
    value: Tensor,
    filters: Tensor,
    output_shape: ShapeArg,
    strides: Sizes,
    padding: Padding = "SAME",
    data_format: Text | None = None,
) -> Answer:
    return transposed(3, value, filters, output_shape, strides, padding, data_format)


def transposed(
    axes: int,
    value: Tensor,
    filters: Tensor,
    output_shape: Shape,
    strides: Sizes,
    padding: str,
    data_format: str | None,
) -> Answer:
    """The gradient of a convolution: the convolution of the output's shape must give the input's."""
    first = is_first(data_format)
    spots = range(2, axes + 2) if first else range(1, axes + 1)
    channel = 1 if first else axes + 1
    for operand in (value, filters):
        if operand.rank is not None and operand.rank != axes + 2:
            said = f"{operand.name} has rank {operand.rank}, not {axes + 2}"
            return result(UNRANKED, needs=[never("rank", said)])
    if output_shape.tail is not None or value.rank is None or filters.rank is None:
        return output_shape
    if len(output_shape.head) == axes:
        batch, channels = value.shape.head[0], filters.shape.head[axes]
        output_shape = Shape((batch, channels, *output_shape.head) if first else (batch, *output_shape.head, channels))
    if len(output_shape.head) != axes + 2:
        said = f"output_shape has {len(output_shape.head)} entries, not {axes + 2}"
        return result(UNRANKED, needs=[never("rank", said)])
    out, given, kernel = output_shape.head, value.shape.head, filters.shape.head
    needs = [
        equal("axis", given[channel], kernel[-1], f"the input has {given[channel]} channels, the filter {kernel[-1]}"),
        equal(
            "axis", out[channel], kernel[axes], f"output_shape has {out[channel]} channels, the filter {kernel[axes]}"
        ),
        equal("axis", out[0], given[0], f"output_shape has a batch of {out[0]}, the input of {given[0]}"),
    ]
    for at, spot, step in zip(range(axes), spots, spatial(strides, axes, first).spread(axes), strict=True):
        needs += _reaches(out[spot], given[spot], kernel[at], step, padding)
    return result(output_shape, needs=needs)


def _reaches(out: AnySize, given: AnySize, kernel: AnySize, step: AnySize, padding: str) -> list[Need]:
    if not isinstance(step, int) or not step:
        return []
    back = slid(out, kernel, step, padding)
    return [equal("axis", back, given, f"{out} would come from {back}, the input has {given}")]


@op("tf.nn.bias_add", "keras.backend.bias_add", rung=2)
def bias_add(value: Tensor, bias: Tensor, data_format: Text | None = None) -> Answer:
    return "n c *S, c -> n c *S" if is_first(data_format) else "n *S c, c -> n *S c"
