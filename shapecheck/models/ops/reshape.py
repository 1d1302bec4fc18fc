"""Rearrangement of axes and elements: reshape, transpose, squeeze, tile, pad and related functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import itemgetter

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Blind,
    Ranked,
    ShapeArg,
    Size,
    Sizes,
    Target,
    Tensor,
    Tensors,
    Text,
    also,
    at,
    never,
    op,
    result,
)
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.axis_positions import aligned, in_order, instead, place_of
from shapecheck.models.lang.constraints import Need, Refused, equal
from shapecheck.models.lang.maps import Maps
from shapecheck.models.lang.suspicious import reordered, squeezed_batch, turned
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.claims import Divides
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Expr, Kind, expr_of, product
from shapecheck.shapes.size import Size as AnySize

ROWS_FIRST = (NONE, Const("C"))


@op("{tf,np,keras.ops,keras.backend}.reshape", was={"newshape": "shape", "dims": "shape"})
@op("np.ndarray.reshape", varargs="shape", oracle="none: a method")
def reshape(tensor: Tensor, shape: ShapeArg, order: AnyValue = NONE) -> Answer:
    """The number of elements stays, and a -1 is inferred. With `order`, elements are moved on purpose."""
    shape, hole = with_hole(tensor, shape)
    full, needs = filled(tensor, shape, hole)
    notices = [*_rows(tensor.shape, full, hole), *reordered(tensor, full)] if order in ROWS_FIRST else []
    return result(full, needs=needs, notices=notices, nature=tensor.nature)


def _unknown(size: AnySize) -> AnySize:
    """Return -1 for every negative number, as NumPy reads it."""
    return -1 if isinstance(size, int) and size < 0 else size


def _is_array(tensor: Tensor) -> bool:
    return getattr(tensor.value, "library", "") == "np"


def with_hole(tensor: Tensor, shape: Shape) -> tuple[Shape, int | None]:
    """Return the shape, and the axis given as -1, if there is one; there cannot be two."""
    shape = shape.map(_unknown) if _is_array(tensor) else shape
    if shape.tail is not None:
        raise Blind("the rank of the shape")
    holes = [axis for axis, size in enumerate(shape.head) if size == -1]
    if len(holes) > 1:
        raise Refused(ClashKind.ELEMENTS, f"shape {shape} has more than one -1")
    return shape, holes[0] if holes else None


def filled(tensor: Tensor, shape: Shape, hole: int | None) -> tuple[Shape, list[Need]]:
    """Return the shape with the axis given as -1 inferred, and the constraint that the elements fill it."""
    total = None if _may_be_object(tensor) else tensor.shape.elements()
    if total is None:
        return shape if hole is None else instead(shape, hole, Shape((lost("what is left for a -1"),))), []
    rest = product(size for size in shape.head if size != -1)
    said = f"{tensor.name} has {total} elements, which do not fill {_written(shape)}"
    if hole is None:
        return shape, [equal(ClashKind.ELEMENTS, *_apart(total, rest), said)]
    left, needs = _left(total, rest, said)
    return instead(shape, hole, Shape((left,))), needs


def _may_be_object(tensor: Tensor) -> bool:
    """Return whether this is an item of an array that may hold other arrays."""
    return tensor.rank == 0 and tensor.dtype is None and _is_array(tensor)


def _left(total: AnySize, rest: AnySize, said: str) -> tuple[AnySize, list[Need]]:
    """Return the size of the axis given as -1."""
    if rest == 0:
        return lost(), [] if total == 0 else [equal(ClashKind.ELEMENTS, total, 0, said)]
    left = total // rest
    total, rest = _apart(total, rest)
    return left, [] if left * rest == total else [Need(ClashKind.ELEMENTS, Divides(rest, total), said)]


def _apart(total: AnySize, rest: AnySize) -> tuple[AnySize, AnySize]:
    """Return both without a common factor: programs do not reshape empty tensors on purpose."""
    if isinstance(total, int) or isinstance(rest, int):
        return total, rest
    factors = [Counter(atoms) for size in (total, rest) for atoms, _ in size.terms]
    shared = reduce(Counter.__and__, factors)
    for atom in shared.elements():
        total, rest = total // expr_of(atom), rest // expr_of(atom)
    return total, rest


def _rows(before: Shape, after: Shape, hole: int | None) -> list[tuple[ClashKind, str]]:
    """Return the notice of a reshape that changes the number of rows of a batch."""
    if hole != 0 or not before.head or before.tail is not None:
        return []
    rows, now = before.head[0], after.head[0]
    if isinstance(rows, int) or rows == now or {symbol.kind for symbol in rows.symbols()} != {Kind.DYNAMIC}:
        return []
    if isinstance(now, Expr) and not rows.symbols() <= now.symbols():
        return []
    return [(ClashKind.ROWS_CHANGED, f"{rows} rows become {now}")]


def _written(shape: Shape) -> str:
    return f"({', '.join(map(str, shape.head))}{',' if len(shape.head) == 1 else ''})"


@op("np.{ravel,ndarray.ravel,ndarray.flatten}", "keras.ops.ravel", "keras.backend.flatten")
def ravel(a: Tensor) -> Answer:
    return "*S -> (prod(S))"


@op("{tf,keras.ops}.expand_dims", was={"dim": "axis"})
def expand_dims(input: Tensor, axis: Axes) -> Answer:
    if axis is None or len(axis) > 1:
        raise Blind("several axes at once")
    return at(axis, "-> 1")


@op("np.expand_dims")
def np_expand_dims(a: Tensor, axis: Axes, target: Target = Target()) -> Answer:
    """Before NumPy 1.18, any axis is taken."""
    if target.numpy == 1 and a.rank is not None and any(not -a.rank <= each + 1 <= a.rank + 1 for each in axis or ()):
        return UNRANKED
    return at(axis, "-> 1")


@op("{tf,np,keras.ops,keras.backend}.squeeze", "np.ndarray.squeeze", was={"squeeze_dims": "axis"})
def squeeze(input: Tensor, axis: Axes = None) -> Answer:
    """Without `axis`, every axis of size 1 is removed; where a size is not known, neither is the rank."""
    if not axis:
        return without_ones(input)
    is_plain = input.rank != 0 and not _is_repeated(axis, input.rank)
    return (at(axis, "d ->"), *_ones(input, axis), also(nature=input.nature)) if is_plain else UNRANKED


def without_ones(input: Tensor) -> Answer:
    """Return the shape without its axes of size 1."""
    if input.shape.tail is not None:
        return result(UNRANKED, notices=squeezed_batch(input))
    known = [size for size in input.shape.head if size != 1]
    if all(isinstance(size, int) or _is_over_one(size) for size in known):
        return result(Shape(tuple(known)), nature=input.nature)
    return result(UNRANKED, notices=squeezed_batch(input))


def _is_repeated(axes: tuple[int, ...], rank: int | None) -> bool:
    """Return whether axes are repeated, or may be."""
    if rank is None:
        return len(axes) > 1
    return len({axis + rank if -rank <= axis < 0 else axis for axis in axes}) < len(axes)


def _is_over_one(size: AnySize) -> bool:
    low = size if isinstance(size, int) else size.low()
    return low is not None and low > 1


def _ones(input: Tensor, axes: tuple[int, ...]) -> list[Need]:
    sizes = [(axis, input.shape.size(axis)) for axis in axes]
    return [
        equal(ClashKind.AXIS, size, 1, f"{input.name} has {size} on axis {axis}, only 1 can be squeezed")
        for axis, size in sizes
        if size is not None
    ]


@op("{tf,np,keras.ops}.transpose", "keras.backend.permute_dimensions", was={"pattern": "axes", "perm": "axes"})
@op("np.permute_dims")
@op("np.ndarray.transpose", varargs="axes", oracle="none: a method")
def transpose(a: Tensor, axes: Axes = None) -> Answer:
    if axes is None:
        return result(_mirrored(a.shape), notices=turned(a))
    return in_order(a.shape, _permutation(a, axes)) if a.rank is not None else Shape(tuple(lost() for _ in axes))


def _mirrored(shape: Shape) -> Shape:
    """Return all axes in reverse order."""
    return Shape(shape.head[::-1]) if shape.tail is None else Shape(shape.tail[::-1], shape.head[::-1])


def _permutation(a: Tensor, axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the axes of a permutation, which contains each axis once."""
    if len(axes) != a.rank:
        raise Refused(ClashKind.RANK, f"the permutation has {len(axes)} entries, {a.name} has rank {a.rank}")
    if sorted(axis % a.rank for axis in axes if -a.rank <= axis < a.rank) != list(range(a.rank)):
        raise Refused(ClashKind.AXIS_RANGE, f"{list(axes)} is not a permutation of {a.rank} axes")
    return axes


