"""Convolutions: functions, and modules with weights."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Value, as_size
from shapecheck.models.lang import Answer, AnyValue, Dimensions, Need, Size, Sizes, Tensor, op, result
from shapecheck.models.lang.constraints import each_equal, never, of_rank
from shapecheck.models.lang.layers import configured
from shapecheck.models.lang.parameter_kinds import ranked
from shapecheck.models.torch.layer import layer
from shapecheck.models.torch.maps import Maps, divided, has_channels, of_maps, slide, unslide, whole
from shapecheck.shapes.size import Size as AnySize

ONE, ZERO = Const(1), Const(0)


@configured(*(f"torch.nn.Conv{kind}{axes}d" for kind in ("", "Transpose") for axes in (1, 2, 3)))
def groups_divide(given: Mapping[str, Value]) -> Need | None:
    """The groups divide the channels of the input and of the output."""
    groups = as_size(given.get("groups", ONE))
    for name in ("in_channels", "out_channels"):
        channels = as_size(given.get(name, NONE))
        if isinstance(channels, int) and isinstance(groups, int) and groups > 0 and channels % groups:
            return never(ClashKind.AXIS, f"{name} {channels} cannot be divided into {groups} groups")
    return None


@layer("torch.nn.Conv{1,2,3}d", dtype="float32")
def conv(
    axes: Dimensions,
    input: Tensor,
    in_channels: Size,
    out_channels: Size,
    kernel_size: Sizes,
    stride: AnyValue = ONE,
    padding: AnyValue = ZERO,
    dilation: AnyValue = ONE,
    groups: Size = 1,
) -> Answer:
    split = [*divided(in_channels, groups, "channels"), *divided(out_channels, groups, "channels")]
    said = (kernel_size.spread(axes), stride, padding, dilation)
    return _convolved(input, axes, in_channels, out_channels, said, split)


@layer("torch.nn.LazyConv{1,2,3}d", dtype="float32")
def lazy_conv(
    axes: Dimensions,
    input: Tensor,
    out_channels: Size,
    kernel_size: Sizes,
    stride: AnyValue = ONE,
    padding: AnyValue = ZERO,
    dilation: AnyValue = ONE,
    groups: Size = 1,
) -> Answer:
    """As many channels are taken as the first input has."""
    found, said = of_maps(input, axes), (kernel_size.spread(axes), stride, padding, dilation)
    return _convolved(input, axes, out_channels if found is None else found[0], out_channels, said, [])


@layer("torch.nn.LazyConvTranspose{1,2,3}d", dtype="float32")
def lazy_conv_transpose(
    axes: Dimensions,
    input: Tensor,
    out_channels: Size,
    kernel_size: Sizes,
    stride: AnyValue = ONE,
    padding: AnyValue = ZERO,
    output_padding: AnyValue = ZERO,
    groups: Size = 1,
    bias: AnyValue = NONE,
    dilation: AnyValue = ONE,
) -> Answer:
    found = of_maps(input, axes)
    said = (kernel_size.spread(axes), stride, padding, output_padding, dilation)
    return _widened(input, axes, out_channels if found is None else found[0], out_channels, said, [])


@op("torch.{nn.functional.,}conv{1,2,3}d")
def convolve(
    axes: Dimensions,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: AnyValue = ONE,
    padding: AnyValue = ZERO,
    dilation: AnyValue = ONE,
    groups: Size = 1,
) -> Answer:
    out, inside, *kernel = _sizes(weight, axes)
    needs, said = [*divided(out, groups, "channels"), *_biased(bias, out)], (tuple(kernel), stride, padding, dilation)
    return _convolved(input, axes, inside * groups, out, said, needs)


def _convolved(
    input: Tensor,
    axes: int,
    inside: AnySize,
    out: AnySize,
    said: tuple[Maps, Value, Value, Value],
    needs: list[Need],
) -> Answer:
    """Return the convolution; `said` are kernel, stride, padding and dilation."""
    found = of_maps(input, axes)
    sizes, fits = slide(found, axes, *said)
    needs = [*has_channels(input, found, inside), *fits, *needs]
    return result(whole(input, axes, out, sizes), needs=needs, nature="linear")


def _sizes(weight: Tensor, axes: int) -> Maps:
    """Return the sizes of a kernel; raise `Blind` where its rank is not known."""
    of_rank(weight, axes + 2)
    return ranked(weight).shape.head


def _biased(bias: Tensor | None, channels: AnySize) -> list[Need]:
    if bias is None or bias.rank is None:
        return []
    of_rank(bias, 1)
    said = f"{bias.name} has {{}} elements, there are {{}} channels"
    return [*each_equal(ClashKind.AXIS, bias.shape.head, [channels], said)]


@layer("torch.nn.ConvTranspose{1,2,3}d", dtype="float32")
def conv_transpose(
    axes: Dimensions,
    input: Tensor,
    in_channels: Size,
    out_channels: Size,
    kernel_size: Sizes,
    stride: AnyValue = ONE,
    padding: AnyValue = ZERO,
    output_padding: AnyValue = ZERO,
    groups: Size = 1,
    bias: AnyValue = NONE,
    dilation: AnyValue = ONE,
) -> Answer:
    needs = [*divided(in_channels, groups, "channels"), *divided(out_channels, groups, "channels")]
    said = (kernel_size.spread(axes), stride, padding, output_padding, dilation)
    return _widened(input, axes, in_channels, out_channels, said, needs)


@op("torch.{nn.functional.,}conv_transpose{1,2,3}d")
def widen(
    axes: Dimensions,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: AnyValue = ONE,
    padding: AnyValue = ZERO,
    output_padding: AnyValue = ZERO,
    groups: Size = 1,
    dilation: AnyValue = ONE,
) -> Answer:
    inside, out, *kernel = _sizes(weight, axes)
    said = (tuple(kernel), stride, padding, output_padding, dilation)
    needs = [*divided(inside, groups, "channels"), *_biased(bias, out * groups)]
    return _widened(input, axes, inside, out * groups, said, needs)


def _widened(
    input: Tensor,
    axes: int,
    inside: AnySize,
    out: AnySize,
    said: tuple[Maps, Value, Value, Value, Value],
    needs: list[Need],
) -> Answer:
    """Return the transposed convolution; `said` are kernel, stride, padding, output padding and dilation."""
    found = of_maps(input, axes)
    sizes, fits = unslide(found, axes, *said)
    needs = [*has_channels(input, found, inside), *fits, *needs]
    return result(whole(input, axes, out, sizes), needs=needs, nature="linear")
