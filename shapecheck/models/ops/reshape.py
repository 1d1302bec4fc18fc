"""Rearranging axes and elements: reshape, transpose, squeeze, tile, pad and their relatives."""

from __future__ import annotations

from collections import Counter
from functools import reduce

from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Blind,
    ShapeArg,
    Size,
    Sizes,
    Tensor,
    Tensors,
    also,
    at,
    never,
    op,
    result,
)
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.needs import Need, equal
from shapecheck.models.lang.suspicious import reordered, squeezed_batch, turned
from shapecheck.shapes.claims import Divides
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Expr, Kind, Symbol, expr_of, fresh, product
from shapecheck.shapes.size import Size as AnySize
from shapecheck.values import NONE, Const

ROWS_FIRST = (NONE, Const("C"))


@op("{tf,np,keras.ops,keras.backend}.reshape", was={"newshape": "shape", "dims": "shape"}, rung=3)
@op("np.ndarray.reshape", varargs="shape", rung=3, oracle="none: a method")
def reshape(tensor: Tensor, shape: ShapeArg, order: AnyValue = NONE) -> Answer:
    """As many elements as before; a -1 is what is left.  Who tells the order of the elements means how they move."""
    total = None if _may_be_object(tensor) else tensor.shape.elements()
    if shape.tail is not None:
        return UNRANKED
    holes = [axis for axis, size in enumerate(shape.head) if size == -1]
    if len(holes) > 1:
        return result(Shape(shape.head), needs=[never("elements", f"shape {shape} has more than one -1")])
    rest = product(size for size in shape.head if size != -1)
    if total is None:
        hole = fresh("?", Kind.LOST, why="what is left for a -1")
        return Shape(tuple(hole if size == -1 else size for size in shape.head))
    said = f"{tensor.name} has {total} elements, which do not fill {_written(shape)}"
    if not holes:
        needs = [equal("elements", *_apart(total, rest), said)]
        notices = reordered(tensor, shape) if order in ROWS_FIRST else []
        return result(shape, needs=needs, notices=notices, nature=tensor.nature)
    left, needs = _left(total, rest, said)
    full = Shape(tuple(left if size == -1 else size for size in shape.head))
    notices = [*_rows(tensor.shape, full, holes[0]), *reordered(tensor, full)] if order in ROWS_FIRST else []
    return result(full, needs=needs, notices=notices, nature=tensor.nature)


def _may_be_object(tensor: Tensor) -> bool:
    """Whether this is an item of an array that may hold other arrays."""
    return tensor.rank == 0 and tensor.dtype is None and getattr(tensor.value, "library", "") == "np"


def _left(total: AnySize, rest: AnySize, said: str) -> tuple[AnySize, list[Need]]:
    """The size of the axis given as -1."""
    if rest == 0:
        return fresh("?", Kind.LOST), [] if total == 0 else [equal("elements", total, 0, said)]
    left = total // rest
    total, rest = _apart(total, rest)
    return left, [] if left * rest == total else [Need("elements", Divides(rest, total), said)]


def _apart(total: AnySize, rest: AnySize) -> tuple[AnySize, AnySize]:
    """Both without the symbols that are factors of both: no program means to reshape only what is empty."""
    if isinstance(total, int) or isinstance(rest, int):
        return total, rest
    factors = [Counter(atoms) for size in (total, rest) for atoms, _ in size.terms]
    shared = reduce(Counter.__and__, factors)
    for atom in shared.elements():
        if isinstance(atom, Symbol):
            total, rest = total // expr_of(atom), rest // expr_of(atom)
    return total, rest


def _rows(before: Shape, after: Shape, hole: int) -> list[tuple[str, str]]:
    """The pattern of a reshape that changes the number of rows of a batch."""
    if hole or not before.head or before.tail is not None:
        return []
    rows, now = before.head[0], after.head[0]
    if isinstance(rows, int) or rows == now or {symbol.kind for symbol in rows.symbols()} != {Kind.DYNAMIC}:
        return []
    if isinstance(now, Expr) and not rows.symbols() <= now.symbols():
        return []
    return [("rows-changed", f"{rows} rows become {now}")]


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
def np_expand_dims(a: Tensor, axis: Axes) -> Answer:
    return at(axis, "-> 1")


@op("{tf,np,keras.ops,keras.backend}.squeeze", "np.ndarray.squeeze", was={"squeeze_dims": "axis"}, rung=3)
def squeeze(input: Tensor, axis: Axes = None) -> Answer:
    """Without `axis`, every axis of size 1 goes; where a size is not known, neither is the rank."""
    if axis:
        if input.rank == 0 or _is_repeated(axis, input.rank):
            return UNRANKED
        return at(axis, "d ->"), *_ones(input, axis), also(nature=input.nature)
    if input.shape.tail is not None:
        return UNRANKED
    known = [size for size in input.shape.head if size != 1]
    if all(isinstance(size, int) or _is_over_one(size) for size in known):
        return result(Shape(tuple(known)), nature=input.nature)
    return result(UNRANKED, notices=squeezed_batch(input))


