"""Padding with a width per side."""

from __future__ import annotations

from shapecheck.models.lang import Answer, AnyValue, Blind, Tensor, never, op, result
from shapecheck.models.lang.needs import at_least
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, fresh
from shapecheck.values import as_size, as_sizes, items_of


@op("tf.pad", "keras.ops.pad", rung=3)
def pad(tensor: Tensor, paddings: AnyValue) -> Answer:
    """One pair of widths per axis."""
    pairs = _pairs(paddings)
    if pairs is None or not pairs:
        return UNRANKED if not tensor.rank else _blurred(tensor.rank)
    return _padded(tensor, pairs)


@op("np.pad", rung=3)
def np_pad(array: Tensor, pad_width: AnyValue) -> Answer:
    """A number, a pair, or one pair per axis."""
    rank = array.rank
    if not rank:
        return UNRANKED
    single = as_size(pad_width)
    if single is not None:
        return _padded(array, [(single, single)] * rank)
    pair = as_sizes(pad_width)
    if pair is not None and len(pair) in (1, 2):
        return _padded(array, [(pair[0], pair[-1])] * rank)
    pairs = _pairs(pad_width)
    if pairs is None:
        return _blurred(rank)
    return _padded(array, pairs * rank if len(pairs) == 1 else pairs)


def _pairs(value: AnyValue) -> list[tuple[Size, Size]] | None:
    items = items_of(value)
    if items is None:
        return None
    pairs = [as_sizes(item) for item in items]
    if any(pair is None for pair in pairs):
        return None
    if any(pair is not None and len(pair) != 2 for pair in pairs):
        raise Blind("widths that are no pairs")
    return [(pair[0], pair[1]) for pair in pairs if pair is not None]


def _padded(tensor: Tensor, pairs: list[tuple[Size, Size]]) -> Answer:
    if tensor.rank is None:
        return Shape(tuple(fresh("?", Kind.LOST) for _ in pairs))
    if len(pairs) != tensor.rank:
        said = f"there are {len(pairs)} pairs of widths, {tensor.name} has rank {tensor.rank}"
        return result(UNRANKED, needs=[never("rank", said)])
    needs = [at_least("negative-size", width, 0, f"a width is {width}") for pair in pairs for width in pair]
    sizes = zip(tensor.shape.head, pairs, strict=True)
    return result(Shape(tuple(size + before + after for size, (before, after) in sizes)), needs=needs)


def _blurred(rank: int) -> Shape:
    return Shape(tuple(fresh("?", Kind.LOST) for _ in range(rank)))