@op("tf.{matrix_transpose,batch_matrix_transpose}", "{tf.linalg,np,np.linalg}.matrix_transpose", "tf.linalg.adjoint")
def matrix_transpose(a: Tensor) -> Answer:
    return "*B m n -> *B n m"


@op("np.{swapaxes,ndarray.swapaxes}", "keras.ops.swapaxes")
def swapaxes(a: Tensor, axis1: Axis, axis2: Axis) -> Answer:
    sizes, one, other = list(a.shape.head), place_of(a, axis1), place_of(a, axis2)
    sizes[one], sizes[other] = sizes[other], sizes[one]
    return Shape(tuple(sizes))


@op("{np,keras.ops}.moveaxis")
def moveaxis(a: Ranked, source: Axes, destination: Axes) -> Answer:
    return _moved(a, _moves(a.rank, source, destination))


def _moved(a: Ranked, places: Mapping[int, int]) -> Shape:
    """Return the shape after axes have moved to new positions; all others keep their order."""
    order = [axis for axis in range(a.rank) if axis not in places]
    for axis, place in sorted(places.items(), key=itemgetter(1)):
        order.insert(place, axis)
    return in_order(a.shape, order)


def _moves(rank: int, source: Axes, destination: Axes) -> dict[int, int]:
    """Return the new position of each of several axes."""
    if source is None or destination is None:
        raise Blind("which axes move")
    if len(source) != len(destination) or not all(-rank <= axis < rank for axis in (*source, *destination)):
        raise Refused(ClashKind.AXIS_RANGE, f"no such axes: {source} to {destination} in rank {rank}")
    places = {axis % rank: place % rank for axis, place in zip(source, destination, strict=True)}
    if len(set(places.values())) < len(source):
        raise Blind("axes that are named twice")
    return places


