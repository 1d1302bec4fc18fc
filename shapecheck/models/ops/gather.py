"""Picking elements by index or condition: gather, take, where, masks, sorting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Seq, Value, as_size, items_of
from shapecheck.models.lang import (
    Answer,
    Axes,
    Axis,
    Blind,
    Context,
    Flag,
    Ranked,
    ShapeArg,
    Size,
    Target,
    Tensor,
    also,
    at,
    attribute,
    never,
    op,
    result,
)
from shapecheck.models.lang.apply import middle, same, together
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import (
    Need,
    Refused,
    at_least,
    each_equal,
    equal,
    equal_ranks,
    of_integers,
    of_rank,
)
from shapecheck.models.lang.element_bounds import outermost
from shapecheck.models.lang.suspicious import SORTED, flattened
from shapecheck.models.lang.unknown_sizes import counted, lost
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

CHOSEN = "~B, ~B, ~B -> ~B"  # functions of a condition and two alternatives


@op("tf.gather", "keras.backend.gather", was={"reference": "params"})
def gather(params: Tensor, indices: Tensor, axis: Axis | None = None, batch_dims: Size = 0) -> Answer:
    """The axes of the indices replace the axis; `batch_dims` leading axes are shared."""
    place = place_of(params, batch_dims if axis is None else axis)  # if negative, counted in the params
    batch, needs = _shared(params, indices, batch_dims, place)
    inside = _inside(indices, params.shape.head[place])
    return instead(params.shape, place, middle(indices.shape, batch, 0)), *needs, *inside


def _shared(params: Tensor, indices: Tensor, batch_dims: AnySize, place: int) -> tuple[int, list[Need]]:
    """Return the number of leading axes that the params and the indices share, and the constraint that they are
    equal.
    """
    if not isinstance(batch_dims, int) or (batch_dims < 0 and indices.rank is None):
        raise Blind("the number of shared axes")
    batch = batch_dims + len(indices.shape.head) if batch_dims < 0 else batch_dims
    if batch > place or (indices.rank is not None and batch > indices.rank):
        raise Blind("more shared axes than there are")
    said = "params has {}, indices has {} on a batch axis"
    return batch, each_equal(ClashKind.AXIS, params.shape.head[:batch], indices.shape.head, said)


@op("tf.batch_gather")
def batch_gather(params: Tensor, indices: Tensor) -> Answer:
    """All axes of the indices but the last are shared."""
    if not indices.rank:
        return UNRANKED
    return gather(params, indices, indices.rank - 1, indices.rank - 1)


def _inside(indices: Tensor, size: AnySize, lowest: AnySize = 0, kind: ClashKind = ClashKind.VALUE_RANGE) -> list[Need]:
    """Return the constraint that known indices exist, which is not checked while a graph is built."""
    of_integers(indices)
    needs = []
    for number in outermost(_numbers(indices)):
        said = f"index {number} is out of range: there are {size}"
        needs += [at_least(kind, size - 1, number, said), at_least(kind, number, lowest, said)]
    return needs


def _numbers(indices: Tensor) -> Iterator[AnySize | None]:
    """Yield the indices, None for those that are not known."""
    yield from map(as_size, values.walk(indices.content if indices.content is not None else indices.value))


@op("tf.nn.embedding_lookup")
def embedding_lookup(params: Tensor, ids: Tensor) -> Answer:
    """Return rows of a table, which may be given in parts."""
    if isinstance(params.given, Seq):
        return _of_parts(params, ids)
    return "n *E, *I -> *I *E", *(_inside(ids, params.shape.head[0]) if params.rank else [])


def _of_parts(params: Tensor, ids: Tensor) -> Answer:
    """Return the table whose parts are given in a list."""
    if params.rank == 1:
        raise Refused(ClashKind.RANK, f"{params.name} is a list of single numbers")
    is_known = params.rank is not None and ids.rank is not None
    return Shape((*ids.shape.head, *params.shape.head[2:])) if is_known else UNRANKED


@op("np.take", "np.ndarray.take")
def np_take(
    a: Tensor, indices: Tensor, axis: Axis | None = None, mode: Literal["raise", "wrap", "clip"] = "raise"
) -> Answer:
    size = a.shape.elements() if axis is None else a.shape.size(axis)
    needs = _inside(indices, size, -size, ClashKind.INDEX_RANGE) if size is not None and mode == "raise" else []
    return take(a, indices, axis), *needs


@op("keras.ops.take")
def take(a: Tensor, indices: Tensor, axis: Axis | None = None) -> Answer:
    if axis is None or not a.rank:
        return indices.shape if axis is None else UNRANKED
    return instead(a.shape, place_of(a, axis), indices.shape)


@op("tf.gather_nd")
def gather_nd(params: Tensor, indices: Tensor, batch_dims: Size = 0) -> Answer:
    """The last axis of the indices contains positions in the first axes of the tensor."""
    if batch_dims != 0:
        return UNRANKED
    depth = _depth(indices, params.rank, "params")
    return Shape((*indices.shape.head[:-1], *params.shape.head[depth:]))


def _depth(indices: Tensor, rank: int | None, target: str) -> int:
    """Return the number of axes that a row of indices selects from."""
    of_integers(indices)
    if rank is None or indices.rank is None:
        raise Blind("a rank")
    if not indices.rank:
        raise Refused(ClashKind.RANK, "indices has rank 0, at least 1 is needed")
    depth = indices.shape.head[-1]
    if not isinstance(depth, int):
        raise Blind("the number of columns")
    if depth > rank:
        raise Refused(ClashKind.RANK, f"indices has {depth} columns, {target} has rank {rank}")
    return depth


@op("tf.boolean_mask")
def boolean_mask(tensor: Tensor, mask: Tensor, axis: Axis | None = 0) -> Answer:
    """The axes that the mask covers are merged into one."""
    start, stop = _covered(tensor, mask, axis or 0)
    sizes, chosen = tensor.shape.head, counted("as many as the mask has true entries")
    needs = each_equal(ClashKind.AXIS, sizes[start:stop], mask.shape.head, "tensor has {} where mask has {}")
    return Shape((*sizes[:start], chosen, *sizes[stop:])), *needs


def _covered(tensor: Tensor, mask: Tensor, axis: int) -> tuple[int, int]:
    """Return the first axis of the tensor that a mask covers, and the first one after those."""
    if mask.rank is None or tensor.rank is None:
        raise Blind("a rank")
    start = axis + tensor.rank if axis < 0 else axis
    if not mask.rank or start + mask.rank > tensor.rank:
        raise Refused(ClashKind.RANK, f"mask has rank {mask.rank}, tensor has rank {tensor.rank}")
    return start, start + mask.rank


@op("tf.where_v2", was={"input": "condition"}, dtype="rest")
def where_of_2(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Answer:
    """Apply the `where` of TensorFlow 2, under a name that exists in TensorFlow 1 too."""
    return where(condition, x, y, Target(tensorflow=2))


@op("tf.where", was={"input": "condition"}, dtype="rest")
def where(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None, target: Target = Target()) -> Answer:
    """With one argument, return the positions of true elements, one per row."""
    if x is None or y is None:
        return argwhere(condition), also(dtype="int64")
    return CHOSEN if target.tensorflow != 1 else _selected(condition, x, y)


@op("tf.compat.v1.where", dtype="rest")
def where_before_2(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Answer:
    return where(condition, x, y, Target(tensorflow=1))


def _selected(condition: Tensor, x: Tensor, y: Tensor) -> Answer:
    """Return the selection of TensorFlow 1, without broadcasting, except that a vector selects rows and a scalar
    selects all.
    """
    needs = same(x, x.shape, y, y.shape)
    shape = x.shape if x.rank is not None else y.shape
    if condition.rank == 1 and shape.rank is not None and shape.rank > 1:
        entries, rows = condition.shape.head[0], shape.head[0]
        said = f"{condition.name} has {entries} entries, {x.name} has {rows} rows"
        needs += [equal(ClashKind.AXIS, entries, rows, said)]
    elif condition.rank and not (condition.rank == 1 and shape.rank is None):
        needs += same(condition, condition.shape, x, x.shape)
    return result(shape, needs=needs)


@op("keras.ops.where", was={"x1": "x", "x2": "y"}, dtype="rest")
def keras_where(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Answer:
    return _where(condition, x, y, "int32")


@op("np.where", was={"x1": "x", "x2": "y"}, dtype="rest")
def np_where(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Answer:
    return _where(condition, x, y, "int64")


def _where(condition: Tensor, x: Tensor | None, y: Tensor | None, dtype: str) -> Answer:
    """Return, for one argument, a tuple with one array of positions per axis."""
    if (x is None) != (y is None):
        raise Blind("one of two alternatives")
    return CHOSEN if x is not None else result(*_positions(condition, dtype))


def _positions(condition: Tensor, dtype: str = "int64") -> tuple[Value]:
    if not condition.rank:
        return (values.Lost("the rank of the condition"),)
    count = Shape((counted("as many as are true"),))
    return (Seq("tuple", (values.Tensor(count, dtype, "np" if dtype == "int64" else "tf"),) * condition.rank),)


@op("keras.ops.nonzero")
def keras_nonzero(x: Tensor) -> Answer:
    return result(*_positions(x, "int32")) if x.rank != 0 else UNRANKED


@op("np.nonzero", "np.ndarray.nonzero")
def nonzero(a: Tensor, target: Target = Target()) -> Answer:
    """Before NumPy 2, a scalar is accepted too."""
    if a.rank == 0 and target.numpy == 2:
        raise Refused(ClashKind.RANK, f"{a.name} has rank 0, at least 1 is needed")
    return result(*_positions(a))


@op("np.argwhere", dtype="int64")
def argwhere(a: Tensor) -> Answer:
    return Shape((counted("as many as are true"), lost("the rank") if a.rank is None else a.rank))


@op("np.flatnonzero", dtype="int64")
def flatnonzero(a: Tensor) -> Answer:
    return Shape((counted("as many as are true"),))


@op("{tf,keras.ops}.argsort", dtype="int32")
@op("np.{argsort,ndarray.argsort}", dtype="int64")
@op("{tf,np,keras.ops}.sort")
def sort(a: Tensor, axis: Axis | None = -1) -> Answer:
    if a.rank == 0:
        return UNRANKED
    is_last = axis == -1 or (axis is not None and axis + 1 == a.rank)
    return "*S -> (prod(S))" if axis is None else (at(axis, "d -> d"), also(nature=SORTED if is_last else ""))


@op("{tf.nn,tf.math,keras.ops}.top_k", returns="tuple", dtype=",int32")
def top_k(input: Tensor, k: Size = 1) -> Answer:
    return "*S n -> *S {k}, *S {k}", "n >= k"


@attribute("tuple.values")
def best(ctx: Context, self: Value) -> Value:
    items = items_of(self) or ()
    return items[0] if len(items) == 2 else ctx.lost("a field of a tuple")


@attribute("tuple.indices")
def positions(ctx: Context, self: Value) -> Value:
    items = items_of(self) or ()
    return items[1] if len(items) == 2 else ctx.lost("a field of a tuple")


@op("tf.nn.in_top_k", "tf.math.in_top_k", dtype="bool", oracle="none: order of parameters differs between versions")
def in_top_k(targets: Tensor, predictions: Tensor) -> Answer:
    if targets.rank is None and predictions.rank is None:
        return Shape((lost("as many as rows"),))
    is_first = predictions.rank != 1 if targets.rank is None else targets.rank < 2
    return "b, b c -> b" if is_first else "b c, b -> b"


@op("np.unique", dtype=",int64")
def unique(
    ar: Tensor,
    return_index: Flag = False,
    return_inverse: Flag = False,
    return_counts: Flag = False,
    axis: Axes = None,
    target: Target = Target(),
) -> Answer:
    one = Shape((_different(ar),)) if axis is None else UNRANKED
    inverse = _places_again(ar, target) if axis is None else UNRANKED
    return result(one, *[one] * return_index, *[inverse] * return_inverse, *[one] * return_counts)


def _different(ar: Tensor) -> AnySize:
    """Return how many different elements an array has."""
    parts = [] if ar.content is None else values.walk(ar.content)
    numbers = [part.value for part in parts if isinstance(part, values.Const) and isinstance(part.value, int)]
    is_known = len(numbers) == ar.shape.elements()
    return len(set(numbers)) if is_known else counted("as many as there are different ones")


def _places_again(ar: Tensor, target: Target) -> Shape:
    """Return the index of each element among the unique ones: before NumPy 2, as a vector."""
    if ar.rank is None or (ar.rank != 1 and target.numpy is None):
        return UNRANKED
    return Shape((ar.shape.elements() or 0,)) if target.numpy == 1 else ar.shape


@op("tf.unique", returns="tuple", dtype=",int32")
def tf_unique(x: Tensor) -> Answer:
    return "n -> _, n"


@op("np.take_along_axis")
def np_take_along_axis(arr: Ranked, indices: Ranked, axis: Axis | None = -1) -> Answer:
    if axis is None:
        of_rank(indices, 1)
        return indices.shape
    return take_along_axis(arr, indices, axis)


@op("keras.ops.take_along_axis")
def take_along_axis(arr: Ranked, indices: Ranked, axis: Axis | None = None) -> Answer:
    """All axes but one broadcast; along that one, the result has as many entries as the indices."""
    place, said = place_of(arr, axis), f"{arr.name} {arr.shape} and indices {indices.shape} do not fit"
    equal_ranks(indices, arr)
    shape, needs = together([instead(operand.shape, place, Shape((1,))) for operand in (arr, indices)], said)
    return instead(shape, place, Shape((indices.shape.head[place],))), *needs


@op("tf.slice")
def slice_(input_: Tensor, begin: ShapeArg, size: ShapeArg) -> Answer:
    if not (input_.shape.is_ranked and begin.is_ranked and size.is_ranked):
        return size.map(lambda want: lost("all that is left") if want == -1 else want)
    cuts = [_cut(*sizes) for sizes in _axis_by_axis(input_, begin, size)]
    return Shape(tuple(size for size, _ in cuts)), *(need for _, needs in cuts for need in needs)


def _axis_by_axis(input_: Tensor, begin: Shape, size: Shape) -> list[tuple[AnySize, AnySize, AnySize]]:
    """Return, for each axis, its size, the start of the slice and its length."""
    if not input_.rank == len(begin.head) == len(size.head):
        said = f"begin has {len(begin.head)} and size {len(size.head)} entries, the tensor has rank {input_.rank}"
        raise Refused(ClashKind.RANK, said)
    return list(zip(input_.shape.head, begin.head, size.head, strict=True))


def _cut(have: AnySize, low: AnySize, want: AnySize) -> tuple[AnySize, list[Need]]:
    """Return the length that a slice takes from an axis (-1 means all that is left), and the constraint that it
    exists.
    """
    end, said = (low if want == -1 else low + want), f"a slice of {want} from {low} does not fit into {have}"
    starts = at_least(ClashKind.INDEX_RANGE, low, 0, f"a slice starts at {low}")
    return have - low if want == -1 else want, [at_least(ClashKind.INDEX_RANGE, have, end, said), starts]


@op("tf.scatter_nd", dtype="?")
def scatter_nd(indices: Tensor, updates: Tensor, shape: ShapeArg) -> Answer:
    wrong = [never(ClashKind.NEGATIVE_SIZE, f"shape is {shape}") for size in shape.head if size == -1]
    if indices.rank == 1:
        return UNRANKED
    return result(shape, needs=wrong or scattered(shape, indices, updates))


@op("tf.tensor_scatter_nd_{update,add,max,min,sub}", "tf.tensor_scatter_{add,sub,update}")
def tensor_scatter(tensor: Tensor, indices: Tensor, updates: Tensor) -> Answer:
    """A single position is not enough: there is a row of indices for each."""
    if indices.rank == 1:
        return result(tensor.shape, needs=[never(ClashKind.RANK, f"{indices.name} has rank 1, at least 2 is needed")])
    return result(tensor.shape, needs=scattered(tensor.shape, indices, updates))


def scattered(shape: Shape, indices: Tensor, updates: Tensor) -> list[Need]:
    """Return the signature of a scatter: each row of the indices is a position, whose shape the updates have."""
    try:
        depth = _depth(indices, shape.rank, "the target")
    except Blind:
        return []
    return same(updates, updates.shape, indices, Shape((*indices.shape.head[:-1], *shape.head[depth:])))


@op("np.delete")
def delete(arr: Tensor, obj: Tensor, axis: Axis | None = None) -> Answer:
    """Delete one or several entries; without an axis, from the flattened elements."""
    left = "(d - 1)" if obj.rank == 0 else "_"
    if axis is None:
        return f"*S -> {left}", {"d": "prod(S)"}, also(notices=flattened(arr, "delete without axis"))
    return at(axis, f"d -> {left}")


@op("np.insert")
def insert(arr: Tensor, obj: Tensor, inserted: Tensor, axis: Axis | None = None) -> Answer:
    """Insert before one place, or before several that are given as a list."""
    needs, count = _inserted(_flat(arr) if axis is None else arr.shape, obj, inserted, axis or 0)
    notices = also(notices=flattened(arr, "insert without axis") if axis is None else [])
    form = "*S -> {n}" if axis is None else at(axis, "d -> {n}")
    return form, {"n": lost() if count is None else _size(arr, axis) + count}, *needs, notices


def _flat(arr: Tensor) -> Shape:
    return Shape((_size(arr, None),)) if arr.shape.is_ranked else UNRANKED


def _size(arr: Tensor, axis: int | None) -> AnySize:
    """Return the size of an axis, or the number of all elements."""
    elements = arr.shape.elements() if axis is None else arr.shape.sizes[axis]
    return lost() if elements is None else elements


def _inserted(shape: Shape, obj: Tensor, inserted: Tensor, axis: int) -> tuple[list[Need], AnySize | None]:
    """Return what must hold of the values, and how many are inserted along the axis; None if it is not known."""
    rank, own = shape.rank, inserted.shape
    places = 1 if obj.rank == 0 else obj.shape.elements() if obj.rank == 1 else None
    is_index = obj.dtype is not None and obj.dtype.startswith("int")
    if rank is None or not isinstance(places, int) or not is_index or own.rank is None or not -rank <= axis < rank:
        return [], None
    if own.rank > rank:
        return [], None
    sizes, at_axis = [*(1,) * (rank - own.rank), *own.sizes], axis % rank
    if obj.rank == 0:
        sizes.insert(at_axis, sizes.pop(0))
    count: AnySize = sizes[at_axis] if places == 1 else places
    wanted = [*shape.sizes[:at_axis], count, *shape.sizes[at_axis + 1 :]]
    said = f"the values have shape {own}, {places} {'place' if places == 1 else 'places'} along axis {axis} of {shape}"
    return [
        Need(ClashKind.BROADCAST, AnyOf((Equal(size, 1), Equal(size, other))), said)
        for size, other in zip(sizes, wanted, strict=True)
        if size not in (1, other)
    ], count


@op("keras.ops.searchsorted", dtype="int32")
def keras_searchsorted(sorted_sequence: Tensor, values: Tensor) -> Answer:
    """Axes of size 1 may precede."""
    return ("n, *S m -> *S m", "prod(S) == 1") if values.rank else UNRANKED


@op("np.searchsorted", dtype="int64")
def searchsorted(a: Tensor, v: Tensor, side: Value = NONE) -> Answer:
    return "n, *S -> *S"


@op("keras.ops.digitize", dtype="int32")
@op("np.digitize", dtype="int64")
def digitize(x: Tensor, bins: Tensor) -> Answer:
    return "*S, n -> *S"


@op("tf.reverse_sequence", oracle="none: lengths must fit")
def reverse_sequence(input: Tensor, seq_lengths: Tensor) -> Answer:
    return "*S -> *S"


@op("np.unravel_index", returns="tuple", oracle="none: needs legal indices")
def unravel_index(indices: Tensor, shape: ShapeArg) -> Answer:
    if shape.tail is not None:
        raise Blind("the rank of the shape")
    return result(*[indices.shape] * len(shape.head), dtype="int64")


@op("tf.sparse_to_dense", oracle="none: an old name")
def sparse_to_dense(sparse_indices: Tensor, output_shape: ShapeArg, sparse_values: Tensor) -> Answer:
    return output_shape
