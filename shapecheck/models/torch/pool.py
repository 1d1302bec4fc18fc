"""Pooling, padding and resizing of maps: functions and modules."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Value, as_bool, as_size, as_sizes, items_of
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Blind,
    Dimensions,
    Flag,
    Need,
    Refused,
    Result,
    Size,
    Tensor,
    Text,
    at,
    at_least,
    op,
    result,
)
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.torch.layer import layer
from shapecheck.models.torch.maps import Maps, of_maps, slide, spread, whole
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

ONE, ZERO = Const(1), Const(0)
FUNCTIONS = "torch.nn.functional"


@layer("torch.nn.MaxPool{1,2,3}d")
@op(f"{{{FUNCTIONS},torch}}.max_pool{{1,2,3}}d")
def max_pool(
    axes: Dimensions,
    input: Tensor,
    kernel_size: AnyValue,
    stride: AnyValue = NONE,
    padding: AnyValue = ZERO,
    dilation: AnyValue = ONE,
    return_indices: AnyValue = FALSE,
    ceil_mode: Flag = False,
) -> Answer:
    if as_bool(return_indices) is not False:
        raise Blind("the places of the largest")
    return _pooled(input, axes, kernel_size, stride, padding, dilation, ceil_mode)


@op(f"{FUNCTIONS}.max_pool{{1,2,3}}d_with_indices", "torch.max_pool1d_with_indices", dtype="first,int64")
def max_pool_with_places(
    axes: Dimensions,
    input: Tensor,
    kernel_size: AnyValue,
    stride: AnyValue = NONE,
    padding: AnyValue = ZERO,
    dilation: AnyValue = ONE,
    ceil_mode: Flag = False,
) -> Answer:
    found = _pooled(input, axes, kernel_size, stride, padding, dilation, ceil_mode)
    return replace(found, outputs=found.outputs * 2)


@layer("torch.nn.LPPool{1,2,3}d")
@op(f"{FUNCTIONS}.lp_pool{{1,2,3}}d")
def power_pool(
    axes: Dimensions,
    input: Tensor,
    norm_type: AnyValue,
    kernel_size: AnyValue,
    stride: AnyValue = NONE,
    ceil_mode: Flag = False,
) -> Answer:
    return _pooled(input, axes, kernel_size, stride, ZERO, ONE, ceil_mode)


@layer("torch.nn.FractionalMaxPool{2,3}d")
@op(f"{FUNCTIONS}.fractional_max_pool{{2,3}}d", oracle="none: options that exclude each other")
def fractional_pool(
    axes: Dimensions,
    input: Tensor,
    kernel_size: AnyValue,
    output_size: AnyValue = NONE,
    return_indices: AnyValue = FALSE,
) -> Answer:
    """The size of the output is given, or a ratio."""
    if output_size == NONE:
        raise Blind("a ratio")
    return _adapted(axes, input, output_size, return_indices)


@layer("torch.nn.MaxUnpool{1,2,3}d")
@op(f"{FUNCTIONS}.max_unpool{{1,2,3}}d", oracle="none: places within the result")
def unpool(
    axes: Dimensions,
    input: Tensor,
    indices: AnyValue,
    kernel_size: AnyValue,
    stride: AnyValue = NONE,
    padding: AnyValue = ZERO,
    output_size: AnyValue = NONE,
) -> Answer:
    """Windows are laid side by side again, unless a size is given."""
    found = of_maps(input, axes)
    if found is None or output_size != NONE:
        raise Blind("the size of the output")
    return _laid(input, axes, found, (kernel_size, kernel_size if stride == NONE else stride, padding))


def _laid(input: Tensor, axes: int, found: Maps, window: tuple[Value, Value, Value]) -> Answer:
    each = zip(found[1:], *(spread(said, axes) for said in window), strict=True)
    sizes = tuple((size - 1) * by - 2 * border + kernel for size, kernel, by, border in each)
    return whole(input, axes, found[0], sizes)


@layer("torch.nn.AvgPool{1,2,3}d")
@op(f"{FUNCTIONS}.avg_pool{{1,2,3}}d", "torch.avg_pool1d")
def avg_pool(
    axes: Dimensions,
    input: Tensor,
    kernel_size: AnyValue,
    stride: AnyValue = NONE,
    padding: AnyValue = ZERO,
    ceil_mode: Flag = False,
) -> Answer:
    return _pooled(input, axes, kernel_size, stride, padding, ONE, ceil_mode)


def _pooled(
    input: Tensor, axes: int, kernel: Value, stride: Value, padding: Value, dilation: Value, ceil: bool
) -> Result:
    found = of_maps(input, axes)
    sizes, needs = slide(found, axes, spread(kernel, axes), stride, padding, dilation, ceil)
    for window, border in zip(spread(kernel, axes), spread(padding, axes), strict=True):
        said = f"the padding {border} is more than half of a window of {window}"
        needs += [] if border == 0 else [at_least(ClashKind.INDEX_RANGE, window, 2 * border, said)]
    channels = lost("channels") if found is None else found[0]
    return result(whole(input, axes, channels, sizes), needs=needs)


@layer("torch.nn.AdaptiveAvgPool{2,3}d")
@op(f"{FUNCTIONS}.adaptive_avg_pool{{2,3}}d")
def adaptive_mean(axes: Dimensions, input: Tensor, output_size: AnyValue) -> Answer:
    """A single mean is taken of any number of axes before those of the maps."""
    wanted = items_of(output_size)
    least = axes if wanted is None else axes + 1
    is_one = set(wanted or (output_size,)) == {Const(1)} and (input.rank or 0) >= least
    return at(tuple(range(-axes, 0)), "d -> 1") if is_one else _adapted(axes, input, output_size, FALSE)


@layer("torch.nn.AdaptiveAvgPool1d", "torch.nn.AdaptiveMaxPool{1,2,3}d")
@op(f"{FUNCTIONS}.adaptive_max_pool{{1,2,3}}d", f"{{{FUNCTIONS},torch}}.adaptive_avg_pool1d")
def adaptive_pool(axes: Dimensions, input: Tensor, output_size: AnyValue, return_indices: AnyValue = FALSE) -> Answer:
    """An axis given as None keeps its size."""
    return _adapted(axes, input, output_size, return_indices)


def _adapted(axes: Dimensions, input: Tensor, output_size: AnyValue, return_indices: AnyValue) -> Answer:
    if as_bool(return_indices) is not False:
        raise Blind("the places of the largest")
    found = of_maps(input, axes)
    kept = (lost("an axis"),) * (axes + 1) if found is None else found
    items = items_of(output_size)
    wanted = (output_size,) * axes if items is None else items
    if len(wanted) != axes:
        raise Blind("the size of the output")
    sizes = [_size(one, old) for one, old in zip(wanted, kept[1:], strict=True)]
    return whole(input, axes, kept[0], tuple(sizes))


@op(f"{FUNCTIONS}.adaptive_max_pool{{1,2,3}}d_with_indices", "torch.adaptive_max_pool1d", dtype="first,int64")
def adaptive_pool_with_places(axes: Dimensions, input: Tensor, output_size: AnyValue) -> Answer:
    found = adaptive_pool(axes, input, output_size)
    return result(found, found) if isinstance(found, Shape) else UNRANKED


def _size(said: Value, old: AnySize) -> AnySize:
    known = as_size(said)
    return old if said == NONE else lost("a size of the output") if known is None else known


# Padding -------------------------------------------------------------------------------------------------------------


@op(f"{FUNCTIONS}.pad")
def pad(input: Tensor, pad: AnyValue, mode: Text = "constant", value: AnyValue = NONE) -> Answer:
    """There are two widths for an axis, the last axis first."""
    widths = as_sizes(pad)
    if widths is None or input.rank is None:
        return UNRANKED if input.rank is None else Shape(tuple(lost("padding") for _ in input.shape.head))
    return _bordered(input, widths, mode)


def _bordered(input: Tensor, widths: tuple[AnySize, ...], mode: Text) -> Answer:
    if mode in ("reflect", "replicate", "circular"):
        of_maps(input, len(widths) // 2)
    return _padded(input, widths, {"reflect": 1, "circular": 0}.get(mode))


def _padded(input: Tensor, widths: tuple[AnySize, ...], more: int | None = None) -> Answer:
    """Return the padded shape; where the borders are copies, an axis has as many elements as its widths, and `more`."""
    if len(widths) % 2 or len(widths) // 2 > len(input.shape.head):
        said = f"there are {len(widths)} widths, {input.name} has rank {len(input.shape.head)}"
        raise Refused(ClashKind.RANK, said)
    sizes, needs = list(input.shape.head), []
    for place, (before, after) in enumerate(zip(widths[::2], widths[1::2], strict=True)):
        axis = len(sizes) - 1 - place
        if more is not None:
            needs += [_copied(input, axis, width, more) for width in (before, after)]
        sizes[axis] = sizes[axis] + before + after
        needs.append(at_least(ClashKind.NEGATIVE_SIZE, sizes[axis], 0, f"axis {axis} becomes {sizes[axis]}"))
    return result(Shape(tuple(sizes)), needs=needs)


def _copied(input: Tensor, axis: int, width: AnySize, more: int) -> Need:
    size = input.shape.head[axis]
    said = f"{input.name} has {size} elements on axis {axis}, which are too few for a copy of {width}"
    return at_least(ClashKind.NEGATIVE_SIZE, size, width + more, said)


@layer("torch.nn.{Zero,Replication,Constant}Pad{1,2,3}d")
def padding(axes: Dimensions, input: Tensor, padding: AnyValue) -> Answer:
    return _padded_by(axes, input, padding)


@layer("torch.nn.ReflectionPad{1,2,3}d")
def reflected(axes: Dimensions, input: Tensor, padding: AnyValue) -> Answer:
    return _padded_by(axes, input, padding, 1)


@layer("torch.nn.CircularPad{1,2,3}d")
def wrapped(axes: Dimensions, input: Tensor, padding: AnyValue) -> Answer:
    return _padded_by(axes, input, padding, 0)


def _padded_by(axes: Dimensions, input: Tensor, padding: AnyValue, more: int | None = None) -> Answer:
    one, several = as_size(padding), as_sizes(padding)
    widths = (one,) * (2 * axes) if one is not None else several
    if widths is None or input.rank is None:
        raise Blind("the widths")
    of_maps(input, axes)
    return _padded(input, tuple(widths), more)


# Resizing ------------------------------------------------------------------------------------------------------------


@layer("torch.nn.{Upsample,UpsamplingNearest2d,UpsamplingBilinear2d}")
@op(f"{FUNCTIONS}.{{interpolate,upsample,upsample_nearest}}")
def interpolate(input: Tensor, size: AnyValue = NONE, scale_factor: AnyValue = NONE, mode: Text = "nearest") -> Answer:
    """All axes after the channels are resized, to a size or by a factor. Some modes are for one number of axes."""
    wanted = RANKS.get(mode)
    if wanted is not None and input.rank not in (None, wanted):
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, mode {mode!r} needs {wanted}")
    return _resized(input, size, scale_factor)


@op(f"{FUNCTIONS}.upsample_bilinear")
def upsample_bilinear(input: Tensor, size: AnyValue = NONE, scale_factor: AnyValue = NONE) -> Answer:
    return interpolate(input, size, scale_factor, "bilinear")


RANKS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}


def _resized(input: Tensor, size: AnyValue, scale_factor: AnyValue) -> Answer:
    if input.rank is None:
        return UNRANKED
    if input.rank not in (3, 4, 5):
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, not 3, 4 or 5")
    axes = input.rank - 2
    if size != NONE:
        sizes: tuple[AnySize, ...] = spread(size, axes)
        several = as_sizes(size)
        if several is not None and len(several) != axes:
            raise Refused(ClashKind.RANK, f"{len(several)} sizes are given, there are {axes} spatial axes")
    else:
        sizes = tuple(
            _scaled(old, one) for old, one in zip(input.shape.head[2:], _factors(scale_factor, axes), strict=True)
        )
    if any(isinstance(size, int) and size < 1 for size in sizes):
        raise Refused(ClashKind.NEGATIVE_SIZE, f"the resized axes are {Shape(sizes)}, each must have an element")
    return Shape((*input.shape.head[:2], *sizes))


def _factors(said: Value, axes: int) -> tuple[Value, ...]:
    items = items_of(said)
    return (said,) * axes if items is None or len(items) != axes else items


def _scaled(size: AnySize, factor: Value) -> AnySize:
    known = as_size(factor)
    if known is not None:
        return size * known
    if isinstance(factor, Const) and isinstance(factor.value, float) and isinstance(size, int):
        return int(size * factor.value)
    if isinstance(factor, Const) and isinstance(factor.value, float) and factor.value.is_integer():
        return size * int(factor.value)
    return lost("a scaled axis")


@layer("torch.nn.PixelShuffle")
@op("torch.pixel_shuffle", f"{FUNCTIONS}.pixel_shuffle")
def pixel_shuffle(input: Tensor, upscale_factor: Size) -> Answer:
    return "*B c h w -> *B (c // (r * r)) (h * r) (w * r)", {"r": upscale_factor}, "c % (r * r) == 0"


@layer("torch.nn.PixelUnshuffle")
@op("torch.pixel_unshuffle", f"{FUNCTIONS}.pixel_unshuffle")
def pixel_unshuffle(input: Tensor, downscale_factor: Size) -> Answer:
    sized = {"r": downscale_factor}
    return "*B c h w -> *B (c * r * r) (h // r) (w // r)", sized, "h % r == 0", "w % r == 0"
