"""Joining tensors: concatenation, stacking, appending, and sums of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Seq, Value, as_size, of_size, walk
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import Answer, Axis, Blind, Flag, Target, Tensor, Tensors, also, at, behaviour, op, result
from shapecheck.models.lang.apply import same, together
from shapecheck.models.lang.axis_checks import of_tensors
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import Need, Refused, equal, equal_ranks, of_rank
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.suspicious import flattened
from shapecheck.models.lang.unknown_sizes import is_uneven, lost
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, fresh, is_lost, product


def concatenated(tensors: Tensors, axis: int, kind: ClashKind = ClashKind.AXIS) -> Answer:
    """Return all tensors joined along an axis; every other axis is equal in all."""
    ranked = [item for item in some(tensors, "join") if item.rank is not None]
    if not ranked and tensors.repeat is None:
        return _ends_joined(tensors.items, axis, kind)
    if not ranked or (ranked[0].rank == 0 and len(tensors.items) == 1):
        return UNRANKED
    first = ranked[0]
    for item in ranked[1:]:
        equal_ranks(first, item)
    axis = place_of(first, axis)
    needs = [need for item in ranked[1:] for need in _others_equal(first, item, axis, kind)]
    columns = zip(*(item.shape.head for item in ranked), strict=True)
    sizes = list(map(_known_best, columns))
    sizes[axis] = _total(tensors, axis, len(ranked))
    return result(Shape(tuple(sizes)), needs=needs)


def _ends_joined(items: Sequence[Tensor], axis: int, kind: ClashKind) -> Answer:
    """Return the first and last sizes of tensors of unknown rank that are joined along one of these axes."""
    first = list(zip(*(item.shape.head for item in items), strict=False))
    last = list(zip(*((item.shape.tail or ())[::-1] for item in items), strict=False))
    own, place = (first, axis) if axis >= 0 else (last, -1 - axis)
    if place >= len(own):
        return UNRANKED
    joined = own.pop(place)
    said = "axes that are not joined have sizes {} and {}"
    pairs = [(column[0], size) for column in (*first, *last) for size in column[1:] if column[0] != size]
    ends = [list(map(_known_best, columns)) for columns in (first, last)]
    ends[axis < 0].insert(place, sum(joined[1:], joined[0]))
    needs = [equal(kind, one, other, said.format(one, other)) for one, other in pairs]
    return result(Shape(tuple(ends[0]), tuple(ends[1][::-1])), needs=needs)


def some(tensors: Tensors, verb: str) -> tuple[Tensor, ...]:
    """Return the tensors, of which there must be at least one."""
    if not tensors.items:
        raise Refused(ClashKind.NOTHING, f"there is nothing to {verb}")
    return tensors.items


def _total(tensors: Tensors, axis: int, ranked: int) -> Size:
    if tensors.repeat is not None:
        size = tensors.items[0].shape.head[axis]
        return lost("parts of several sizes") if is_lost(size) or is_uneven(size) else size * tensors.repeat
    if ranked < len(tensors.items):
        return lost("a joined part of unknown size")
    total: Size = 0
    for item in tensors.items:
        total = total + item.shape.head[axis]
    return total


def _others_equal(first: Tensor, item: Tensor, joined: int, kind: ClashKind) -> list[Need]:
    pairs = enumerate(zip(first.shape.head, item.shape.head, strict=True))
    return [
        equal(kind, x, y, f"{first.name} has {x} on axis {axis}, {item.name} has {y}")
        for axis, (x, y) in pairs
        if axis != joined and x != y
    ]


def joins(first: Tensor, item: Tensor, axis: int) -> list[Need]:
    """Return the constraint for two tensors to be joined along an axis."""
    if first.rank is None or item.rank is None:
        return []
    equal_ranks(first, item)
    return _others_equal(first, item, place_of(first, axis), ClashKind.AXIS)


@op("np.{concatenate,concat}", "keras.ops.concatenate", dtype="promote", was={"arrays": "xs", "seq": "xs"})
def concatenate(xs: Tensors, axis: Axis | None = 0, target: Target = Target()) -> Answer:
    return concatenated(xs, _of_vectors(xs, axis, target)) if axis is not None else Shape((lost(),))


def _of_vectors(tensors: Tensors, axis: int, target: Target) -> int:
    """Return the axis along which tensors are joined: older versions of NumPy take any number for that of vectors."""
    are_vectors = all(item.rank == 1 for item in tensors.items)
    return 0 if are_vectors and target.numpy == 1 else axis


@op("keras.backend.concatenate")
def backend_concatenate(tensors: Tensors, axis: Axis = -1) -> Answer:
    return concatenated(tensors, axis)


@op("tf.concat_parts", oracle="tf.concat")
def concat_parts(values: Tensors, axis: Axis) -> Answer:
    return concatenated(values, axis)


@behaviour("tf.concat", "tf.concat_v2")
def concat(ctx: Context, values: Value = NONE, axis: Value = NONE, /, **keywords: Value) -> Value:
    """Before TensorFlow 1.0, the axis came first, under another name."""
    if as_size(values) is not None and as_size(axis) is None and not _is_axis(axis):
        if any(isinstance(part, TensorValue) for part in walk(axis)) and axis_first(ctx, values, "tensors", axis):
            return ctx.lost("joined in an old order")
        values, axis = axis, values
    values, axis = keywords.get("values", values), keywords.get("axis", keywords.get("concat_dim", axis))
    if "axis" in keywords and of_tensors(axis):
        ctx.require(ClashKind.RANK, FALSE, "axis is a list of tensors, not a number", axis)
        return ctx.lost("joined along no axis")
    if isinstance(axis, TensorValue) and (axis.shape.head[:1] not in ((), (1,)) or _is_float(axis)):
        ctx.require(ClashKind.AXIS_RANGE, FALSE, f"axis is a tensor of shape {axis.shape} and type {axis.dtype}", axis)
        return ctx.lost("joined along no axis")
    if isinstance(values, TensorValue):  # not a list of its rows, but the only part, and then the axis is not checked
        return run_model("tf.identity", ctx, values)
    return run_model("tf.concat_parts", ctx, values, axis)


def _is_axis(value: Value) -> bool:
    """Return whether a tensor may be the number of an axis."""
    return isinstance(value, TensorValue) and value.shape.rank == 0 and (value.dtype or "int").startswith("int")


def _is_float(axis: TensorValue) -> bool:
    return (axis.dtype or "").startswith("float")


def axis_first(ctx: Context, axis: Value, things: str, operand: Value) -> bool:
    """Record the mistake of an axis that comes first; return True where no version that the program can target accepts
    it.
    """
    said = f"the axis {as_size(axis)} comes before the {things}, as only before TensorFlow 1.0"
    if ctx.target.since_1_0 and not ctx.target.before_1_0:
        ctx.require(ClashKind.RANK, FALSE, said, operand)
        return True
    if not ctx.target.before_1_0:
        ctx.notice(ClashKind.AXIS_FIRST, said, operand)
    return False


def run_model(name: str, ctx: Context, *args: Value) -> Value:
    """Return another model's answer to this call."""
    from shapecheck.models.lang.registry import lookup

    model = lookup(name)
    return model.run(ctx, args, {}) if model else ctx.lost(name)