@op("np.rollaxis")
def rollaxis(a: Ranked, axis: Axis, start: Size = 0) -> Answer:
    """The axis is moved before the one at `start`, which may be the end."""
    place, before = place_of(a, axis), _gap(a, start)
    return _moved(a, {place: before - 1 if place < before else before})


def _gap(a: Ranked, place: AnySize) -> int:
    """Return a position between axes, counted from the front; there is one more than there are axes."""
    if not isinstance(place, int):
        raise Blind("where the axis goes")
    if not -a.rank <= place <= a.rank:
        raise Refused(ClashKind.AXIS_RANGE, f"place {place} is out of range: {a.name} has rank {a.rank}")
    return place + a.rank if place < 0 else place


@op("keras.backend.tile", oracle="none: versions differ")
def backend_tile(x: Tensor, n: ShapeArg) -> Answer:
    """Before version 2.4, the last axes are repeated where there are fewer numbers, which TensorFlow refuses."""
    if n.is_ranked and x.rank is not None and (n.rank or 0) > x.rank:
        raise Refused(ClashKind.RANK, f"n has {n.rank} entries, {x.name} has rank {x.rank}")
    return np_tile(x, n)


@op("tf.tile")
def tile(input: Tensor, multiples: ShapeArg) -> Answer:
    """Repeat the tensor along each axis."""
    if multiples.is_ranked and input.rank not in (multiples.rank, None):
        raise Refused(ClashKind.RANK, f"multiples has {multiples.rank} entries, {input.name} has rank {input.rank}")
    return np_tile(input, multiples)


@op("{np,keras.ops}.tile")
def np_tile(a: Tensor, reps: ShapeArg) -> Answer:
    """Either operand may have fewer axes than the other."""
    sizes, times = aligned(a.shape, reps)
    return Shape(tuple(size * by for size, by in zip(sizes, times, strict=True))), *_natural(reps)


@op("{tf,np,keras.ops}.repeat", "np.ndarray.repeat")
def repeat(a: Tensor, repeats: Sizes, axis: Axis | None = None) -> Answer:
    """Repeat each entry along an axis, or each element."""
    is_flat = axis is None or (a.rank == 0 and axis in (0, -1))
    length, needs = _repeated(a.shape.elements() if is_flat else a.shape.size(axis or 0), repeats)
    return "*S -> n" if is_flat else at(axis, "d -> n"), {"n": length}, *needs


def _repeated(size: AnySize | None, repeats: Sizes) -> tuple[AnySize, list[Need]]:
    """Return the number of entries after repetition, and the constraint that there is a count for each."""
    times = repeats.known
    if times is None:
        return lost(), []
    if repeats.is_single or len(times) == 1:
        return lost() if size is None else size * times[0], []
    needs = [equal(ClashKind.AXIS, size, len(times), f"repeats has {len(times)} entries")] if size is not None else []
    return sum(times[1:], times[0]) if times else 0, needs


@op("{tf,np,keras.ops}.broadcast_to")
def broadcast_to(input: Tensor, shape: ShapeArg) -> Answer:
    return shape, *stretches_to(input, shape), *_natural(shape)


def _natural(shape: Shape) -> list[Need]:
    return [
        never(ClashKind.NEGATIVE_SIZE, f"shape has the entry {size}, which is no size")
        for size in shape.head
        if isinstance(size, int) and size < 0
    ]


@op("np.atleast_1d", varargs="arys")
def atleast_1d(arys: Tensors) -> Answer:
    return result(*[a.shape if a.rank or a.rank is None else Shape((1,)) for a in arys.items])


