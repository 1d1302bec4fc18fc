"""Pooling of `tf.nn`."""

from __future__ import annotations

from typing import Any, Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Value
from shapecheck.models.lang import Answer, AnyValue, Blind, Dimensions, Maps, Sizes, Target, Tensor, Text, op
from shapecheck.models.lang.constraints import Refused

ANY = Target()
Padding = Literal["SAME", "VALID"]
Padded = Literal["SAME", "VALID"] | AnyValue  # a list of widths for each axis


def pooled(axes: int, ksize: Sizes, strides: Sizes, padding: str | Value, data_format: str | None) -> tuple[Any, ...]:
    maps = Maps.of(axes, data_format)
    return maps("n h.. c -> n H.. c"), *maps.window(ksize, strides, padding, may_be_empty=True)


@op("tf.nn.{max_pool,avg_pool}", was={"value": "input"})
def pool(
    input: Tensor,
    ksize: Sizes,
    strides: Sizes,
    padding: Padded,
    data_format: Text | None = None,
    target: Target = ANY,
) -> Answer:
    axes = _axes(input, target)
    if data_format and input.rank not in (None, len(data_format)):
        raise Refused(ClashKind.RANK, f"{data_format} is not a format for {input.name} {input.shape}")
    return pooled(axes, ksize, strides, padding, data_format)


@op("tf.nn.{max_pool,avg_pool}_v2", was={"value": "input"})
def pool_v2(input: Tensor, ksize: Sizes, strides: Sizes, padding: Padded, data_format: Text | None = None) -> Answer:
    """Pooling of TensorFlow 2, which late releases of TensorFlow 1 have too."""
    return pool(input, ksize, strides, padding, data_format)


def _axes(input: Tensor, target: Target) -> int:
    """Return the spatial axes; since TensorFlow 2, the rank determines their number."""
    if target.tensorflow == 1:
        return 2
    if input.rank is None:
        raise Blind("how many spatial axes there are")
    return input.rank - 2 if input.rank in (3, 5) else 2


@op("tf.nn.{max,avg}_pool{1,2,3}d", was={"value": "input"})
def pool_of_axes(
    axes: Dimensions,
    input: Tensor,
    ksize: Sizes,
    strides: Sizes,
    padding: Padded,
    data_format: Text | None = None,
) -> Answer:
    return pooled(axes, ksize, strides, padding, data_format)


@op("tf.nn.max_pool_with_argmax", was={"value": "input"}, returns="tuple", dtype=",int64")
def max_pool_with_argmax(input: Tensor, ksize: Sizes, strides: Sizes, padding: Padding) -> Answer:
    return "n h w c -> n H W c, n H W c", *Maps(2).window(ksize, strides, padding, may_be_empty=True)