@op("{tf,keras.ops}.stack", "tf.pack", "keras.backend.stack", dtype="promote")
@op("np.stack", dtype="common", was={"arrays": "xs"})
def stack(xs: Tensors, axis: Axis = 0) -> Answer:
    """Join the tensors along a new axis."""
    one, needs = alike(xs, "stack")
    content = _numbers(xs) if xs.repeat is None and axis == 0 else None
    return at(axis, "-> n", of=one), {"n": xs.count}, also(content=content), *needs


def alike(tensors: Tensors, verb: str) -> tuple[Tensor, list[Need]]:
    """Return any of the tensors with the shape that all have, as far as one of them determines it, and the constraints
    for that.
    """
    items = some(tensors, verb)
    ranked = [item for item in items if item.rank is not None] or list(items)
    needs = [need for item in items if item is not ranked[0] for need in _same_as(ranked[0], item)]
    columns = zip(*(item.shape.head for item in ranked), strict=False)
    return replace(ranked[0], shape=Shape(tuple(map(_known_best, columns)), ranked[0].shape.tail)), needs


def _same_as(first: Tensor, item: Tensor) -> list[Need]:
    """Return the constraint for two tensors to have one shape, which they cannot where their ranks differ."""
    needs = same(first, first.shape, item, item.shape)
    if any(need.kind == ClashKind.RANK for need in needs):
        raise Refused(ClashKind.RANK, needs[0].message)
    return needs


def _known_best(sizes: Sequence[Size]) -> Size:
    """Return the best known of sizes that are equal."""
    return next((size for size in sizes if isinstance(size, int)), sizes[0])


def _numbers(xs: Tensors) -> Value | None:
    """Return the integers that are stacked, if any of them is known."""
    if not any(item.content for item in xs.items) or any(item.rank != 0 for item in xs.items):
        return None
    if not all(item.content or item.dtype in ("int32", "int64") for item in xs.items):
        return None
    return Seq("list", tuple(item.content or of_size(fresh("?", Kind.LOST, low=None)) for item in xs.items))


@op("np.{vstack,row_stack}", dtype="common")
def vstack(tup: Tensors) -> Answer:
    return concatenated(_raised(tup, lambda shape: (1,) * (2 - len(shape)) + shape), 0)


