"""Convolutions of `tf.nn`."""

from __future__ import annotations

from typing import Any, Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Value
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Blind,
    Dimensions,
    Maps,
    Ranked,
    ShapeArg,
    Size,
    Sizes,
    Target,
    Tensor,
    Text,
    also,
    everywhere,
    of_rank,
    op,
    result,
)
from shapecheck.models.lang.constraints import Need, Refused, equal
from shapecheck.models.lang.expression import Bindings, size_of
from shapecheck.models.lang.suspicious import parts_of_channels
from shapecheck.models.lang.window import slid
from shapecheck.shapes.claims import Divides
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

Padding = Literal["SAME", "VALID"]
Padded = Literal["SAME", "VALID"] | AnyValue  # a list of widths for each axis
WAS = {"filter": "filters", "value": "input", "out": "output_shape", "data_format": "data_format"}


def convolved(
    axes: int,
    strides: Sizes,
    padding: str | Value,
    dilations: Sizes | None,
    data_format: str | None,
    target: Target = Target(),
) -> tuple[Any, ...]:
    """Return the signature of a convolution. The input's channels are a multiple of the kernel's (groups), except for
    three spatial axes on a CPU, where channels are last. TensorFlow 2 accepts more than one leading axis.
    """
    maps = Maps.of(axes, data_format)
    batch = "n" if maps.first or target.tensorflow == 1 else "*N n"
    return (
        maps(f"{batch} h.. c, p.. i o -> {batch} H.. o"),
        grouped,
        "c == i" if axes == 3 and not maps.first and target.tensorflow != 1 else "o % (c // i) == 0",
        *maps.window(None, strides, padding, dilations, may_be_empty=True),
    )


def grouped(bindings: Bindings) -> Need:
    """Return the need that the input's channels are a multiple of the filter's."""
    channels, inner = size_of("c", bindings), size_of("i", bindings)
    return Need(
        ClashKind.AXIS, Divides(inner, channels), f"the input has {channels} channels, the filter takes {inner}"
    )


def not_both(strides: Sizes | None, dilations: Sizes | None) -> None:
    """Raise `Blind` for a window that is both strided and dilated, which only some releases reject."""
    if is_dilated(strides) and is_dilated(dilations):
        raise Blind("dilated and strided at once")


def is_dilated(sizes: Sizes | None) -> bool:
    """Return whether some step is not 1."""
    return sizes is not None and (sizes.known is None or any(size != 1 for size in sizes.known))


@op("tf.nn.conv{1,2,3}d", was={**WAS, "stride": "strides"})
def conv(
    axes: Dimensions,
    input: Tensor,
    filters: Tensor,
    strides: Sizes,
    padding: Padded,
    data_format: Text | None = None,
    dilations: Sizes | None = None,
    target: Target = Target(),
) -> Answer:
    channels = input.shape.size(Maps.of(axes, data_format).channel)
    notices = parts_of_channels(input, channels, filters, filters.shape.size(-2))
    return (*convolved(axes, strides, padding, dilations, data_format, target), also(notices=notices))


@op("tf.nn.atrous_conv2d", was=WAS)
def atrous_conv2d(value: Tensor, filters: Tensor, rate: Size, padding: Padding, target: Target = Target()) -> Answer:
    if rate == 0:
        raise Refused(ClashKind.NEGATIVE_SIZE, "rate is 0")
    return convolved(2, everywhere(1), padding, everywhere(rate), None, target)


@op("tf.nn.depthwise_conv2d", was={**WAS, "rate": "dilations"})
def depthwise_conv2d(
    input: Tensor,
    filter: Tensor,
    strides: Sizes,
    padding: Padded,
    data_format: Text | None = None,
    dilations: Sizes | None = None,
) -> Answer:
    not_both(strides, dilations)
    return depthwise(Maps.of(2, data_format), strides, padding, dilations)


def depthwise(maps: Maps, strides: Sizes, padding: str | Value, dilations: Sizes | None = None) -> tuple[Any, ...]:
    """Return the signature of a depthwise convolution: each channel has its own filters."""
    extras = maps.window(None, strides, padding, dilations, may_be_empty=True)
    return maps("n h.. c, p.. c m -> n H.. {c * m}"), *extras


@op("tf.nn.depthwise_conv2d_native", was=WAS)
def depthwise_conv2d_native(
    input: Tensor,
    filter: Tensor,
    strides: Sizes,
    padding: Padded,
    data_format: Text | None = None,
    dilations: Sizes | None = None,
) -> Answer:
    """A CPU ignores dilations."""
    if is_dilated(dilations):
        raise Blind("dilations that may not count")
    return depthwise_conv2d(input, filter, strides, padding, data_format)


