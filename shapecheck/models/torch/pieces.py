"""Parts of tensors and their replacement, copies instead of views, and tables of pairs."""

from __future__ import annotations

import itertools
from math import comb

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Value, as_size, as_sizes
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Context,
    Dimensions,
    Flag,
    Ranked,
    Refused,
    ShapeArg,
    Size,
    Tensor,
    Tensors,
    also,
    behaviour,
    op,
    result,
)
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import broadcasting
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import product

BOTH = "{torch,torch.Tensor}"
MOST_PARTS = 64


@op(f"{BOTH}.tensor_split", returns="tuple")
def tensor_split(input: Ranked, indices_or_sections: AnyValue, dim: Axis = 0) -> Answer:
    """A number is how many parts there are, the first of which are one larger than the others."""
    return _split(input, indices_or_sections, dim)


def _split(input: Ranked, told: Value, dim: Axis) -> Answer:
    place, count, places = place_of(input, dim), as_size(told), as_sizes(told)
    size = input.shape.head[place]
    if isinstance(count, int) and isinstance(size, int) and 0 < count <= MOST_PARTS:
        widths: list[AnySize] = [size // count + (at < size % count) for at in range(count)]
    elif places is not None and isinstance(size, int) and all(isinstance(each, int) and each >= 0 for each in places):
        ends = [0, *(min(int(str(each)), size) for each in places), size]
        widths = [max(0, high - low) for low, high in itertools.pairwise(ends)]
    else:
        raise Blind("how many parts")
    return result(*[instead(input.shape, place, Shape((width,))) for width in widths])


@op(f"{BOTH}.{{hsplit,vsplit,dsplit}}", returns="tuple", oracle="none: as tensor_split")
def split_evenly(input: Ranked, indices_or_sections: AnyValue) -> Answer:
    raise Blind("the axis")


@op(f"{BOTH}.{{split_with_sizes,unsafe_split_with_sizes}}", returns="tuple", oracle="none: as split")
def split_with_sizes(input: Ranked, split_sizes: AnyValue, dim: Axis = 0) -> Answer:
    widths, place = as_sizes(split_sizes), place_of(input, dim)
    if widths is None:
        raise Blind("the sizes of the parts")
    return result(*[instead(input.shape, place, Shape((width,))) for width in widths])


@op(f"{BOTH}.take_along_dim")
def take_along_dim(input: Tensor, indices: Tensor, dim: Axis | None = None) -> Answer:
    """Both broadcast beside the axis, along which there are as many as indices. Without an axis, both are vectors."""
    return _taken(input, indices, dim)


def _taken(input: Tensor, indices: Tensor, dim: Axis | None) -> Answer:
    if input.rank is None or indices.rank is None:
        return UNRANKED
    if dim is None:
        return "*S, *T -> (prod(T))"
    if input.rank != indices.rank:
        raise Refused(ClashKind.RANK, f"{indices.name} has rank {indices.rank}, {input.name} has rank {input.rank}")
    place = place_of(input, dim)
    along = Shape((indices.shape.head[place],))
    shape, needs = broadcasting(
        [instead(input.shape, place, along), indices.shape],
        f"{input.name} {input.shape} and {indices.name} {indices.shape} beside axis {place}",
    )
    return result(shape, needs=needs, dtype=input.dtype)


@op(
    f"{BOTH}.{{select_scatter,slice_scatter,diagonal_scatter,as_strided_scatter,slice_inverse}}",
    dtype="?",
    oracle="none: slices",
)
def with_part(input: Tensor, src: AnyValue = NONE) -> Answer:
    return "*S -> *S"


@op(f"{BOTH}.put", oracle="none: keeps its operand")
def put(input: Tensor) -> Answer:
    return "*S -> *S"


@op("torch.atleast_{1,2,3}d", oracle="none: of NumPy, for one tensor")
def at_least_axes(axes: Dimensions, input: AnyValue) -> Answer:
    """Tensors get axes of size 1; several are given back as a tuple."""
    if not isinstance(input, TensorValue) or input.shape.rank is None:
        raise Blind("several tensors")
    return _with_axes(input.shape, axes), also(dtype=input.dtype)


def _with_axes(shape: Shape, axes: int) -> Shape:
    head = shape.head
    if len(head) >= axes:
        return shape
    if axes < 3:
        return Shape((*[1] * (axes - len(head)), *head))
    return Shape((*[1] * (2 - len(head)), *head, 1))


@op("torch.cartesian_prod", varargs="tensors")
def cartesian_prod(tensors: Tensors) -> Answer:
    """A row for each choice of an element of each vector; the elements of a single vector are its own."""
    if tensors.repeat is not None or any(each.rank != 1 for each in tensors.items):
        return UNRANKED
    count = product(each.shape.head[0] for each in tensors.items)
    return Shape((count,)) if len(tensors.items) == 1 else Shape((count, len(tensors.items)))


@op(f"{BOTH}.combinations")
def combinations(input: Tensor, r: Size = 2, with_replacement: Flag = False) -> Answer:
    """A row for each set of elements of a vector."""
    return _sets(input, r, with_replacement)


def _sets(input: Tensor, r: AnySize, with_replacement: bool) -> Answer:
    size = input.shape.head[0] if input.rank == 1 else None
    if not isinstance(size, int) or not isinstance(r, int) or r < 1:
        raise Blind("how many sets there are")
    count = comb(size + r - 1, r) if with_replacement and size else comb(size, r)
    return Shape((count, r))


@op("torch.block_diag", varargs="tensors", dtype="promote")
def block_diag(tensors: Tensors) -> Answer:
    """Matrices in a row, along the diagonal; vectors are rows."""
    if tensors.repeat is not None or any(each.rank not in (1, 2) for each in tensors.items):
        return UNRANKED
    sizes = [(1, *each.shape.head)[-2:] for each in tensors.items]
    return Shape((sum((rows for rows, _ in sizes), 0), sum((columns for _, columns in sizes), 0)))


@behaviour("torch.broadcast_shapes")
def broadcast_shapes(ctx: Context, *shapes: Value) -> Value:
    return ctx.apply("np.broadcast_shapes", *shapes)


@op("torch.unravel_index", dtype="?", returns="tuple", oracle="none: indices in range")
def unravel_index(indices: Tensor, shape: ShapeArg) -> Answer:
    """An index for each axis."""
    if shape.tail is not None or not shape.head:
        raise Blind("the number of axes")
    return result(*[indices.shape] * len(shape.head))


@op("torch.histogram", "torch.Tensor.histogram")
def histogram(input: Tensor, bins: Size) -> Answer:
    """Counts, and the ends of the bins."""
    return result(Shape((bins,)), Shape((bins + 1,)))


@op("torch.gradient", dtype="?", oracle="none: a list for the axes that are asked for")
def gradient(input: Tensor) -> Answer:
    raise Blind("gradients along axes")