def _is_repeated(axes: tuple[int, ...], rank: int | None) -> bool:
    """Whether axes are named twice, or may be."""
    if rank is None:
        return len(axes) > 1
    return len({axis % rank for axis in axes}) < len(axes)


def _is_over_one(size: AnySize) -> bool:
    low = size if isinstance(size, int) else size.low()
    return low is not None and low > 1


def _ones(input: Tensor, axes: tuple[int, ...]) -> list[Need]:
    sizes = [(axis, input.shape.size(axis)) for axis in axes]
    return [
        equal("axis", size, 1, f"{input.name} has {size} on axis {axis}, only 1 can be squeezed")
        for axis, size in sizes
        if size is not None
    ]


@op("{tf,np,keras.ops}.transpose", "keras.backend.permute_dimensions", was={"pattern": "axes", "perm": "axes"}, rung=3)
@op("np.permute_dims", rung=3)
@op("np.ndarray.transpose", varargs="axes", rung=3, oracle="none: a method")
def transpose(a: Tensor, axes: Axes = None) -> Answer:
    if a.rank is None:
        return UNRANKED if axes is None else Shape(tuple(fresh("?", Kind.LOST) for _ in axes))
    if axes is None:
        return result(Shape(a.shape.head[::-1]), notices=turned(a))
    if len(axes) != a.rank:
        return result(
            UNRANKED, needs=[never("rank", f"the permutation has {len(axes)} entries, {a.name} has rank {a.rank}")]
        )
    if sorted(axis % a.rank for axis in axes if -a.rank <= axis < a.rank) != list(range(a.rank)):
        return result(UNRANKED, needs=[never("axis-range", f"{list(axes)} is no permutation of {a.rank} axes")])
    return Shape(tuple(a.shape.head[axis] for axis in axes))


@op("tf.{matrix_transpose,batch_matrix_transpose}", "{tf.linalg,np,np.linalg}.matrix_transpose", "tf.linalg.adjoint")
def matrix_transpose(a: Tensor) -> Answer:
    return "*B m n -> *B n m"


@op("np.{swapaxes,ndarray.swapaxes}", "keras.ops.swapaxes", rung=3)
def swapaxes(a: Tensor, axis1: Axis, axis2: Axis) -> Answer:
    rank = a.rank
    if rank is None:
        return UNRANKED
    for axis in (axis1, axis2):
        if not -rank <= axis < rank:
            return result(
                UNRANKED, needs=[never("axis-range", f"axis {axis} is out of range: {a.name} has rank {rank}")]
            )
    sizes = list(a.shape.head)
    sizes[axis1], sizes[axis2] = sizes[axis2], sizes[axis1]
    return Shape(tuple(sizes))


@op("{np,keras.ops}.moveaxis", rung=3)
def moveaxis(a: Tensor, source: Axes, destination: Axes) -> Answer:
    rank = a.rank
    if rank is None or source is None or destination is None:
        return UNRANKED
    if len(source) != len(destination) or not all(-rank <= axis < rank for axis in (*source, *destination)):
        return result(UNRANKED, needs=[never("axis-range", f"no such axes: {source} to {destination} in rank {rank}")])
    taken, to = [axis % rank for axis in source], [axis % rank for axis in destination]
    if len(set(taken)) < len(taken) or len(set(to)) < len(to):
        return UNRANKED
    order = [axis for axis in range(rank) if axis not in taken]
    for target, axis in sorted(zip(to, taken, strict=True)):
        order.insert(target, axis)
    return Shape(tuple(a.shape.head[axis] for axis in order))


@op("np.rollaxis", rung=3)
def rollaxis(a: Tensor, axis: Axis, start: Size = 0) -> Answer:
    rank = a.rank
    if rank is None or not isinstance(start, int):
        return UNRANKED
    if not (-rank <= axis < rank and -rank <= start <= rank):
        return result(UNRANKED, needs=[never("axis-range", f"axis {axis} or {start} is out of range for rank {rank}")])
    axis, start = axis % rank, start + rank if start < 0 else start
    order = [at for at in range(rank) if at != axis]
    order.insert(start - 1 if axis < start else start, axis)
    return Shape(tuple(a.shape.head[at] for at in order))


@op("tf.tile", "keras.backend.tile", rung=3)
def tile(input: Tensor, multiples: ShapeArg) -> Answer:
    rank = input.rank
    if rank is None or multiples.tail is not None:
        return UNRANKED
    if len(multiples.head) != rank:
        said = f"multiples has {len(multiples.head)} entries, {input.name} has rank {rank}"
        return result(UNRANKED, needs=[never("rank", said)])
    return Shape(tuple(size * by for size, by in zip(input.shape.head, multiples.head, strict=True))), *_natural(
        multiples
    )


@op("{np,keras.ops}.tile", rung=3)
def np_tile(a: Tensor, reps: ShapeArg) -> Answer:
    if a.rank is None or reps.tail is not None:
        return UNRANKED
    longest = max(a.rank, len(reps.head))
    sizes, times = ((1,) * (longest - len(part)) + part for part in (a.shape.head, reps.head))
    return Shape(tuple(size * by for size, by in zip(sizes, times, strict=True))), *_natural(reps)


