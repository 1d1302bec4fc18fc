"""Ragged tensors, whose rows differ in length: only the number of rows is known."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Value, as_size, items_of
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size

ROLE = "ragged"
CLASS = "tf.RaggedTensor"


def ragged(rows: Size | None, dtype: str | None = None) -> values.Tensor:
    shape = UNRANKED if rows is None else Shape((rows,), ())
    return values.Tensor(shape, dtype, "tf", role=ROLE)


def _length(value: Value, ctx: Context) -> Size | None:
    shape = as_tensor(value, ctx).shape
    return shape.head[0] if shape.head else None


@behaviour("tf.ragged.constant", "tf.ragged.constant_value")
def constant(ctx: Context, pylist: Value, *rest: Value, **others: Value) -> Value:
    """A list of numbers is not ragged, but a plain tensor; so is a number."""
    plain = as_tensor(pylist, ctx)
    _require_depth(ctx, plain, others.get("ragged_rank", NONE))
    if others.keys() <= {"dtype", "name"} and not rest and plain.content is not None and plain.shape.rank in (0, 1):
        return values.Tensor(plain.shape, dtype_name(others.get("dtype", NONE)) or plain.dtype, "tf")
    items = items_of(pylist)
    return ragged(len(items) if items is not None else _length(pylist, ctx))


def _require_depth(ctx: Context, plain: values.Tensor, ragged_rank: Value) -> None:
    """State that numbers lie deeper than the axes that are to be ragged; empty lists may stand for any depth."""
    rank, axes = plain.shape.rank, as_size(ragged_rank)
    is_known = plain.content is not None and 0 not in plain.shape.head
    if is_known and isinstance(axes, int) and rank is not None and axes >= rank:
        said = f"the numbers lie in {rank} lists, ragged_rank={axes} takes at least {axes + 1}"
        ctx.require(ClashKind.RANK, FALSE, said, plain)


@behaviour(f"{CLASS}.{{from_row_lengths,from_row_starts,from_row_limits}}")
def from_lengths(ctx: Context, values: Value, partition: Value = NONE, **others: Value) -> Value:
    """There is one length, start or end for each row."""
    told = next((others[name] for name in ("row_lengths", "row_starts", "row_limits") if name in others), partition)
    return ragged(_length(told, ctx), as_tensor(values, ctx).dtype)


@behaviour(f"{CLASS}.from_row_splits")
def from_splits(ctx: Context, values: Value, row_splits: Value, **others: Value) -> Value:
    """There is one split more than rows."""
    length = _length(row_splits, ctx)
    return ragged(None if length is None else length - 1, as_tensor(values, ctx).dtype)


@behaviour(f"{CLASS}.from_tensor")
def from_tensor(ctx: Context, tensor: Value, *rest: Value, **others: Value) -> Value:
    return ragged(_length(tensor, ctx), as_tensor(tensor, ctx).dtype)


@behaviour(
    f"{CLASS}.{{from_value_rowids,from_uniform_row_length,from_sparse,from_nested_row_splits}}",
    f"{CLASS}.{{from_nested_row_lengths,from_nested_value_rowids}}",
    "tf.ragged.{range,stack,boolean_mask,cross,cross_hashed,stack_dynamic_partitions}",
    "tf.ragged.segment_ids_to_row_splits",
    "tf.ragged.row_splits_to_segment_ids",
    "tf.ragged_fill_empty_rows",
    "tf.strings.{bytes_split,unicode_split,unicode_decode,split,ngrams}",
)
def made(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ragged(None)


@behaviour(f"{CLASS}.to_tensor", "tf.Tensor.to_tensor")
def to_tensor(ctx: Context, self: Value, *rest: Value, **others: Value) -> Value:
    """Return a tensor with all rows; how long they are, and what is in them, is not known."""
    rows = _length(self, ctx)
    return values.Tensor(UNRANKED if rows is None else Shape((rows,), ()), as_tensor(self, ctx).dtype, "tf")


@behaviour(f"{CLASS}.nrows")
def nrows(ctx: Context, self: Value, *rest: Value, **others: Value) -> Value:
    return values.Tensor(SCALAR, None, "tf")


@behaviour(f"{CLASS}.{{row_starts,row_limits}}")
def bounds(ctx: Context, self: Value) -> Value:
    return values.Tensor(Shape((_length(self, ctx) or lost("number of rows"),)), None, "tf")


@behaviour(f"{CLASS}.row_lengths")
def row_lengths(ctx: Context, self: Value, axis: Value = values.Const(1), **others: Value) -> Value:
    """Return a length for each row; rows inside of others are counted by ragged lengths."""
    return bounds(ctx, self) if axis == values.Const(1) else ctx.lost("lengths of inner rows")


@behaviour(f"{CLASS}.value_rowids")
def value_rowids(ctx: Context, self: Value) -> Value:
    return values.Tensor(Shape((lost("number of values"),)), None, "tf")


@attribute(f"{CLASS}.row_splits")
def row_splits(ctx: Context, self: Value) -> Value:
    rows = _length(self, ctx)
    return values.Tensor(Shape((lost("number of splits") if rows is None else rows + 1,)), None, "tf")


@attribute(f"{CLASS}.values")
def inner_values(ctx: Context, self: Value) -> Value:
    """Return the values of all rows, which are ragged themselves if the rows are."""
    return values.Tensor(UNRANKED, as_tensor(self, ctx).dtype, "tf")


@behaviour("tf.ragged.map_flat_values")
def map_flat_values(ctx: Context, op: Value, *args: Value, **keywords: Value) -> Value:
    """Apply a function to the values of all rows, of which the result has as many."""
    inside = [_flat(ctx, arg) for arg in args]
    ctx.call(op, inside, {name: _flat(ctx, value) for name, value in keywords.items()})
    rows = next((_length(arg, ctx) for arg in (*args, *keywords.values()) if _is_ragged(arg)), None)
    return ragged(rows)


def _is_ragged(value: Value) -> bool:
    return isinstance(value, values.Tensor) and value.role == ROLE


def _flat(ctx: Context, value: Value) -> Value:
    return flat_values(ctx, value) if _is_ragged(value) else value


@attribute(f"{CLASS}.flat_values")
def flat_values(ctx: Context, self: Value) -> Value:
    return values.Tensor(Shape((lost("number of values"),), ()), as_tensor(self, ctx).dtype, "tf")


@behaviour(f"{CLASS}.bounding_shape")
def bounding_shape(ctx: Context, self: Value, axis: Value = NONE, **others: Value) -> Value:
    """Return the size of the smallest tensor that holds all rows; along one axis alone it is a number."""
    return values.Tensor(Shape((lost("rank"),)) if axis == NONE else UNRANKED, None, "tf")


@behaviour(f"{CLASS}.to_sparse")
@behaviour(f"{CLASS}.{{merge_dims,with_values,with_flat_values,nested_row_lengths,consumers,numpy,to_list}}")
def asked(ctx: Context, self: Value, *rest: Value, **others: Value) -> Value:
    return ctx.lost("what a ragged tensor holds")


@attribute(f"{CLASS}.{{nested_row_splits,ragged_rank,uniform_row_length}}")
def parts(ctx: Context, self: Value) -> Value:
    return ctx.lost("what a ragged tensor holds")


base(CLASS, "tf.Tensor")
