"""Picking elements by index or condition: gather, take, where, masks, sorting."""

from __future__ import annotations

from typing import Literal

from shapecheck import values
from shapecheck.models.lang import (
    Answer,
    Axes,
    Axis,
    Blind,
    Context,
    Flag,
    ShapeArg,
    Size,
    Target,
    Tensor,
    at,
    attribute,
    never,
    op,
    result,
)
from shapecheck.models.lang.apply import joined, same
from shapecheck.models.lang.needs import Need, at_least, equal
from shapecheck.models.lang.suspicious import flattened
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.size import Size as AnySize
from shapecheck.values import Seq, Value, as_size, items_of


def _lost(why: str) -> AnySize:
    return fresh("?", Kind.LOST, why=why)


@op("tf.gather", "keras.backend.gather", was={"reference": "params"}, rung=3)
def gather(params: Tensor, indices: Tensor, axis: Axis | None = None, batch_dims: Size = 0) -> Answer:
    """The indices' axes stand in place of the axis; `batch_dims` leading axes are shared."""
    if params.rank is None or not isinstance(batch_dims, int):
        return UNRANKED
    if batch_dims < 0 and indices.rank is None:
        return UNRANKED
    batch = batch_dims + len(indices.shape.head) if batch_dims < 0 else batch_dims
    axis = batch_dims if axis is None else axis  # where negative, counted in the params
    place = axis + params.rank if axis < 0 else axis
    if not 0 <= place < params.rank:
        return result(
            UNRANKED, needs=[never("axis-range", f"axis {axis} is out of range: params has rank {params.rank}")]
        )
    if batch > place or (indices.rank is not None and batch > indices.rank):
        return UNRANKED
    shared = list(zip(params.shape.head[:batch], indices.shape.head[:batch], strict=False))
    needs = [equal("axis", x, y, f"params has {x}, indices has {y} on a batch axis") for x, y in shared]
    before, after = params.shape.head[:place], params.shape.head[place + 1 :]
    inner = Shape(indices.shape.head[batch:], indices.shape.tail)
    return result(
        joined([Shape(before), inner, Shape(after)]), needs=[*needs, *_inside(indices, params.shape.head[place])]
    )


@op("tf.batch_gather", rung=3)
def batch_gather(params: Tensor, indices: Tensor) -> Answer:
    """All axes of the indices but the last are shared."""
    if not indices.rank:
        return UNRANKED
    return gather(params, indices, indices.rank - 1, indices.rank - 1)


def _inside(indices: Tensor, size: AnySize, lowest: AnySize = 0, kind: str = "value-range") -> list[Need]:
    """Known indices must exist; building a graph does not look at them."""
    needs = []
    for number in dict.fromkeys(_numbers(indices)):
        said = f"index {number} is out of range: there are {size}"
        needs += [at_least(kind, size - 1, number, said), at_least(kind, number, lowest, said)]
    return needs


def _numbers(indices: Tensor) -> list[AnySize]:
    """The indices that are known."""
    found = map(as_size, values.walk(indices.content if indices.content is not None else indices.value))
    return [number for number in found if number is not None]


@op("tf.nn.embedding_lookup", rung=3)
def embedding_lookup(params: Tensor, ids: Tensor) -> Answer:
    """A list holds parts of one table."""
    if isinstance(params.given, Seq):
        if params.rank == 1:
            return result(UNRANKED, needs=[never("rank", f"{params.name} is a list of single numbers")])
        is_known = params.rank is not None and ids.rank is not None
        return Shape((*ids.shape.head, *params.shape.head[2:])) if is_known else UNRANKED
    return "n *E, *I -> *I *E", *(_inside(ids, params.shape.head[0]) if params.rank else [])


@op("np.take", "np.ndarray.take", rung=3)
def np_take(
    a: Tensor, indices: Tensor, axis: Axis | None = None, mode: Literal["raise", "wrap", "clip"] = "raise"
) -> Answer:
    size = a.shape.elements() if axis is None else a.shape.size(axis)
    needs = _inside(indices, size, -size, "index-range") if size is not None and mode == "raise" else []
    return take(a, indices, axis), *needs