@op("np.atleast_2d", varargs="arys")
def atleast_2d(arys: Tensors) -> Answer:
    return result(*[_in_plane(a.shape) for a in arys.items])


def _in_plane(shape: Shape) -> Shape:
    if shape.tail is not None:
        return shape if len(shape.head) > 1 else UNRANKED
    return Shape((1,) * (2 - len(shape.head)) + shape.head)


@op("np.atleast_3d", varargs="arys")
def atleast_3d(arys: Tensors) -> Answer:
    return result(*[_in_space(a.shape) for a in arys.items])


def _in_space(shape: Shape) -> Shape:
    sizes = shape.head
    if shape.tail is not None or len(sizes) > 2:
        return shape if len(sizes) > 2 else UNRANKED
    return Shape([(1, 1, 1), (1, *sizes, 1), (*sizes, 1)][len(sizes)])


@op(
    "np.{flip,roll}",
    "keras.ops.flip",
    "keras.backend.reverse",
    was={"axes": "axis"},
)
def roll(a: Tensor, shift: Sizes | None = None, axis: Axes = None) -> Answer:
    if axis and a.rank and _is_repeated(axis, a.rank):
        return UNRANKED
    return at(axis, "d -> d") if axis is not None else "*S -> *S"


@op("tf.roll", "keras.ops.roll")
def tf_roll(input: Tensor, shift: Sizes, axis: Axes = None) -> Answer:
    """There are as many shifts as axes; an axis may be named twice."""
    shifts = () if shift.known is None or axis is None else shift.known
    if shifts and axis and len(shifts) != len(axis):
        raise Refused(ClashKind.RANK, f"there are {len(shifts)} shifts for {len(axis)} axes")
    return at(tuple(dict.fromkeys(axis)), "d -> d") if axis and shifts else "*S -> *S"


@op("keras.ops.flipud")
def keras_flipud(x: Tensor) -> Answer:
    return "*S -> *S"


@op("np.flipud")
def flipud(m: Tensor) -> Answer:
    return "n *S -> n *S"


@op("np.fliplr")
def fliplr(m: Tensor) -> Answer:
    return "n m *S -> n m *S"


@op("keras.ops.fliplr")
def keras_fliplr(x: Tensor) -> Answer:
    """TensorFlow does not look for the axis of a number."""
    return UNRANKED if x.rank == 0 else "n m *S -> n m *S"


@op("tf.{reverse,reverse_v2}")
def reverse(tensor: Tensor, axis: Axes) -> Answer:
    """The axes are a list, also where there is one."""
    return at(axis, "d -> d") if axis is not None and tensor.rank else UNRANKED


@op("{np,keras.ops}.rot90")
def rot90(m: Tensor, k: Size = 1, axes: Axes = (0, 1)) -> Answer:
    """Return the array after so many quarter turns, each of which swaps two axes."""
    if not isinstance(k, int) or axes is None or len(axes) != 2:
        return UNRANKED
    one, other = _distinct(m, axes)
    return swapaxes(m, one, other) if k % 2 else m.shape


def _distinct(m: Tensor, axes: Sequence[int]) -> list[int]:
    """Return axes counted from the front; none of them may be named twice."""
    if m.rank is not None and m.rank < len(axes):
        raise Refused(ClashKind.RANK, f"{m.name} needs {len(axes)} axes")
    places = [place_of(m, axis) for axis in axes]
    if len(set(places)) < len(places):
        raise Refused(ClashKind.AXIS_RANGE, f"axes {tuple(axes)} names an axis of {m.name} twice")
    return places


def _too_small(block_size: int) -> Need:
    return never(ClashKind.NEGATIVE_SIZE, f"block_size is {block_size}, at least 2 is needed")


@op("tf.{space_to_depth,nn.space_to_depth}")
def space_to_depth(input: Tensor, block_size: Size, data_format: Text = "NHWC") -> Answer:
    if isinstance(block_size, int) and block_size < 2:
        return result(UNRANKED, needs=[_too_small(block_size)])
    maps = _pictures(data_format)
    return maps("b h.. c -> b {h // k}.. {c * k * k}"), {"k": block_size}, *maps.each("{h} % k == 0")


@op("tf.{depth_to_space,nn.depth_to_space}")
def depth_to_space(input: Tensor, block_size: Size, data_format: Text = "NHWC") -> Answer:
    if isinstance(block_size, int) and block_size < 2:
        return result(UNRANKED, needs=[_too_small(block_size)])
    maps = _pictures(data_format)
    return maps("b h.. c -> b {h * k}.. {c // (k * k)}"), {"k": block_size}, "c % (k * k) == 0"


def _pictures(data_format: str) -> Maps:
    if data_format not in ("NHWC", "NCHW"):
        raise Blind("channels in packs")
    return Maps.of(2, data_format)
