"""Joining, splitting and picking: cat, stack, chunk, gather, scatter, index_select."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Seq, Value, as_size, as_sizes
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Context,
    Need,
    Ranked,
    Refused,
    Size,
    Tensor,
    Tensors,
    Text,
    also,
    at_least,
    behaviour,
    op,
    result,
)
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import equal, of_rank
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.ops import join as of_numpy
from shapecheck.models.ops.einsum import labelled
from shapecheck.models.ops.split import sized_parts
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import ceildiv

BOTH = "{torch,torch.Tensor}"
MOST_PARTS = 64


@op("torch.{cat,concat,concatenate}", dtype="promote", was={"axis": "dim"})
def cat(tensors: Tensors, dim: Axis = 0) -> Answer:
    """Empty vectors are left out."""
    if any(item.rank == 1 and item.shape.head[0] == 0 for item in tensors.items):
        return UNRANKED
    return of_numpy.concatenated(tensors, dim)


@op("torch.stack", dtype="promote")
def stack(tensors: Tensors, dim: Axis = 0) -> Answer:
    return of_numpy.stack(tensors, dim)


@op("torch.{vstack,row_stack}", dtype="promote")
def vstack(tensors: Tensors) -> Answer:
    return of_numpy.vstack(tensors)


@op("torch.hstack", dtype="promote")
def hstack(tensors: Tensors) -> Answer:
    return of_numpy.hstack(tensors)


@op("torch.{dstack}", dtype="promote")
def dstack(tensors: Tensors) -> Answer:
    return of_numpy.dstack(tensors)


@op("torch.column_stack", dtype="promote")
def column_stack(tensors: Tensors) -> Answer:
    return of_numpy.column_stack(tensors)


@op(f"{BOTH}.{{chunk,unsafe_chunk}}", returns="tuple")
def chunk(input: Ranked, chunks: Size, dim: Axis = 0) -> Answer:
    """Parts of the same size; the last may be smaller. There may be fewer of them, if the axis is that short."""
    return _chunks(input, chunks, dim)


def _chunks(input: Ranked, chunks: Size, dim: Axis) -> Answer:
    place = place_of(input, dim)
    size = input.shape.head[place]
    if not isinstance(chunks, int) or not 0 < chunks <= MOST_PARTS:
        raise Blind("how many parts")
    if isinstance(size, int):
        width = max(1, -(-size // chunks))
        widths: list[AnySize] = [min(width, size - start) for start in range(0, size, width)] or [0] * chunks
    else:
        each = ceildiv(size, chunks)
        widths = [*[each] * (chunks - 1), size - each * (chunks - 1)]
    return result(*[instead(input.shape, place, Shape((width,))) for width in widths])


@op(f"{BOTH}.{{split,unsafe_split}}", returns="tuple")
def split(tensor: Ranked, split_size_or_sections: AnyValue, dim: Axis = 0) -> Answer:
    """A number is the size of each part, of which the last may be smaller."""
    return _parts(tensor, split_size_or_sections, dim)


def _parts(tensor: Ranked, split_size_or_sections: AnyValue, dim: Axis) -> Answer:
    place = place_of(tensor, dim)
    width, widths, size = as_size(split_size_or_sections), as_sizes(split_size_or_sections), tensor.shape.head[place]
    if isinstance(width, int) and isinstance(size, int) and width > 0 and size // width <= MOST_PARTS:
        parts = [min(width, size - start) for start in range(0, size, width)] or [0]
        return result(*[instead(tensor.shape, place, Shape((part,))) for part in parts])
    if width is not None or widths is None:
        raise Blind("how many parts")
    return sized_parts(tensor, widths, place)


@op(f"{BOTH}.unbind", returns="tuple")
def unbind(input: Ranked, dim: Axis = 0) -> Answer:
    return _entries(input, dim)


def _entries(input: Ranked, dim: Axis) -> Answer:
    place = place_of(input, dim)
    size = input.shape.head[place]
    if not isinstance(size, int) or size > MOST_PARTS:
        raise Blind("how many parts")
    return result(*[instead(input.shape, place, Shape(()))] * size)


@op("torch.meshgrid", varargs="tensors", returns="tuple")
def meshgrid(tensors: Tensors, indexing: Text = "ij") -> Answer:
    for tensor in tensors.items:
        of_rank(tensor, 0, 1)
    return of_numpy.meshgrid(tensors, "xy" if indexing == "xy" else "ij")


@op("torch.einsum", varargs="operands", dtype="promote")
def einsum(equation: Text, operands: Tensors) -> Answer:
    """Labelled axes of size 1 broadcast."""
    if operands.repeat is not None or any(1 in operand.shape.known for operand in operands.items):
        return UNRANKED
    return labelled(equation, operands.items)


# Picking -------------------------------------------------------------------------------------------------------------


@op(f"{BOTH}.index_select")
def index_select(input: Ranked, dim: Axis, index: Tensor) -> Answer:
    return _selected(input, dim, index)


def _selected(input: Ranked, dim: Axis, index: Tensor) -> Answer:
    if input.rank == 0:
        raise Blind("a number")
    if index.rank is not None and index.rank > 1:
        raise Refused(ClashKind.RANK, f"{index.name} has rank {index.rank}, not at most 1")
    count = index.shape.head[0] if index.rank == 1 else 1 if index.rank == 0 else lost()
    return result(instead(input.shape, place_of(input, dim), Shape((count,))), dtype=input.dtype)


@op(f"{BOTH}.gather")
def gather(input: Tensor, dim: Axis, index: Tensor) -> Answer:
    """The result has the shape of the index, which has as many axes, and is no larger on the others."""
    return index.shape, *_picks(input, dim, index), also(dtype=input.dtype)


@op("torch.Tensor.{scatter,scatter_,scatter_add,scatter_add_}", "torch.{scatter,scatter_add}")
def scatter(input: Tensor, dim: Axis, index: Tensor, src: AnyValue = NONE, value: AnyValue = NONE) -> Answer:
    """The source has at least the size of the index."""
    return _scattered(input, dim, index, src)


def _scattered(input: Tensor, dim: Axis, index: Tensor, src: AnyValue) -> Answer:
    needs = _picks(input, dim, index)
    if isinstance(src, TensorValue) and src.shape.rank and index.rank is not None:
        if src.shape.rank != index.rank:
            raise Refused(ClashKind.RANK, f"{index.name} has rank {index.rank}, the source has rank {src.shape.rank}")
        needs += _no_larger(index.shape, src.shape, f"{index.name} {index.shape} is larger than the source {src.shape}")
    return input.shape, *needs, also(dtype=input.dtype)


def _picks(input: Tensor, axis: int, index: Tensor) -> list[Need]:
    """Return the constraints of an index into one axis."""
    if input.rank is not None and (input.rank or axis not in (0, -1)):
        place_of(input, axis)
    if not input.rank or not index.rank:
        return []
    place = place_of(input, axis)
    if index.rank != input.rank:
        said = f"{index.name} has rank {index.rank}, {input.name} has rank {input.rank}"
        raise Refused(ClashKind.RANK, said)
    said = f"{index.name} {index.shape} is larger than {input.name} {input.shape} beside axis {place}"
    free = instead(input.shape, place, Shape((index.shape.head[place],)))
    return _no_larger(index.shape, free, said)


def _no_larger(small: Shape, large: Shape, said: str) -> list[Need]:
    pairs = zip(small.head, large.head, strict=False)
    return [at_least(ClashKind.AXIS, high, low, said) for low, high in pairs if low != high]


@op(f"{BOTH}.take")
def take(input: Tensor, index: Tensor) -> Answer:
    return index.shape, also(dtype=input.dtype)


@op("torch.nn.functional.one_hot", dtype="int64")
def one_hot(tensor: Tensor, num_classes: Size = -1) -> Answer:
    classes = lost("the largest class") if num_classes == -1 else num_classes
    return "*S -> *S {n}", {"n": classes}, also(nature="one-hot")


@op("torch.embedding", dtype="first", oracle="none: as in nn.functional")
def embedded(weight: Tensor, indices: Tensor) -> Answer:
    return "n d, *S -> *S d"


@op("torch.nn.functional.embedding", dtype="last")
def embedding(input: Tensor, weight: Tensor) -> Answer:
    return "*S, n d -> *S d"


@op(f"{BOTH}.{{index_add,index_copy}}", "torch.Tensor.{index_add_,index_copy_}", dtype="first")
def index_add(input: Tensor, dim: Axis, index: Tensor, source: Tensor) -> Answer:
    """There is an index for each part of the source, whose other axes are those of the input."""
    _refuse_table(index)
    return _added(input, place_of(input, dim) if input.rank else 0, index, source)


def _added(input: Tensor, place: int, index: Tensor, source: Tensor) -> Answer:
    if input.rank in (None, 0) or source.rank in (None, 0) or index.rank is None:
        return result(input.shape, needs=_of_number(index) if source.rank == 0 else [])
    return result(input.shape, needs=_fit(input, place, index, source))


def _refuse_table(index: Tensor) -> None:
    if index.rank is not None and index.rank > 1:
        raise Refused(ClashKind.RANK, f"{index.name} has rank {index.rank}, not 1")


def _of_number(index: Tensor) -> list[Need]:
    """Return the constraint for a number to be put in one place."""
    if index.rank != 1:
        return []
    count = index.shape.head[0]
    return [equal(ClashKind.AXIS, count, 1, f"{index.name} has {count} indices for a number")]


def _fit(input: Tensor, place: int, index: Tensor, source: Tensor) -> list[Need]:
    whole, given = input.shape.head, source.shape.head
    if len(whole) != len(given):
        raise Refused(ClashKind.RANK, f"{source.name} has rank {len(given)}, {input.name} has rank {len(whole)}")
    said = f"{index.name} has {index.shape} indices, {source.name} has {given[place]} on axis {place}"
    needs = [equal(ClashKind.AXIS, index.shape.head[0], given[place], said)] if index.rank == 1 else []
    for axis, (one, other) in enumerate(zip(whole, given, strict=True)):
        said = f"{input.name} has {one} on axis {axis}, {source.name} has {other}"
        needs += [] if axis == place else [equal(ClashKind.AXIS, one, other, said)]
    return needs


@behaviour(f"{BOTH}.index_put", f"{BOTH}.index_put_", "torch.Tensor.index_fill_")
def put(ctx: Context, self: Value, *rest: Value, **options: Value) -> Value:
    return self


@behaviour("torch.broadcast_tensors")
def broadcast_tensors(ctx: Context, *tensors: Value) -> Value:
    given = [tensor for tensor in tensors if isinstance(tensor, TensorValue)]
    if len(given) < len(tensors) or len(given) != 2:
        return ctx.lost("tensors that are broadcast")
    both = ctx.apply("torch.add", *given)
    if not isinstance(both, TensorValue):
        return ctx.lost("tensors that are broadcast")
    return Seq("tuple", tuple(tensor.with_shape(both.shape) for tensor in given))
