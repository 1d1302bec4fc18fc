"""Functions that apply a function to the rows of tensors, or select one of several functions."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import NONE, Dict, Seq, Value, as_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.evaluate import joined
from shapecheck.models.ops.control import cond as choose
from shapecheck.models.ops.control import map_fn, row_of, stacked_rows, steady, while_loop
from shapecheck.shapes.shape import SCALAR
from shapecheck.shapes.size import Kind, Size


def _rows(ctx: Context, elems: Value) -> Size:
    first = elems.items[0] if isinstance(elems, Seq) and elems.items else elems
    shape = as_tensor(first, ctx).shape
    return shape.head[0] if shape.head else ctx.fresh("?", Kind.LOST, "the number of rows")


def _folded(ctx: Context, fn: Value, elems: Value, initializer: Value) -> Value:
    """Return the function's result for the accumulator and a row; it has the shape of the accumulator."""
    start = row_of(ctx, elems) if initializer == NONE else initializer
    after = ctx.freeze(ctx.call(fn, [start, row_of(ctx, elems)]))
    if ctx.target.classic_variables:
        steady(ctx, start, after)
    return joined([_tensors(start, ctx), _tensors(after, ctx)], ctx)


def _tensors(value: Value, ctx: Context) -> Value:
    if isinstance(value, Seq) and value.kind in ("tuple", "list"):
        return Seq(value.kind, tuple(_tensors(item, ctx) for item in value.items))
    return as_tensor(value, ctx)


@behaviour("tf.{foldl,foldr}")
def fold(ctx: Context, fn: Value, elems: Value, initializer: Value = NONE, **others: Value) -> Value:
    return _folded(ctx, fn, elems, initializer)


@behaviour("tf.scan")
def scan(ctx: Context, fn: Value, elems: Value, initializer: Value = NONE, **others: Value) -> Value:
    """Return all values of the accumulator, one for each row."""
    return stacked_rows(_folded(ctx, fn, elems, initializer), _rows(ctx, elems), ctx)


@behaviour("keras.ops.{map,vectorized_map}")
def keras_map(ctx: Context, f: Value, xs: Value) -> Value:
    return map_fn(ctx, f, xs)


@behaviour("keras.ops.cond")
def keras_cond(ctx: Context, pred: Value, true_fn: Value, false_fn: Value) -> Value:
    return choose(ctx, pred, true_fn, false_fn)


@behaviour("keras.ops.while_loop")
def keras_while(ctx: Context, cond: Value, body: Value, loop_vars: Value, maximum_iterations: Value = NONE) -> Value:
    return while_loop(ctx, cond, body, loop_vars)


@behaviour("keras.ops.fori_loop")
def fori_loop(ctx: Context, lower: Value, upper: Value, body_fun: Value, init_val: Value) -> Value:
    index = values.Tensor(SCALAR, "int32", "tf")
    after = ctx.freeze(ctx.call(body_fun, [index, init_val]))
    return joined([_tensors(init_val, ctx), _tensors(after, ctx)], ctx)


@behaviour("keras.ops.scan")
def keras_scan(ctx: Context, f: Value, init: Value, xs: Value = NONE, length: Value = NONE, **others: Value) -> Value:
    """Return the last value of the accumulator, and the stacked outputs."""
    row = row_of(ctx, xs) if xs != NONE else NONE
    after = ctx.freeze(ctx.call(f, [init, row]))
    if not isinstance(after, Seq) or len(after.items) != 2:
        return ctx.lost("what a scan makes")
    count = as_size(length) if xs == NONE else _rows(ctx, xs)
    rows = ctx.fresh("?", Kind.LOST, "the number of rows") if count is None else count
    made = NONE if after.items[1] == NONE else stacked_rows(after.items[1], rows, ctx)
    return Seq("tuple", (joined([_tensors(init, ctx), _tensors(after.items[0], ctx)], ctx), made))


@behaviour("tf.{case,switch_case}")
def case(ctx: Context, pred_fn_pairs: Value = NONE, branch_fns: Value = NONE, *args: Value, **others: Value) -> Value:
    """Return the result of one of the functions."""
    table = branch_fns if branch_fns != NONE else pred_fn_pairs
    functions = _functions(table, paired=branch_fns == NONE)
    if not functions:
        return ctx.lost("one of several functions")
    if (default := others.get("default", NONE)) != NONE:
        functions.append(default)
    return joined([ctx.freeze(result) for result in ctx.call_independently(functions)], ctx)


def _functions(table: Value, paired: bool) -> list[Value]:
    """Return the functions of a list, of pairs with numbers or conditions, or of a dictionary."""
    if isinstance(table, Dict):
        return [function for _, function in table.items]
    if not isinstance(table, Seq):
        return []
    pairs = [item.items for item in table.items if isinstance(item, Seq) and len(item.items) == 2]
    if len(pairs) == len(table.items):
        return [second for _, second in pairs]
    return [] if paired else list(table.items)


@behaviour("keras.ops.associative_scan")
def associative_scan(ctx: Context, f: Value, elems: Value, *rest: Value, **others: Value) -> Value:
    return elems


@behaviour("np.frompyfunc", "keras.ops.{switch,vectorize,custom_gradient,jvp}")
def of_a_function(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what is made of a function")