@op("tf.nn.separable_conv2d", was={**WAS, "rate": "dilations"})
def separable_conv2d(
    input: Tensor,
    depthwise_filter: Tensor,
    pointwise_filter: Tensor,
    strides: Sizes,
    padding: Padding,
    data_format: Text | None = None,
    dilations: Sizes | None = None,
) -> Answer:
    not_both(strides, dilations)
    return separable(Maps.of(2, data_format), strides, padding, dilations)


def separable(maps: Maps, strides: Sizes, padding: str, dilations: Sizes | None = None) -> tuple[Any, ...]:
    """Return the signature of a separable convolution: each channel has its own filters, and a filter of one point
    mixes the results.
    """
    signature = maps("n h.. c, p.. c m, 1.. i o -> n H.. o")
    extras = maps.window(None, strides, padding, dilations, may_be_empty=True)
    return signature, "(c * m) % i == 0", "o % ((c * m) // i) == 0", *extras


@op("tf.nn.conv{2,3}d_transpose", "tf.nn.deconv2d", was={**WAS, "input": "value"})
def conv_transpose(
    axes: Dimensions,
    value: Tensor,
    filters: Tensor,
    output_shape: ShapeArg,
    strides: Sizes,
    padding: Padding = "SAME",
    data_format: Text | None = None,
) -> Answer:
    return transposed(Maps.of(axes, data_format), value, filters, output_shape, strides, padding)


def transposed(maps: Maps, value: Tensor, filters: Tensor, output_shape: Shape, strides: Sizes, padding: str) -> Answer:
    """Return the transposed convolution: the convolution of the output's shape must give the input's."""
    of_rank(value, maps.axes + 2)
    of_rank(filters, maps.axes + 2)
    if output_shape.tail is not None or value.rank is None or filters.rank is None:
        return output_shape if len(output_shape.head) == maps.axes + 2 else UNRANKED  # not only height and width
    given, kernel = value.shape.head, filters.shape.head
    if len(output_shape.head) == maps.axes:
        output_shape = maps.whole(given[0], output_shape.head, kernel[-2])
    out, channel = output_shape.head, maps.channel
    if len(out) != maps.axes + 2:
        raise Refused(ClashKind.RANK, f"output_shape has {len(out)} entries, not {maps.axes + 2}")
    needs = [
        _as_filter("the input", given[channel], kernel[-1]),
        _as_filter("output_shape", out[channel], kernel[-2]),
        equal(ClashKind.AXIS, out[0], given[0], f"output_shape has a batch of {out[0]}, the input of {given[0]}"),
    ]
    return result(output_shape, needs=needs + _reached(maps, out, given, kernel, strides, padding))


def _as_filter(what: str, channels: AnySize, wanted: AnySize) -> Need:
    return equal(ClashKind.AXIS, channels, wanted, f"{what} has {channels} channels, the filter {wanted}")


def _reached(
    maps: Maps,
    out: tuple[AnySize, ...],
    given: tuple[AnySize, ...],
    kernel: tuple[AnySize, ...],
    strides: Sizes,
    padding: str,
) -> list[Need]:
    steps = maps.inner(strides).spread(maps.axes)
    each = zip(maps.spatial(out), maps.spatial(given), kernel[:-2], steps, strict=True)
    return [need for sizes in each for need in _reaches(*sizes, padding)]


def _reaches(out: AnySize, given: AnySize, kernel: AnySize, step: AnySize, padding: str) -> list[Need]:
    if not isinstance(step, int) or not step:
        return []
    back = slid(out, kernel, step, padding)
    return [equal(ClashKind.AXIS, back, given, f"an output of {out} needs an input of {back}, not {given}")]


@op("tf.nn.bias_add")
def bias_add(value: Tensor, bias: Tensor, data_format: Text | None = None) -> Answer:
    return "n c *S, c -> n c *S" if Maps.of(1, data_format).first else "n *S c, c -> n *S c"


@op("keras.backend.bias_add")
def backend_bias_add(x: Ranked, bias: Tensor, data_format: Text | None = None, target: Target = Target()) -> Answer:
    """The bias has a number for each channel, or for each position; in TensorFlow 1 any bias broadcasts."""
    of_rank(bias, *sorted({1, x.rank - 1}))
    if x.rank not in (3, 4, 5) or (bias.rank == 1 and target.tensorflow != 1):
        return bias_add(x, bias, data_format)
    return UNRANKED if Maps.of(1, data_format).first else "n ~B, ~B -> n ~B"
