"""keras.ops: images unfolded into columns of windows and folded again; views, items and scattered values."""

from __future__ import annotations

from typing import Any

from shapecheck.domain.values import NONE, Value
from shapecheck.models.lang import Answer, AnyValue, Context, ShapeArg, Sizes, Tensor, behaviour, op
from shapecheck.models.lang.window import slid
from shapecheck.models.ops.einops import applied
from shapecheck.models.ops.query import viewed as view_of_array
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, product

ZERO: Any = 0
ONE: Any = 1


def _count(size: Size, kernel: Size, dilation: Size, margin: Size, stride: Size) -> Size:
    """Return the number of windows along an axis with padding at both ends."""
    return slid(size + 2 * margin, kernel, stride, "VALID", dilation)


@op("keras.ops.unfold")
def unfold(x: Tensor, kernel_size: Sizes, dilation: Sizes = ONE, padding: Sizes = ZERO, stride: Sizes = ONE) -> Answer:
    """Return a column for each window, the channels first."""
    high, wide = zip(*(sizes.spread(2) for sizes in (kernel_size, dilation, padding, stride)), strict=True)
    counts = {"H": lambda sizes: _count(sizes["h"], *high), "W": lambda sizes: _count(sizes["w"], *wide)}
    return "n c h w -> n (c * k) (H * W)", {"k": product(kernel_size.spread(2))}, counts, "H >= 0", "W >= 0"


@op("keras.ops.fold")
def fold(
    x: Tensor,
    output_size: Sizes,
    kernel_size: Sizes,
    dilation: Sizes = ONE,
    padding: Sizes = ZERO,
    stride: Sizes = ONE,
) -> Answer:
    """Add up overlapping windows."""
    along = zip(*(sizes.spread(2) for sizes in (output_size, kernel_size, dilation, padding, stride)), strict=True)
    counts = dict(zip("uv", (_count(*axis) for axis in along), strict=True))
    sizes = dict(zip("kHW", (product(kernel_size.spread(2)), *output_size.spread(2)), strict=True))
    return "n d l -> n (d // k) H W", "d % k == 0", "l == u * v", "u >= 0", "v >= 0", counts, sizes


@op("keras.ops.scatter", oracle="none: backends differ in which values fit")
def scatter(indices: Tensor, values: Tensor, shape: ShapeArg) -> Answer:
    return Shape(shape.head, shape.tail)


@op("keras.ops.view", oracle="none: the width of the elements decides")
def view(x: Tensor, dtype: AnyValue = NONE) -> Answer:
    return view_of_array(x, dtype)


@behaviour("keras.ops.get_item")
def get_item(ctx: Context, x: Value, key: Value) -> Value:
    return ctx.apply("np.ndarray.__getitem__", x, key)


@behaviour("keras.ops.rearrange")
def rearrange(ctx: Context, tensor: Value, pattern: Value, **axes_lengths: Value) -> Value:
    return applied(ctx, "rearrange", tensor, pattern, axes_lengths)