@op("np.hstack", dtype="common")
def hstack(tup: Tensors) -> Answer:
    """Vectors (and numbers as vectors) are joined end to end, tables side by side."""
    axis = 0 if _rank(tup) < 2 else 1
    return concatenated(_raised(tup, lambda shape: shape or (1,)), axis)


def _rank(tensors: Tensors) -> int:
    """Return the rank that all have."""
    rank = next((item.rank for item in tensors.items if item.rank is not None), None)
    if rank is None:
        raise Blind("the rank")
    return rank


@op("keras.ops.vstack", dtype="promote")
def keras_vstack(xs: Tensors) -> Answer:
    """Unlike NumPy's function, this one adds no axes."""
    return concatenated(xs, 0)


@op("keras.ops.hstack", dtype="promote")
def keras_hstack(xs: Tensors) -> Answer:
    return concatenated(xs, 0 if _rank(xs) == 1 else 1)


@op("np.column_stack", dtype="common")
def column_stack(tup: Tensors) -> Answer:
    return concatenated(_raised(tup, lambda shape: (*shape, 1) if len(shape) == 1 else shape or (1, 1)), 1)


@op("{np,keras.ops}.dstack", dtype="common")
def dstack(tup: Tensors) -> Answer:
    def raised(shape: tuple[Size, ...]) -> tuple[Size, ...]:
        return [(1, 1, 1), (1, *shape, 1), (*shape, 1), shape][min(len(shape), 3)]

    return concatenated(_raised(tup, raised), 2)


def _raised(tensors: Tensors, change: Callable[[tuple[Size, ...]], tuple[Size, ...]]) -> Tensors:
    items = tuple(
        item if item.rank is None else replace(item, shape=Shape(change(item.shape.head))) for item in tensors.items
    )
    return replace(tensors, items=items)


@op("{np,keras.ops}.append", dtype="promote")
def append(arr: Tensor, values: Tensor, axis: Axis | None = None, target: Target = Target()) -> Answer:
    """Without an axis, both are flattened first."""
    if axis is None:
        return "*S, *T -> (prod(S) + prod(T))", also(notices=flattened(arr, "append without axis"))
    both = Tensors("arr", (arr, values))
    return concatenated(both, _of_vectors(both, axis, target))


@op("tf.{add_n,accumulate_n}", "tf.math.{add_n,accumulate_n}")
def add_n(inputs: Tensors) -> Answer:
    """All shapes must be equal: there is no broadcasting."""
    one, needs = alike(inputs, "add")
    return one.shape, *needs


@op("{tf,np,keras.ops}.meshgrid", varargs="xi", returns="list")
def meshgrid(xi: Tensors, indexing: Literal["xy", "ij"] = "xy", sparse: Flag = False) -> Answer:
    """Each result has an axis for each operand, unless only arrays that broadcast to that are requested."""
    sizes = [_length(item) for item in xi.each]
    parts = _crossed(sizes, _grid_axes(len(sizes), indexing))
    return result(*parts if sparse else [together(parts)[0]] * len(parts))


def _grid_axes(count: int, indexing: str) -> list[int]:
    """Return the axis for each operand; with indexing "xy", the first two are exchanged."""
    axes = list(range(count))
    return axes[1::-1] + axes[2:] if indexing == "xy" else axes


def _crossed(sizes: Sequence[Size], axes: Iterable[int]) -> list[Shape]:
    """Return vectors, each along an axis of its own, with size 1 along the others."""
    ones = Shape((1,) * len(sizes))
    return [instead(ones, axis, Shape((size,))) for axis, size in zip(axes, sizes, strict=True)]


def _length(operand: Tensor) -> Size:
    """Return the number of elements."""
    return lost("of a part") if operand.rank is None else product(operand.shape.head)


@op("np.ix_", varargs="xs", returns="tuple", dtype="?")
def ix(xs: Tensors) -> Answer:
    """Return vectors, each along an axis of its own."""
    sizes = [_picked(item) for item in xs.each]
    kinds = {"int64" if item.dtype == "bool" else item.dtype for item in xs.items}  # a mask becomes its indices
    is_known = len(kinds) == 1 and 0 not in sizes  # of nothing, another dtype may come
    return result(*_crossed(sizes, range(len(sizes))), dtype=kinds.pop() if is_known else None)


def _picked(vector: Tensor) -> Size:
    """Return the number of entries that a vector of indices or a mask selects."""
    of_rank(vector, 1)
    is_known = vector.rank is not None and vector.dtype != "bool"
    return vector.shape.head[0] if is_known else lost("what a mask selects")


@op("np.broadcast_arrays", varargs="arrays", returns="tuple")
def broadcast_arrays(arrays: Tensors) -> Answer:
    shape, needs = together([item.shape for item in arrays.each])
    return result(*[shape] * len(arrays.items), needs=needs)
