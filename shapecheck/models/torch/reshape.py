"""Views and other rearrangements of axes and elements."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Blind,
    Need,
    Ranked,
    Refused,
    ShapeArg,
    Size,
    Sizes,
    Tensor,
    also,
    at,
    equal,
    op,
    result,
)
from shapecheck.models.lang.apply import joined
from shapecheck.models.lang.axis_positions import in_order, instead, place_of
from shapecheck.models.ops import reshape as of_numpy
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import product

BOTH = "{torch,torch.Tensor}"


@op("torch.reshape")
@op("torch.Tensor.{view,reshape}", varargs="shape", oracle="none: a method")
def view(input: Tensor, shape: ShapeArg) -> Answer:
    """The number of elements stays, and a -1 is inferred. Whether a view can be made is not judged."""
    return of_numpy.reshape(input, shape)


@op("torch.Tensor.resize_", varargs="sizes", oracle="none: changes its operand")
def resize(input: Tensor, sizes: ShapeArg) -> Answer:
    """Elements are dropped, or of any value."""
    return sizes


@op("torch.Tensor.resize_as_", oracle="none: changes its operand")
def resize_as(input: Tensor, the_template: Tensor) -> Answer:
    return the_template.shape


@op("torch.Tensor.{view_as,reshape_as}", oracle="none: a method")
def view_as(input: Tensor, other: Tensor) -> Answer:
    return of_numpy.reshape(input, other.shape)


@op("torch.flatten", "torch.Tensor.flatten")
def flatten(input: Tensor, start_dim: Axis = 0, end_dim: Axis = -1) -> Answer:
    return flattened(input, start_dim, end_dim)


def flattened(input: Tensor, start: int, end: int) -> Answer:
    """Return the shape with some axes merged; a scalar becomes a vector."""
    if input.rank == 0 and {start, end} <= {0, -1}:
        return Shape((1,))
    if input.rank is None and (start, end) != (1, -1):
        return UNRANKED
    if input.rank is None:
        return "b *S -> b (prod(S))"
    first, last = place_of(input, start), place_of(input, end)
    if first > last:
        raise Refused(ClashKind.AXIS_RANGE, f"start_dim {start} comes after end_dim {end}")
    sizes = input.shape.head
    merged = (*sizes[:first], product(sizes[first : last + 1]), *sizes[last + 1 :])
    return result(Shape(merged), nature=input.nature)


@op("torch.ravel", "torch.Tensor.ravel")
def ravel(input: Tensor) -> Answer:
    return "*S -> (prod(S))"


@op("torch.unflatten", "torch.Tensor.unflatten")
def unflatten(input: Ranked, dim: Axis, sizes: ShapeArg) -> Answer:
    """One axis becomes several, of which one may be -1."""
    return _unflattened(input, dim, sizes)


def _unflattened(input: Ranked, dim: Axis, sizes: ShapeArg) -> Answer:
    place = place_of(input, dim)
    if sizes.tail is not None:
        raise Blind("the sizes")
    one = Tensor(input.name, Shape((input.shape.head[place],)), input.dtype)
    shape, hole = of_numpy.with_hole(one, sizes)
    full, needs = of_numpy.filled(one, shape, hole)
    return result(instead(input.shape, place, full), needs=needs)


@op("torch.unsqueeze", "torch.Tensor.{unsqueeze,unsqueeze_}")
def unsqueeze(input: Tensor, dim: Axis) -> Answer:
    return at(dim, "-> 1"), also(nature=input.nature)


@op("torch.squeeze", "torch.Tensor.{squeeze,squeeze_}")
def squeeze(input: Tensor, dim: Axes = None) -> Answer:
    """Axes of another size than 1 stay, also where they are named."""
    return _squeezed(input, dim)


def _squeezed(input: Tensor, dim: Axes) -> Answer:
    if dim is None:
        return of_numpy.without_ones(input)
    if input.rank is None:
        return UNRANKED
    if input.rank == 0 and {*dim} <= {0, -1}:
        return input.shape
    places = {place_of(input, axis) for axis in dim}
    if len(places) < len(dim):
        raise Refused(ClashKind.AXIS_RANGE, f"dim {dim} names an axis twice")
    sizes = [(axis, size) for axis, size in enumerate(input.shape.head) if axis not in places or size != 1]
    if any(axis in places and not _is_over_one(size) for axis, size in sizes):
        return UNRANKED
    nature = input.nature if len(sizes) < 2 else ""  # what a layer gives for each step may have its steps first
    return result(Shape(tuple(size for _, size in sizes)), nature=nature)


def _is_over_one(size: AnySize) -> bool:
    low = size if isinstance(size, int) else size.low()
    return low is not None and (low > 1 or size == 0)


@op("torch.permute")
@op("torch.Tensor.permute", varargs="dims", oracle="none: a method")
def permute(input: Tensor, dims: Axes) -> Answer:
    return of_numpy.transpose(input, dims) if dims is not None else UNRANKED


@op(f"{BOTH}.{{transpose,swapaxes,swapdims}}", "torch.Tensor.{transpose_,swapaxes_,swapdims_}")
def transpose(input: Ranked, dim0: Axis, dim1: Axis) -> Answer:
    return _swapped(input, dim0, dim1)


def _swapped(input: Ranked, dim0: Axis, dim1: Axis) -> Answer:
    if input.rank == 0 and {dim0, dim1} <= {0, -1}:
        return input.shape
    order = list(range(input.rank))
    one, other = place_of(input, dim0), place_of(input, dim1)
    order[one], order[other] = order[other], order[one]
    return in_order(input.shape, order)


@op(f"{BOTH}.adjoint")
def adjoint(input: Tensor) -> Answer:
    return "*B m n -> *B n m"


@op("torch.Tensor.sum_to_size", varargs="size", oracle="none: a method")
def sum_to_size(input: Tensor, size: ShapeArg) -> Answer:
    """The tensor is summed to what it was stretched from."""
    return size


@op(f"{BOTH}.as_strided", "torch.Tensor.as_strided_", oracle="none: strides")
@op("torch.{empty_strided,empty_permuted}", dtype="?", oracle="none: strides")
def as_strided(input: AnyValue, size: ShapeArg | None = None) -> Answer:
    raise Blind("strides")


@op(f"{BOTH}.t", "torch.Tensor.t_")
def turned(input: Tensor) -> Answer:
    """A matrix is transposed; vectors and scalars stay."""
    if input.rank is not None and input.rank > 2:
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, not at most 2")
    return "m n -> n m" if input.rank == 2 else "*S -> *S" if input.rank is not None else UNRANKED


@op("torch.movedim", "torch.moveaxis", "torch.Tensor.{movedim,moveaxis}")
def movedim(input: Ranked, source: Axes, destination: Axes) -> Answer:
    is_pair = source is not None and destination is not None and len(source) == len(destination) == 1
    is_kept = input.rank == 0 and is_pair and {*(source or ()), *(destination or ())} <= {0, -1}
    return input.shape if is_kept else of_numpy.moveaxis(input, source, destination)


@op("torch.Tensor.expand", varargs="sizes", oracle="none: a method")
def expand(input: Tensor, sizes: ShapeArg) -> Answer:
    """Axes of size 1 are stretched; -1 keeps a size."""
    return expanded(input, sizes)


@op("torch.Tensor.expand_as", oracle="none: a method")
def expand_as(input: Tensor, other: Tensor) -> Answer:
    return expanded(input, other.shape)


@op("torch.broadcast_to", "torch.Tensor.broadcast_to")
def broadcast_to(input: Tensor, size: ShapeArg) -> Answer:
    return expanded(input, size)


def expanded(input: Tensor, sizes: ShapeArg) -> Answer:
    if input.rank is None or sizes.tail is not None:
        raise Blind("a rank")
    extra = len(sizes.head) - input.rank
    if extra < 0:
        said = f"{len(sizes.head)} sizes are given, {input.name} has rank {input.rank}"
        raise Refused(ClashKind.RANK, said)
    made: list[AnySize] = list(sizes.head[:extra])
    needs: list[Need] = []
    if any(size == -1 for size in made):
        raise Refused(ClashKind.NEGATIVE_SIZE, "the size of a new axis is -1")
    for axis, (size, wanted) in enumerate(zip(input.shape.head, sizes.head[extra:], strict=True)):
        made.append(size if wanted == -1 else wanted)
        if wanted not in (-1, size):
            said = f"{input.name} has {size} on axis {axis}, which cannot be expanded to {wanted}"
            needs.append(Need(ClashKind.BROADCAST, AnyOf((Equal(size, 1), Equal(size, wanted))), said))
    return result(Shape(tuple(made)), needs=needs)


@op("torch.tile")
@op("torch.Tensor.tile", varargs="dims", oracle="none: a method")
def tile(input: Tensor, dims: ShapeArg) -> Answer:
    return of_numpy.np_tile(input, dims)


@op("torch.Tensor.repeat", varargs="repeats", oracle="none: a method")
def repeat(input: Tensor, repeats: ShapeArg) -> Answer:
    """There is a number of repetitions for each axis, and for each new one."""
    if input.rank is not None and repeats.tail is None and len(repeats.head) < input.rank:
        said = f"{len(repeats.head)} repetitions are given, {input.name} has rank {input.rank}"
        raise Refused(ClashKind.RANK, said)
    return of_numpy.np_tile(input, repeats)


@op("torch.repeat_interleave", "torch.Tensor.repeat_interleave")
def repeat_interleave(input: Tensor, repeats: Sizes, dim: Axis | None = None) -> Answer:
    if input.rank == 0 and dim is not None:
        raise Blind("a number")
    return of_numpy.repeat(input, repeats, dim)


@op(f"{BOTH}.fliplr")
def fliplr(input: Tensor) -> Answer:
    return "m n *S -> m n *S"


@op(f"{BOTH}.flipud")
def flipud(input: Tensor) -> Answer:
    return "n *S -> n *S"


@op("torch.flip")
@op("torch.Tensor.flip", varargs="dims", oracle="none: a method")
def flip(input: Tensor, dims: Axes = None) -> Answer:
    is_kept = dims is None or (input.rank == 0 and dims in ((0,), (-1,)))
    return "*S -> *S" if is_kept else at(dims, "d -> d")


@op(f"{BOTH}.roll")
def roll(input: Tensor, shifts: Sizes, dims: Axes = None) -> Answer:
    return _rolled(shifts, dims)


def _rolled(shifts: Sizes, dims: Axes) -> Answer:
    if dims is None:
        return "*S -> *S"
    if shifts.known is not None and len(shifts.known) != len(dims):
        raise Refused(ClashKind.AXIS, f"{len(shifts.known)} shifts are given for {len(dims)} axes")
    return at(dims, "d -> d")


@op(f"{BOTH}.{{tril,triu}}", "torch.Tensor.{tril_,triu_}")
def triangle(input: Tensor, diagonal: Size = 0) -> Answer:
    return "*B m n -> *B m n"


@op(f"{BOTH}.narrow")
def narrow(input: Ranked, dim: Axis, start: Size, length: Size) -> Answer:
    place = place_of(input, dim)
    return instead(input.shape, place, Shape((length,))), *_inside(input, place, start, length)


def _inside(input: Tensor, place: int, start: AnySize, length: AnySize) -> list[Need]:
    size = input.shape.head[place]
    if not (isinstance(start, int) and start >= 0 and isinstance(length, int) and isinstance(size, int)):
        return []
    said = f"{length} from {start} are more than the {size} on axis {place} of {input.name}"
    return [] if start + length <= size else [equal(ClashKind.INDEX_RANGE, 0, 1, said)]


@op("torch.Tensor.unfold", oracle="none: a method")
def unfolded(input: Ranked, dimension: Axis, size: Size, step: Size) -> Answer:
    """Windows of an axis: their number stays in its place, the window is the last axis."""
    return _windows(input, dimension, size, step)


def _windows(input: Ranked, dimension: Axis, size: Size, step: Size) -> Answer:
    place = place_of(input, dimension)
    count = (input.shape.head[place] - size) // step + 1 if step != 0 else None
    if count is None:
        raise Blind("a step of 0")
    return joined([instead(input.shape, place, Shape((count,))), Shape((size,))])