@op("{tf,np,keras.ops}.repeat", "np.ndarray.repeat", rung=3)
def repeat(a: Tensor, repeats: Sizes, axis: Axis | None = None) -> Answer:
    if a.rank == 0 and axis is not None:
        return UNRANKED
    total = a.shape.elements()
    single = repeats.known[0] if repeats.known is not None and (repeats.is_single or len(repeats.known) == 1) else None
    if axis is None and total is None:
        return Shape((fresh("?", Kind.LOST),))
    if single is not None:
        return (
            Shape((total * single,))
            if axis is None and total is not None
            else (at(axis, "d -> (d * n)"), {"n": single})
        )
    if repeats.known is None:
        return Shape((fresh("?", Kind.LOST),)) if axis is None else (at(axis, "d -> n"), {"n": fresh("?", Kind.LOST)})
    count = len(repeats.known)
    said = f"repeats has {count} entries"
    new = sum(repeats.known[1:], repeats.known[0]) if repeats.known else 0
    if axis is None and total is not None:
        return result(Shape((new,)), needs=[equal("axis", total, count, said)])
    size = a.shape.size(axis or 0)
    return at(axis, "d -> n"), {"n": new}, *([equal("axis", size, count, said)] if size is not None else [])


@op("{tf,np,keras.ops}.broadcast_to", rung=3)
def broadcast_to(input: Tensor, shape: ShapeArg) -> Answer:
    return shape, *stretches_to(input, shape), *_natural(shape)


def _natural(shape: Shape) -> list[Need]:
    return [never("negative-size", f"an entry is {size}") for size in shape.head if isinstance(size, int) and size < 0]


@op("np.atleast_1d", varargs="arys", rung=3)
def atleast_1d(arys: Tensors) -> Answer:
    return result(*[a.shape if a.rank or a.rank is None else Shape((1,)) for a in arys.items])


@op("np.atleast_2d", varargs="arys", rung=3)
def atleast_2d(arys: Tensors) -> Answer:
    return result(*[_in_plane(a.shape) for a in arys.items])


def _in_plane(shape: Shape) -> Shape:
    if shape.tail is not None:
        return shape if len(shape.head) > 1 else UNRANKED
    return Shape((1,) * (2 - len(shape.head)) + shape.head)


@op("np.atleast_3d", varargs="arys", rung=3)
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
    rung=2,
)
def roll(a: Tensor, shift: Sizes | None = None, axis: Axes = None) -> Answer:
    if axis and a.rank and _is_repeated(axis, a.rank):
        return UNRANKED
    return at(axis, "d -> d") if axis is not None else "*S -> *S"


@op("tf.roll", "keras.ops.roll", rung=2)
def tf_roll(input: Tensor, shift: Sizes, axis: Axis | None = None) -> Answer:
    """As many shifts as axes."""
    if shift.known is None or not shift.is_single:
        return "*S -> *S"
    return at(axis, "d -> d") if axis is not None else "*S -> *S"


@op("keras.ops.flipud")
def keras_flipud(x: Tensor) -> Answer:
    return "*S -> *S"


@op("np.flipud")
def flipud(m: Tensor) -> Answer:
    return "n *S -> n *S"


@op("{np,keras.ops}.fliplr")
def fliplr(m: Tensor) -> Answer:
    return "n m *S -> n m *S"


@op("tf.{reverse,reverse_v2}", rung=2)
def reverse(tensor: Tensor, axis: Axes) -> Answer:
    return at(axis, "d -> d") if axis is not None and tensor.rank else UNRANKED


@op("{np,keras.ops}.rot90", rung=3)
def rot90(m: Tensor, k: Size = 1, axes: Axes = (0, 1)) -> Answer:
    if m.rank is None or m.rank < 2 or not isinstance(k, int) or axes != (0, 1):
        return UNRANKED if m.rank is None or m.rank > 1 else result(UNRANKED, needs=[never("rank", "m needs 2 axes")])
    first, second, *rest = m.shape.head
    return Shape((second, first, *rest) if k % 2 else m.shape.head)


@op("tf.{space_to_depth,nn.space_to_depth}")
def space_to_depth(input: Tensor, block_size: Size) -> Answer:
    if isinstance(block_size, int) and block_size < 2:
        return result(UNRANKED, needs=[never("negative-size", f"block_size is {block_size}, not at least 2")])
    return "b h w c -> b (h // k) (w // k) (c * k * k)", {"k": block_size}, "h % k == 0", "w % k == 0"


@op("tf.{depth_to_space,nn.depth_to_space}")
def depth_to_space(input: Tensor, block_size: Size) -> Answer:
    if isinstance(block_size, int) and block_size < 2:
        return result(UNRANKED, needs=[never("negative-size", f"block_size is {block_size}, not at least 2")])
    return "b h w c -> b (h * k) (w * k) (c // (k * k))", {"k": block_size}, "c % (k * k) == 0"
