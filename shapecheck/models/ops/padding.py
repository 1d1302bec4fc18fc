"""Padding with a width for each side."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import as_size, as_sizes, items_of
from shapecheck.models.lang import Answer, AnyValue, Blind, Tensor, op, result
from shapecheck.models.lang.constraints import Refused, at_least
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size


@op("tf.pad", "keras.ops.pad")
def pad(tensor: Tensor, paddings: AnyValue) -> Answer:
    """There is one pair of widths per axis."""
    pairs = _pairs(paddings)
    if pairs is None or not pairs:
        return UNRANKED if not tensor.rank else _blurred(tensor.rank)
    return _padded(tensor, pairs)


@op("np.pad")
def np_pad(array: Tensor, pad_width: AnyValue) -> Answer:
    """The width is a number, a pair, or one pair per axis."""
    if not array.rank:
        return UNRANKED
    pairs = _spread(pad_width, array.rank)
    return _blurred(array.rank) if pairs is None else _padded(array, pairs)


def _spread(width: AnyValue, rank: int) -> list[tuple[Size, Size]] | None:
    """Return one pair of widths for each axis; one may be given for all."""
    single = as_size(width)
    pair = (single,) if single is not None else as_sizes(width)
    if pair is not None and len(pair) in (1, 2):
        return [(pair[0], pair[-1])] * rank
    pairs = _pairs(width)
    return pairs * rank if pairs is not None and len(pairs) == 1 else pairs


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
        return Shape(tuple(lost() for _ in pairs))
    if len(pairs) != tensor.rank:
        raise Refused(ClashKind.RANK, f"there are {len(pairs)} pairs of widths, {tensor.name} has rank {tensor.rank}")
    needs = [
        at_least(ClashKind.NEGATIVE_SIZE, width, 0, f"a width of padding is {width}, at least 0 is needed")
        for pair in pairs
        for width in pair
    ]
    sizes = zip(tensor.shape.head, pairs, strict=True)
    return result(Shape(tuple(size + before + after for size, (before, after) in sizes)), needs=needs)


def _blurred(rank: int) -> Shape:
    return Shape(tuple(lost() for _ in range(rank)))