@op("keras.ops.take", rung=3)
def take(a: Tensor, indices: Tensor, axis: Axis | None = None) -> Answer:
    if axis is None:
        return indices.shape
    if not a.rank:
        return UNRANKED
    if not -a.rank <= axis < a.rank:
        return result(UNRANKED, needs=[never("axis-range", f"axis {axis} is out of range: {a.name} has rank {a.rank}")])
    place = axis % a.rank
    return joined([Shape(a.shape.head[:place]), indices.shape, Shape(a.shape.head[place + 1 :])])


@op("tf.gather_nd", rung=3)
def gather_nd(params: Tensor, indices: Tensor, batch_dims: Size = 0) -> Answer:
    """The last axis of the indices holds positions in the first axes of the tensor."""
    if batch_dims != 0 or indices.rank is None or params.rank is None:
        return UNRANKED
    if not indices.rank:
        return result(UNRANKED, needs=[never("rank", "indices has rank 0, not at least 1")])
    depth = indices.shape.head[-1]
    if not isinstance(depth, int):
        return UNRANKED
    if depth > params.rank:
        return result(UNRANKED, needs=[never("rank", f"indices has {depth} columns, params has rank {params.rank}")])
    return Shape((*indices.shape.head[:-1], *params.shape.head[depth:]))


@op("tf.boolean_mask", rung=3)
def boolean_mask(tensor: Tensor, mask: Tensor, axis: Axis | None = 0) -> Answer:
    axis = axis or 0
    if mask.rank is None or tensor.rank is None:
        return UNRANKED
    if axis < 0:
        axis += tensor.rank
    if not mask.rank or axis + mask.rank > tensor.rank:
        return result(UNRANKED, needs=[never("rank", f"mask has rank {mask.rank}, tensor has rank {tensor.rank}")])
    pairs = zip(tensor.shape.head[axis:], mask.shape.head, strict=False)
    needs = [equal("axis", x, y, f"tensor has {x} where mask has {y}") for x, y in pairs]
    sizes = (
        *tensor.shape.head[:axis],
        fresh("?", Kind.DATA, why="as many as the mask has true entries"),
        *tensor.shape.head[axis + mask.rank :],
    )
    return result(Shape(sizes), needs=needs)


