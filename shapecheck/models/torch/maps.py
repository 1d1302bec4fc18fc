"""Convolution and pooling of maps, whose channels come before their spatial axes, and which may have no batch."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Value, as_size, as_sizes, as_str
from shapecheck.models.lang import Need, Refused, Tensor, at_least, equal
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.claims import Divides
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, ceildiv, maximum

Maps = tuple[Size, ...]


def spread(value: Value, axes: int) -> Maps:
    """Return a size for each axis, of one for all of them or one for each."""
    one, several = as_size(value), as_sizes(value)
    if one is not None:
        return (one,) * axes
    if several is not None and len(several) in (1, axes):
        return tuple(several) * (axes if len(several) == 1 else 1)
    return tuple(lost("a size of a window") for _ in range(axes))


def of_maps(input: Tensor, axes: int, *, batched: bool = False) -> Maps | None:
    """Return channels and spatial sizes of an operand, which has these axes and a batch, or no batch; None where the
    rank is not known.
    """
    if input.shape.tail is not None:
        ends = input.shape.tail
        return None if len(ends) < axes + 1 else ends[-axes - 1 :]
    allowed = (axes + 2,) if batched else (axes + 1, axes + 2)
    if len(input.shape.head) not in allowed:
        said = " or ".join(map(str, allowed))
        raise Refused(ClashKind.RANK, f"{input.name} has rank {len(input.shape.head)}, not {said}")
    return input.shape.head[-axes - 1 :]


def whole(input: Tensor, axes: int, channels: Size, sizes: Maps) -> Shape:
    """Return the shape with other channels and spatial sizes, and the batch of the operand."""
    if input.shape.tail is not None:
        batch = input.shape.known[:1]
        return Shape((*batch, channels, *sizes)) if input.shape.min_rank > axes + 1 else Shape((), (channels, *sizes))
    return Shape((*input.shape.head[: len(input.shape.head) - axes - 1], channels, *sizes))


def has_channels(input: Tensor, found: Maps | None, wanted: Size) -> list[Need]:
    """Return the constraint for an operand to have as many channels as a kernel takes."""
    if found is None or found[0] == wanted:
        return []
    return [equal(ClashKind.AXIS, found[0], wanted, f"{input.name} has {found[0]} channels, not {wanted}")]


def divided(channels: Size, groups: Size, what: str) -> list[Need]:
    """Return the constraint that channels can be divided into groups."""
    if groups == 1:
        return []
    return [
        Need(ClashKind.AXIS, Divides(groups, channels), f"{channels} {what} cannot be divided into {groups} groups")
    ]


def slide(
    found: Maps | None, axes: int, kernel: Maps, stride: Value, padding: Value, dilation: Value, ceil: bool = False
) -> tuple[Maps, list[Need]]:
    """Return how many windows fit along each axis, and the constraints that one does."""
    if found is None:
        return tuple(lost("an axis that is not known") for _ in range(axes)), []
    if as_str(padding) == "same":
        return found[1:], []
    steps = kernel if stride == NONE else spread(stride, axes)
    gaps = spread(dilation, axes)
    wide = (0,) * axes if as_str(padding) == "valid" else spread(padding, axes)
    made: list[Size] = []
    needs = []
    for size, window, step, gap, border in zip(found[1:], kernel, steps, gaps, wide, strict=True):
        span, length = (window - 1) * gap + 1, size + 2 * border
        made.append(_count(length, span, step, size + border, ceil))
        least = span - step + 1 if ceil else span
        said = f"a window of {span} does not fit into {size}{'' if border == 0 else ', with its padding'}"
        needs.append(at_least(ClashKind.NEGATIVE_SIZE, length, least, said))
    return tuple(made), needs


def _count(length: Size, span: Size, step: Size, start: Size, ceil: bool) -> Size:
    """Return how many windows fit; with `ceil`, the last may reach over the end, but must begin inside."""
    if step == 0:
        return lost("a stride of 0")
    if not ceil:
        return (length - span) // step + 1
    if not all(isinstance(size, int) for size in (length, span, step, start)):
        return lost("windows that reach over the end")
    count = ceildiv(length - span, step) + 1
    return count - 1 if (count - 1) * step >= start else count  # type: ignore[operator]


def unslide(
    found: Maps | None, axes: int, kernel: Maps, stride: Value, padding: Value, more: Value, dilation: Value
) -> tuple[Maps, list[Need]]:
    """Return the sizes of what a transposed convolution gives, and the constraints on what is added to them."""
    if found is None:
        return tuple(lost("an axis that is not known") for _ in range(axes)), []
    said = (spread(value, axes) for value in (stride, padding, more, dilation))
    made: list[Size] = []
    needs = []
    for size, window, step, border, extra, gap in zip(found[1:], kernel, *said, strict=True):
        made.append((size - 1) * step - 2 * border + gap * (window - 1) + extra + 1)
        needs.append(at_least(ClashKind.NEGATIVE_SIZE, made[-1], 1, f"an axis becomes {made[-1]}"))
        words = f"output_padding {extra} is not smaller than the stride {step}"
        needs += [] if extra == 0 else [at_least(ClashKind.INDEX_RANGE, maximum(step, gap), extra + 1, words)]
    return tuple(made), needs
