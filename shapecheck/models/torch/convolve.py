"""Convolutions: functions, and modules with weights."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Value
from shapecheck.models.lang import Answer, AnyValue, Dimensions, Need, Size, Sizes, Tensor, layer, op, result
from shapecheck.models.lang.constraints import each_equal, of_rank
from shapecheck.models.torch.maps import Maps, divided, has_channels, of_maps, slide, unslide, whole
from shapecheck.shapes.shape import UNRANKED
from shapecheck.shapes.size import Size as AnySize

ONE, ZERO = Const(1), Const(0)
MODULE = ("torch.nn.Module",)


@layer("torch.nn.Conv{1,2,3}d", dtype="float32", bases=MODULE)
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
    return _convolved(axes, input, in_channels, out_channels, kernel_size, stride, padding, dilation, groups)


def _convolved(
    axes: Dimensions,
    input: Tensor,
    in_channels: Size,
    out_channels: Size,
    kernel_size: Sizes,
    stride: AnyValue,
    padding: AnyValue,
    dilation: AnyValue,
    groups: Size,
) -> Answer:
    kernel = kernel_size.spread(axes)
    needs = [*divided(in_channels, groups, "channels"), *divided(out_channels, groups, "channels")]
    found = of_maps(input, axes)
    sizes, fits = slide(found, axes, kernel, stride, padding, dilation)
    shape = whole(input, axes, out_channels, sizes)
    return result(shape, needs=[*has_channels(input, found, in_channels), *fits, *needs], nature="linear")


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
    return _convolved_with(axes, input, weight, bias, stride, padding, dilation, groups)


def _convolved_with(
    axes: Dimensions,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: AnyValue,
    padding: AnyValue,
    dilation: AnyValue,
    groups: Size,
) -> Answer:
    of_rank(weight, axes + 2)
    if weight.rank is None:
        return UNRANKED
    out, inside, *kernel = weight.shape.head
    found = of_maps(input, axes)
    sizes, fits = slide(found, axes, tuple(kernel), stride, padding, dilation)
    needs = [*has_channels(input, found, inside * groups), *divided(out, groups, "channels"), *_biased(bias, out)]
    return result(whole(input, axes, out, sizes), needs=[*fits, *needs])


def _biased(bias: Tensor | None, channels: AnySize) -> list[Need]:
    if bias is None or bias.rank is None:
        return []
    of_rank(bias, 1)
    said = f"{bias.name} has {{}} elements, there are {{}} channels"
    return [*each_equal(ClashKind.AXIS, bias.shape.head, [channels], said)]


@layer("torch.nn.ConvTranspose{1,2,3}d", dtype="float32", bases=MODULE)
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
    return _widened_by_layer(
        axes, input, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, dilation
    )


def _widened_by_layer(
    axes: Dimensions,
    input: Tensor,
    in_channels: Size,
    out_channels: Size,
    kernel_size: Sizes,
    stride: AnyValue,
    padding: AnyValue,
    output_padding: AnyValue,
    groups: Size,
    dilation: AnyValue,
) -> Answer:
    needs = [*divided(in_channels, groups, "channels"), *divided(out_channels, groups, "channels")]
    return _widened(
        input,
        axes,
        kernel_size.spread(axes),
        in_channels,
        out_channels,
        (stride, padding, output_padding, dilation),
        needs,
    )


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
    return _widened_with(axes, input, weight, bias, stride, padding, output_padding, groups, dilation)


def _widened_with(
    axes: Dimensions,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: AnyValue,
    padding: AnyValue,
    output_padding: AnyValue,
    groups: Size,
    dilation: AnyValue,
) -> Answer:
    of_rank(weight, axes + 2)
    if weight.rank is None:
        return UNRANKED
    inside, out, *kernel = weight.shape.head
    needs, said = _biased(bias, out * groups), (stride, padding, output_padding, dilation)
    return _widened(input, axes, tuple(kernel), inside, out * groups, said, needs)


def _widened(
    input: Tensor,
    axes: int,
    kernel: Maps,
    inside: AnySize,
    out: AnySize,
    said: tuple[Value, Value, Value, Value],
    needs: list[Need],
) -> Answer:
    stride, padding, more, dilation = said
    found = of_maps(input, axes)
    sizes = unslide(found, axes, kernel, stride, padding, more, dilation)
    return result(whole(input, axes, out, sizes), needs=[*has_channels(input, found, inside), *needs], nature="linear")
