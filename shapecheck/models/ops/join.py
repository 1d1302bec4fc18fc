"""Joining tensors: concatenation, stacking, appending, and sums of lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shapecheck.models.lang import Answer, AnyValue, Axis, Tensor, Tensors, also, at, behaviour, never, op, result
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.needs import Need, equal
from shapecheck.models.lang.suspicious import flattened
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, fresh, is_lost
from shapecheck.values import NONE, Const, Seq, Value, as_size, of_size, walk
from shapecheck.values import Tensor as TensorValue


def concatenated(tensors: Tensors, axis: int, kind: str = "axis") -> Answer:
    """All tensors in a row along an axis; every other axis is the same in all."""
    ranked = [item for item in tensors.items if item.rank is not None]
    if not tensors.items:
        return result(UNRANKED, needs=[never("nothing", "there is nothing to join")])
    if not ranked:
        return UNRANKED
    first = ranked[0]
    rank = len(first.shape.head)
    if not rank and len(tensors.items) == 1:
        return UNRANKED
    other = next((item for item in ranked if item.rank != rank), None)
    if other is not None:
        said = f"{first.name} has rank {rank}, {other.name} has rank {other.rank}"
        return result(UNRANKED, needs=[never("rank", said)])
    if not -rank <= axis < rank:
        said = f"axis {axis} is out of range: {first.name} has rank {rank}"
        return result(UNRANKED, needs=[never("axis-range", said)])
    axis %= rank
    needs = [need for item in ranked[1:] for need in _others_equal(first, item, axis, kind)]
    columns = zip(*(item.shape.head for item in ranked), strict=True)
    sizes = [next((size for size in column if isinstance(size, int)), column[0]) for column in columns]
    sizes[axis] = _total(tensors, axis, len(ranked))
    return result(Shape(tuple(sizes)), needs=needs)


def _total(tensors: Tensors, axis: int, ranked: int) -> Size:
    if tensors.repeat is not None:
        size = tensors.items[0].shape.head[axis]
        return fresh("?", Kind.LOST, why="parts of several sizes") if is_lost(size) else size * tensors.repeat
    if ranked < len(tensors.items):
        return fresh("?", Kind.LOST, why="a joined part of unknown size")
    total: Size = 0
    for item in tensors.items:
        total = total + item.shape.head[axis]
    return total


def _others_equal(first: Tensor, item: Tensor, joined: int, kind: str) -> list[Need]:
    pairs = enumerate(zip(first.shape.head, item.shape.head, strict=True))
    return [
        equal(kind, x, y, f"{first.name} has {x} on axis {axis}, {item.name} has {y}")
        for axis, (x, y) in pairs
        if axis != joined and x != y
    ]


@op("np.{concatenate,concat}", "keras.ops.concatenate", dtype="promote", rung=3, was={"arrays": "xs", "seq": "xs"})
def concatenate(xs: Tensors, axis: Axis | None = 0) -> Answer:
    if axis is None:
        return Shape((fresh("?", Kind.LOST),))
    return concatenated(xs, axis)


@op("keras.backend.concatenate", rung=3)
def backend_concatenate(tensors: Tensors, axis: Axis = -1) -> Answer:
    return concatenated(tensors, axis)


@op("tf.concat_parts", rung=3, oracle="tf.concat")
def concat_parts(values: Tensors, axis: Axis) -> Answer:
    return concatenated(values, axis)


@behaviour("tf.concat", "tf.concat_v2")
def concat(ctx: Context, values: Value = NONE, axis: Value = NONE, /, **keywords: Value) -> Value:
    """Before TensorFlow 1.0 the axis came first, under another name."""
    if as_size(values) is not None and as_size(axis) is None:
        if any(isinstance(part, TensorValue) for part in walk(axis)) and axis_first(ctx, values, "tensors", axis):
            return ctx.lost("joined in an old order")
        values, axis = axis, values
    values, axis = keywords.get("values", values), keywords.get("axis", keywords.get("concat_dim", axis))
    if "axis" in keywords and isinstance(axis, Seq) and len(axis.items) > 1:
        ctx.require("rank", FALSE, "axis is a list of tensors, not a number", axis)
        return ctx.lost("joined along no axis")
    if isinstance(values, TensorValue):  # no list of its rows, but the only part, and then the axis is not looked at
        return run_model("tf.identity", ctx, values)
    return run_model("tf.concat_parts", ctx, values, axis)


def axis_first(ctx: Context, axis: Value, things: str, operand: Value) -> bool:
    """Says what is wrong with an axis that comes first; True where no version that the program can mean takes it."""
    said = f"the axis {as_size(axis)} comes before the {things}, as it did only before TensorFlow 1.0"
    if ctx.target.since_1_0 and not ctx.target.before_1_0:
        ctx.require("rank", FALSE, said, operand)
        return True
    if not ctx.target.before_1_0:
        ctx.notice("axis-first", said, operand)
    return False


def run_model(name: str, ctx: Context, *args: Value) -> Value:
    """Another model's answer to this call."""
    from shapecheck.models.lang.op import lookup

    model = lookup(name)
    return model.run(ctx, args, {}) if model else ctx.lost(name)


@op("{tf,keras.ops}.stack", "tf.pack", "keras.backend.stack", dtype="promote", rung=3)
@op("np.stack", dtype="common", was={"arrays": "xs"}, rung=3)
def stack(xs: Tensors, axis: Axis = 0) -> Answer:
    """A new axis, along which the tensors stand."""
    if not xs.items:
        return result(UNRANKED, needs=[never("nothing", "there is nothing to stack")])
    first = next((item for item in xs.items if item.rank is not None), xs.items[0])
    needs = [need for item in xs.items if item is not first for need in same(first, first.shape, item, item.shape)]
    content = _numbers(xs) if xs.repeat is None and axis == 0 else None
    if any(need.kind == "rank" for need in needs):
        return result(UNRANKED, needs=needs)
    return at(axis, "-> n"), {"n": xs.count}, also(content=content), *needs


