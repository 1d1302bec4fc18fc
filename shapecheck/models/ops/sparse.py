"""Sparse tensors: tensors of a known shape that store only nonzero elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Value
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Blind,
    Context,
    Flag,
    Result,
    ShapeArg,
    Size,
    Tensor,
    Tensors,
    attribute,
    behaviour,
    equal,
    never,
    op,
    reduced,
    result,
)
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.constraints import Need
from shapecheck.models.ops.join import concatenated, some
from shapecheck.models.ops.reshape import reshape as reshape_dense
from shapecheck.models.ops.reshape import transpose as transpose_dense
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind

ROLE = "sparse"


def sparse(shape: Shape, like: Tensor, needs: Sequence[Need] = ()) -> Answer:
    """Return a sparse tensor of a shape."""
    return result(values.Tensor(shape, like.dtype, "tf", role=ROLE), needs=needs)


def _as_dense(model: Callable[..., Answer], sp_input: Tensor, *args: object) -> Answer:
    """Return the answer of a model of dense tensors, for a sparse one."""
    try:
        answer = model(sp_input, *args)
    except Blind:
        answer = UNRANKED
    if isinstance(answer, Shape):
        return sparse(answer, sp_input)
    if isinstance(answer, Result) and isinstance(answer.outputs[0], Shape):
        return sparse(answer.outputs[0], sp_input, answer.needs)
    raise Blind("a sparse tensor")


# Making --------------------------------------------------------------------------------------------------------------


@behaviour("tf.SparseTensorValue")
def plain(ctx: Context, indices: Value, values: Value, dense_shape: Value) -> Value:
    """A named tuple of arrays, which checks nothing."""
    return replace(_value(shape_arg(dense_shape, ctx), as_tensor(values, ctx).dtype), library="np")


@behaviour("tf.SparseTensor", "tf.sparse.SparseTensor")
def make(ctx: Context, indices: Value, values: Value, dense_shape: Value) -> Value:
    """There is a row of indices for each value, and an index for each axis."""
    where, what = as_tensor(indices, ctx), as_tensor(values, ctx)
    shape = shape_arg(dense_shape, ctx)
    if where.shape.rank == 2 and what.shape.rank == 1 and where.shape.head[0] != 0:
        rows, given = where.shape.head[0], what.shape.head[0]
        said = f"indices has {rows} rows, values has {given} elements"
        ctx.require(ClashKind.AXIS, equal(ClashKind.AXIS, rows, given, said).claim, said, where, what)
        if shape.tail is None:
            said = f"indices has {where.shape.head[1]} columns, dense_shape has {len(shape.head)} entries"
            ctx.require(
                ClashKind.AXIS, equal(ClashKind.AXIS, where.shape.head[1], len(shape.head), said).claim, said, where
            )
    return _value(shape, what.dtype)


def _value(shape: Shape, dtype: str | None) -> values.Tensor:
    return values.Tensor(shape, dtype, "tf", role=ROLE)


@op("tf.sparse.from_dense")
def from_dense(tensor: Tensor) -> Answer:
    return sparse(tensor.shape, tensor)


@op("tf.sparse.eye")
def eye(num_rows: Size, num_columns: Size | None = None, dtype: AnyValue = NONE) -> Answer:
    shape = Shape((num_rows, num_rows if num_columns is None else num_columns))
    return result(_value(shape, "float32" if dtype == NONE else dtype_name(dtype)))


@op("tf.sparse.to_dense", "tf.sparse_tensor_to_dense")
def to_dense(sp_input: Tensor) -> Answer:
    return "*S -> *S"


@op("tf.sparse.to_indicator", "tf.sparse_to_indicator", dtype="bool", oracle="none: takes legal indices")
def to_indicator(sp_input: Tensor, vocab_size: Size) -> Answer:
    return "*S _ -> *S {v}", {"v": vocab_size}


# The same shape ------------------------------------------------------------------------------------------------------


@op("tf.sparse.softmax", "tf.sparse_softmax")
def softmax(sp_input: Tensor) -> Answer:
    short = sp_input.rank is not None and sp_input.rank < 2
    needs = [never(ClashKind.RANK, f"{sp_input.name} has rank {sp_input.rank}, at least 2 is needed")] if short else []
    return sparse(sp_input.shape, sp_input, needs)


@op("tf.sparse.reorder", "tf.sparse_reorder")
@op("tf.sparse.retain", "tf.sparse_retain", oracle="none: as many flags as values")
def kept(sp_input: Tensor) -> Answer:
    return sparse(sp_input.shape, sp_input)


@op("tf.sparse.{maximum,minimum}", "tf.sparse_{maximum,minimum}")
def paired(sp_a: Tensor, sp_b: Tensor) -> Answer:
    return sparse(sp_a.shape, sp_a, same(sp_a, sp_a.shape, sp_b, sp_b.shape))


@op("tf.sparse.add", "tf.sparse_add", oracle="none: two kinds of operands")
def add(sp_a: Tensor, sp_b: Tensor) -> Answer:
    """The sum of two sparse tensors is sparse; with a dense one it is dense."""
    both = all(getattr(each.value, "role", "") == ROLE for each in (sp_a, sp_b))
    needs = same(sp_a, sp_a.shape, sp_b, sp_b.shape) if both else []
    return sparse(sp_a.shape, sp_a, needs) if both else UNRANKED


@behaviour("tf.sparse.map_values")
def map_values(ctx: Context, op: Value, *args: Value, **keywords: Value) -> Value:
    found = next((arg for arg in args if isinstance(arg, values.Tensor) and arg.role == ROLE), None)
    return replace(found, step=0, output=0) if found is not None else ctx.lost("a sparse tensor")


# Other shapes --------------------------------------------------------------------------------------------------------


@op("tf.sparse.transpose", "tf.sparse_transpose", was={"perm": "axes"})
def transpose(sp_input: Tensor, axes: Axes = None) -> Answer:
    return _as_dense(transpose_dense, sp_input, axes)


@op("tf.sparse.reshape", "tf.sparse_reshape")
def reshape(sp_input: Tensor, shape: ShapeArg) -> Answer:
    return _as_dense(reshape_dense, sp_input, shape)


@op(
    "tf.sparse.concat",
    "tf.sparse_concat",
    was={"expand_nonconcat_dim": "expand_nonconcat_dims"},
    oracle="none: takes lists of sparse tensors",
)
def concat(axis: Axis, sp_inputs: Tensors, expand_nonconcat_dims: Flag = False) -> Answer:
    """Tensors that are shorter along other axes may be padded; for a single one, the axis is not looked at."""
    first = some(sp_inputs, "join")[0]
    if sp_inputs.count == 1 or expand_nonconcat_dims:
        return sparse(first.shape if sp_inputs.count == 1 else UNRANKED, first)
    return _as_dense(lambda _: concatenated(sp_inputs, axis), first)


@op("tf.sparse.expand_dims", oracle="none: a new axis of a sparse tensor")
def expand_dims(sp_input: Tensor, axis: Axis = -1) -> Answer:
    return sparse(_inserted(sp_input.shape, axis), sp_input)


def _inserted(shape: Shape, axis: int) -> Shape:
    """Return the shape with a new axis, of size 1."""
    if shape.rank is None or not -shape.rank - 1 <= axis <= shape.rank:
        return UNRANKED
    place = axis % (shape.rank + 1)
    return Shape((*shape.head[:place], 1, *shape.head[place:]))


@op("tf.sparse.{slice,reset_shape}", "tf.sparse_{slice,reset_shape}", oracle="none: what is left")
@op("tf.sparse.{cross,cross_hashed,mask,sampled_addmm}", "tf.sparse_{mask,merge}", oracle="none: several forms")
def unknown(sp_input: Tensor) -> Answer:
    return sparse(UNRANKED, sp_input)


@op("tf.sparse.bincount", oracle="none: as many as the largest")
def bincount(sp_input: Tensor) -> Answer:
    return sparse(UNRANKED, sp_input)


@op("tf.sparse.split", "tf.sparse_split", oracle="none: order of parameters differs between versions")
def split(sp_input: Tensor) -> Answer:
    return result(values.Lost("parts of a sparse tensor"))


@op("tf.sparse.fill_empty_rows", "tf.sparse_fill_empty_rows", oracle="none: takes a default")
def fill_empty_rows(sp_input: Tensor) -> Answer:
    rows = Shape(sp_input.shape.head[:1]) if sp_input.rank else UNRANKED
    return result(_value(sp_input.shape, sp_input.dtype), values.Tensor(rows, "bool"))


WAS = {"keep_dims": "keepdims", "reduction_axes": "axis"}


@op("tf.sparse.{reduce_sum,reduce_max}", "tf.sparse_{reduce_sum,reduce_max}", was=WAS)
@op("tf.sparse_{reduce_sum,reduce_max}_sparse", was=WAS, oracle="none: a sparse result")
def reduce(sp_input: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """An axis may be repeated."""
    if axis is not None and sp_input.rank and all(-sp_input.rank <= each < sp_input.rank for each in axis):
        axis = tuple(dict.fromkeys(each % sp_input.rank for each in axis))
    return reduced(axis, keepdims)


# Parts ---------------------------------------------------------------------------------------------------------------


@attribute("tf.SparseTensor.values")
def numbers(ctx: Context, self: Value) -> Value:
    return values.Tensor(Shape((ctx.fresh("?", Kind.LOST, "as many as are not zero"),)), as_tensor(self, ctx).dtype)


@attribute("tf.SparseTensor.indices")
def places(ctx: Context, self: Value) -> Value:
    rank = as_tensor(self, ctx).shape.rank
    columns = ctx.fresh("?", Kind.LOST, "the rank") if rank is None else rank
    return values.Tensor(Shape((ctx.fresh("?", Kind.LOST, "as many as are not zero"), columns)), "int64")


@attribute("tf.SparseTensor.dense_shape")
def dense_shape(ctx: Context, self: Value) -> Value:
    return ctx.apply("tf.shape", self)


@behaviour("tf.SparseTensor.with_values")
def with_values(ctx: Context, self: Value, *rest: Value, **others: Value) -> Value:
    return replace(self, step=0, output=0) if isinstance(self, values.Tensor) else ctx.lost("a sparse tensor")