@op("tf.where_v2", was={"input": "condition"}, dtype="rest", rung=3)
def where_of_2(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Answer:
    """The one of TensorFlow 2, under a name that TensorFlow 1 has too."""
    return where(condition, x, y, Target(tensorflow=2))


@op("tf.where", was={"input": "condition"}, dtype="rest", rung=3)
def where(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None, target: Target = Target()) -> Answer:
    """With one argument the positions of what is true, one per row."""
    if x is None or y is None:
        rank = _lost("the rank") if condition.rank is None else condition.rank
        return result(Shape((fresh("?", Kind.DATA, why="as many as are true"), rank)), dtype="int64")
    return _chosen(condition, x, y) if target.tensorflow != 1 else _selected(condition, x, y)


@op("tf.compat.v1.where", dtype="rest", rung=3)
def where_before_2(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Answer:
    return where(condition, x, y, Target(tensorflow=1))


def _selected(condition: Tensor, x: Tensor, y: Tensor) -> Answer:
    """Before TensorFlow 2 nothing was broadcast, but a vector could choose among rows and a scalar among all."""
    needs = same(x, x.shape, y, y.shape)
    shape = x.shape if x.rank is not None else y.shape
    if condition.rank == 1 and x.rank is not None and x.rank > 1:
        entries, rows = condition.shape.head[0], x.shape.head[0]
        needs += [equal("axis", entries, rows, f"{condition.name} has {entries} entries, {x.name} has {rows} rows")]
    elif condition.rank is not None and condition.rank > 0:
        needs += same(condition, condition.shape, x, x.shape)
    return result(shape, needs=needs)


@op("keras.ops.where", was={"x1": "x", "x2": "y"}, dtype="rest", rung=3)
def keras_where(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Answer:
    if x is None and y is None:
        return result(*_positions(condition, "int32"))
    return np_where(condition, x, y)


@op("np.where", was={"x1": "x", "x2": "y"}, dtype="rest", rung=3)
def np_where(condition: Tensor, x: Tensor | None = None, y: Tensor | None = None) -> Answer:
    """With one argument, a tuple with one array of positions per axis."""
    if (x is None) != (y is None):
        raise Blind("one of two alternatives")
    if x is None or y is None:
        return result(*_positions(condition))
    return _chosen(condition, x, y)


def _chosen(condition: Tensor, x: Tensor, y: Tensor) -> Answer:
    parts = [condition, x, y]
    shape, claims = broadcast([part.shape for part in parts])
    said = " and ".join(f"{part.name} {part.shape}" for part in parts) + " do not broadcast"
    return result(shape, needs=[Need("broadcast", claim, said) for claim in claims])


def _positions(condition: Tensor, dtype: str = "int64") -> tuple[Value]:
    if not condition.rank:
        return (values.Lost("the rank of the condition"),)
    count = Shape((fresh("?", Kind.DATA, why="as many as are true"),))
    return (Seq("tuple", (values.Tensor(count, dtype, "np" if dtype == "int64" else "tf"),) * condition.rank),)


@op("keras.ops.nonzero", rung=3)
def keras_nonzero(x: Tensor) -> Answer:
    return result(*_positions(x, "int32")) if x.rank != 0 else UNRANKED


@op("np.nonzero", "np.ndarray.nonzero", rung=3)
def nonzero(a: Tensor) -> Answer:
    if a.rank == 0:
        return result(UNRANKED, needs=[never("rank", f"{a.name} has rank 0, not at least 1")])
    return result(*_positions(a))


@op("np.argwhere", dtype="int64", rung=3)
def argwhere(a: Tensor) -> Answer:
    return Shape((fresh("?", Kind.DATA, why="as many as are true"), _lost("the rank") if a.rank is None else a.rank))


@op("np.flatnonzero", dtype="int64")
def flatnonzero(a: Tensor) -> Answer:
    return Shape((fresh("?", Kind.DATA, why="as many as are true"),))


@op("{tf,keras.ops}.argsort", rung=2, dtype="int32")
@op("np.{argsort,ndarray.argsort}", rung=2, dtype="int64")
@op("{tf,np,keras.ops}.sort", rung=2)
def sort(a: Tensor, axis: Axis | None = -1) -> Answer:
    if a.rank == 0:
        return UNRANKED
    return "*S -> (prod(S))" if axis is None else at(axis, "d -> d")


@op("{tf.nn,tf.math,keras.ops}.top_k", returns="tuple", rung=2, dtype=",int32")
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
    return "b, b c -> b" if (targets.rank or 1) < 2 else "b c, b -> b"


@op("np.unique", rung=3, dtype=",int64")
def unique(
    ar: Tensor, return_index: Flag = False, return_inverse: Flag = False, return_counts: Flag = False, axis: Axes = None
) -> Answer:
    if axis is not None:
        return result(*[UNRANKED] * (1 + return_index + return_inverse + return_counts))
    count, total = fresh("?", Kind.DATA, why="as many as there are different ones"), ar.shape.elements()
    one = Shape((count,))
    inverse = ar.shape if total is not None else UNRANKED
    return result(one, *[one] * return_index, *[inverse] * return_inverse, *[one] * return_counts)


@op("tf.unique", returns="tuple", dtype=",int32")
def tf_unique(x: Tensor) -> Answer:
    return "n -> _, n"


@op("{np,keras.ops}.take_along_axis", rung=3)
def take_along_axis(arr: Tensor, indices: Tensor, axis: Axis | None = None) -> Answer:
    if axis is None or arr.rank is None or indices.rank is None:
        return UNRANKED
    if arr.rank != indices.rank:
        said = f"indices has rank {indices.rank}, {arr.name} has rank {arr.rank}"
        return result(UNRANKED, needs=[never("rank", said)])
    if not -arr.rank <= axis < arr.rank:
        return result(UNRANKED, needs=[never("axis-range", f"axis {axis} is out of range for rank {arr.rank}")])
    place = axis % arr.rank
    rest = [Shape(tuple(1 if at == place else size for at, size in enumerate(t.shape.head))) for t in (arr, indices)]
    shape, claims = broadcast(rest)
    said = f"{arr.name} {arr.shape} and indices {indices.shape} do not fit"
    sizes = (*shape.head[:place], indices.shape.head[place], *shape.head[place + 1 :])
    return result(Shape(sizes), needs=[Need("broadcast", claim, said) for claim in claims])


@op("tf.slice", rung=3)
def slice_(input_: Tensor, begin: ShapeArg, size: ShapeArg) -> Answer:
    if input_.rank is None or begin.tail is not None or size.tail is not None:
        return size.map(lambda want: _lost("all that is left") if want == -1 else want)
    if not input_.rank == len(begin.head) == len(size.head):
        said = f"begin has {len(begin.head)} and size {len(size.head)} entries, the tensor has rank {input_.rank}"
        return result(UNRANKED, needs=[never("rank", said)])
    sizes, needs = [], []
    for have, low, want in zip(input_.shape.head, begin.head, size.head, strict=True):
        sizes.append(have - low if want == -1 else want)
        said = f"a slice of {want} from {low} does not fit into {have}"
        needs.append(at_least("index-range", have, low + (0 if want == -1 else want), said))
        needs.append(at_least("index-range", low, 0, f"a slice starts at {low}"))
    return result(Shape(tuple(sizes)), needs=needs)


@op("tf.scatter_nd", rung=3, dtype="?")
def scatter_nd(indices: Tensor, updates: Tensor, shape: ShapeArg) -> Answer:
    wrong = [never("negative-size", f"shape is {shape}") for size in shape.head if size == -1]
    if indices.rank == 1:
        return UNRANKED
    return result(shape, needs=wrong or _scattered(shape, indices, updates))


@op("tf.tensor_scatter_nd_{update,add,max,min,sub}", "tf.tensor_scatter_{add,sub,update}", rung=3)
def tensor_scatter(tensor: Tensor, indices: Tensor, updates: Tensor) -> Answer:
    """A single place is not enough: there is a row of indices for each."""
    if indices.rank == 1:
        return result(tensor.shape, needs=[never("rank", f"{indices.name} has rank 1, not at least 2")])
    return result(tensor.shape, needs=_scattered(tensor.shape, indices, updates))


def _scattered(shape: Shape, indices: Tensor, updates: Tensor) -> list[Need]:
    """Each row of the indices names a place, whose shape the updates have."""
    if shape.tail is not None or indices.rank is None:
        return []
    if not indices.rank:
        return [never("rank", "indices has rank 0, not at least 1")]
    depth, rank = indices.shape.head[-1], len(shape.head)
    if not isinstance(depth, int):
        return []
    if depth > rank:
        return [never("rank", f"indices has {depth} columns, the target has rank {rank}")]
    return same(updates, updates.shape, indices, Shape((*indices.shape.head[:-1], *shape.head[depth:])))


@op("np.delete", rung=3)
def delete(arr: Tensor, obj: Tensor, axis: Axis | None = None) -> Answer:
    total = arr.shape.elements()
    if axis is None:
        left = total - 1 if total is not None and obj.rank == 0 else _lost("what is left")
        return result(Shape((left,)), notices=flattened(arr, "delete without axis"))
    return at(axis, "d -> (d - 1)") if obj.rank == 0 else (at(axis, "d -> n"), {"n": _lost("what is left")})


@op("np.insert", rung=3)
def insert(arr: Tensor, obj: Tensor, inserted: Tensor, axis: Axis | None = None) -> Answer:
    if axis is None:
        return result(Shape((_lost("with what is inserted"),)), notices=flattened(arr, "insert without axis"))
    return at(axis, "d -> n"), {"n": _lost("with what is inserted")}


@op("keras.ops.searchsorted", dtype="int32")
def keras_searchsorted(sorted_sequence: Tensor, values: Tensor) -> Answer:
    """Axes of size 1 may stand before."""
    return ("n, *S m -> *S m", "prod(S) == 1") if values.rank else UNRANKED


@op("np.searchsorted", dtype="int64", rung=2)
def searchsorted(a: Tensor, v: Tensor) -> Answer:
    if not v.rank:
        return UNRANKED
    return "n, *S -> *S"


@op("keras.ops.digitize", dtype="int32")
@op("np.digitize", dtype="int64")
def digitize(x: Tensor, bins: Tensor) -> Answer:
    return "*S, n -> *S"


@op("tf.reverse_sequence", oracle="none: lengths must fit")
def reverse_sequence(input: Tensor, seq_lengths: Tensor) -> Answer:
    return "*S -> *S"


@op("np.unravel_index", returns="tuple", rung=3, oracle="none: needs legal indices")
def unravel_index(indices: Tensor, shape: ShapeArg) -> Answer:
    if shape.tail is not None:
        raise Blind("the rank of the shape")
    return result(*[indices.shape] * len(shape.head), dtype="int64")


@op("tf.sparse_to_dense", rung=3, oracle="none: an old name")
def sparse_to_dense(sparse_indices: Tensor, output_shape: ShapeArg, sparse_values: Tensor) -> Answer:
    return output_shape