def _numbers(xs: Tensors) -> Value | None:
    """The integers that are stacked, if any of them is known."""
    if not any(item.content for item in xs.items) or any(item.rank != 0 for item in xs.items):
        return None
    if not all(item.content or item.dtype in ("int32", "int64") for item in xs.items):
        return None
    return Seq("list", tuple(item.content or of_size(fresh("?", Kind.LOST, low=None)) for item in xs.items))


@op("np.{vstack,row_stack}", dtype="common", rung=3)
def vstack(tup: Tensors) -> Answer:
    return concatenated(_raised(tup, lambda shape: (1,) * (2 - len(shape)) + shape), 0)


@op("np.hstack", dtype="common", rung=3)
def hstack(tup: Tensors) -> Answer:
    rank = tup.items[0].rank if tup.items else None
    return (
        concatenated(_raised(tup, lambda shape: shape or (1,)), 0 if rank in (0, 1) else 1)
        if rank is not None
        else UNRANKED
    )


@op("keras.ops.vstack", dtype="promote", rung=3)
def keras_vstack(xs: Tensors) -> Answer:
    """Unlike NumPy's, it adds no axes."""
    return concatenated(xs, 0)


@op("keras.ops.hstack", dtype="promote", rung=3)
def keras_hstack(xs: Tensors) -> Answer:
    rank = xs.items[0].rank if xs.items else None
    return UNRANKED if rank is None else concatenated(xs, 0 if rank == 1 else 1)


@op("np.column_stack", dtype="common", rung=3)
def column_stack(tup: Tensors) -> Answer:
    return concatenated(_raised(tup, lambda shape: (*shape, 1) if len(shape) == 1 else shape or (1, 1)), 1)


@op("{np,keras.ops}.dstack", dtype="common", rung=3)
def dstack(tup: Tensors) -> Answer:
    def raised(shape: tuple[Size, ...]) -> tuple[Size, ...]:
        return [(1, 1, 1), (1, *shape, 1), (*shape, 1), shape][min(len(shape), 3)]

    return concatenated(_raised(tup, raised), 2)


def _raised(tensors: Tensors, change: Callable[[tuple[Size, ...]], tuple[Size, ...]]) -> Tensors:
    items = tuple(
        item if item.rank is None else replace(item, shape=Shape(change(item.shape.head))) for item in tensors.items
    )
    return replace(tensors, items=items)


@op("{np,keras.ops}.append", dtype="promote", rung=3)
def append(arr: Tensor, values: Tensor, axis: Axis | None = None) -> Answer:
    """Without an axis, both are flattened first."""
    if axis is None:
        total, more = arr.shape.elements(), values.shape.elements()
        length = fresh("?", Kind.LOST) if total is None or more is None else total + more
        return result(Shape((length,)), notices=flattened(arr, "append without axis"))
    return concatenated(Tensors("arr", (arr, values)), axis)


@op("tf.{add_n,accumulate_n}", "tf.math.{add_n,accumulate_n}", rung=3)
def add_n(inputs: Tensors) -> Answer:
    """All shapes must be the same: there is no broadcasting."""
    if not inputs.items:
        return result(UNRANKED, needs=[never("nothing", "there is nothing to add")])
    first = next((item for item in inputs.items if item.rank is not None), inputs.items[0])
    needs = [need for item in inputs.items if item is not first for need in same(first, first.shape, item, item.shape)]
    return result(first.shape, needs=needs)


@op("{tf,np,keras.ops}.meshgrid", varargs="xi", returns="list", rung=3)
def meshgrid(xi: Tensors, indexing: AnyValue = Const("xy")) -> Answer:
    if xi.repeat is not None or any(item.rank is None for item in xi.items):
        return result(*[UNRANKED] * len(xi.items))
    sizes = [item.shape.elements() or 0 for item in xi.items]
    if indexing == Const("xy") and len(sizes) > 1:
        sizes[0], sizes[1] = sizes[1], sizes[0]
    return result(*[Shape(tuple(sizes))] * len(sizes))


def _selected() -> Size:
    """How many items a mask selects."""
    return fresh("?", Kind.LOST, why="what a mask selects")


@op("np.ix_", varargs="xs", returns="tuple", dtype="?", rung=3)
def ix(xs: Tensors) -> Answer:
    count = len(xs.items)
    wrong = [
        never("rank", f"{item.name} has rank {item.rank}, not 1") for item in xs.items if item.rank not in (1, None)
    ]
    if wrong or any(item.rank is None for item in xs.items):
        return result(*[UNRANKED] * count, needs=wrong)
    sizes = [_selected() if item.dtype == "bool" else item.shape.head[0] for item in xs.items]
    shapes = [(1,) * at + (size,) + (1,) * (count - 1 - at) for at, size in enumerate(sizes)]
    kinds = {"int64" if item.dtype == "bool" else item.dtype for item in xs.items}  # a mask becomes what it selects
    return result(*[Shape(shape) for shape in shapes], dtype=kinds.pop() if len(kinds) == 1 else None)


@op("np.broadcast_arrays", varargs="arrays", returns="tuple", rung=3)
def broadcast_arrays(arrays: Tensors) -> Answer:
    shape, claims = broadcast([item.shape for item in arrays.items])
    said = " and ".join(str(item.shape) for item in arrays.items) + " do not broadcast"
    return result(*[shape] * len(arrays.items), needs=[Need("broadcast", claim, said) for claim in claims])
