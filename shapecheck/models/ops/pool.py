"""Pooling of tf.nn."""

from __future__ import annotations

from typing import Any, Literal

from shapecheck.models.lang import Answer, Dimensions, Sizes, Target, Tensor, Text, never, op, result, window
from shapecheck.shapes.shape import UNRANKED
from shapecheck.shapes.size import Size as AnySize

ANY = Target()
Padding = Literal["SAME", "VALID"]
AXES = {1: "w", 2: "h w", 3: "d h w"}


def pooled(axes: int, ksize: Sizes, strides: Sizes, padding: str, data_format: str | None) -> tuple[Any, ...]:
    first = bool(data_format and data_format.upper().startswith("NC"))
    names, kernels = AXES[axes], spatial(ksize, axes, first)
    before = f"n c {names}" if first else f"n {names} c"
    after = f"n c {names.upper()}" if first else f"n {names.upper()} c"
    steps = Sizes(spatial(strides, axes, first), strides.fresh)
    return f"{before} -> {after}", *window(names, kernels, steps, padding, may_be_empty=True)


def spatial(sizes: Sizes, axes: int, first: bool) -> tuple[AnySize, ...]:
    """The entries for the spatial axes; lists may have entries for batch and channels too."""
    if sizes.known is not None and len(sizes.known) == axes + 2:
        return sizes.known[2:] if first else sizes.known[1:-1]
    if sizes.known is not None and len(sizes.known) == 1:
        return sizes.known * axes
    return sizes.spread(axes)


@op("tf.nn.{max_pool,avg_pool,max_pool_v2,avg_pool_v2}", was={"value": "input"}, rung=2)
def pool(
    input: Tensor,
    ksize: Sizes,
    strides: Sizes,
    padding: Padding,
    data_format: Text | None = None,
    target: Target = ANY,
) -> Answer:
    """Since TensorFlow 2 the rank tells the number of spatial axes."""
    if input.rank is None and target.tensorflow != 1:
        return UNRANKED
    axes = input.rank - 2 if input.rank in (3, 5) and target.tensorflow != 1 else 2
    if data_format and input.rank is not None and len(data_format) != input.rank:
        return result(UNRANKED, needs=[never("rank", f"{data_format} is no format of {input.name} {input.shape}")])
    return pooled(axes, ksize, strides, padding, data_format)


@op("tf.nn.{max,avg}_pool{1,2,3}d", was={"value": "input"}, rung=2)
def pool_of_axes(
    axes: Dimensions,
    input: Tensor,
    ksize: Sizes,
    strides: Sizes,
    padding: Padding,
    data_format: Text | None = None,
) -> Answer:
    return pooled(axes, ksize, strides, padding, data_format)


@op("tf.nn.max_pool_with_argmax", was={"value": "input"}, returns="tuple", rung=2, dtype=",int64")
def max_pool_with_argmax(input: Tensor, ksize: Sizes, strides: Sizes, padding: Padding) -> Answer:
    kernels, steps = spatial(ksize, 2, False), Sizes(spatial(strides, 2, False), strides.fresh)
    return "n h w c -> n H W c, n H W c", *window("h w", kernels, steps, padding, may_be_empty=True)
