"""Functions that apply a function to the rows of tensors."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.agreement import (
    dtype_difference,
    is_converted,
    shapes_differ,
    structure_difference,
    tensor_kind,
)
from shapecheck.domain.values import NONE, Const, Dict, Library, Lost, Ref, Seq, Tensor, Value, as_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.evaluate import joined
from shapecheck.models.ops.control import builds_graph
from shapecheck.models.ops.loops import keeps_kinds, symbolic, tensors
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size
from shapecheck.shapes.symbol import next_serial

# Rows ---------------------------------------------------------------------------------------------------------------


def row_of(ctx: Context, value: Value) -> Value:
    """Return one entry along the first axis; sequences are structures, never arrays."""
    match value:
        case Seq(kind="tuple" | "list" as kind, items=items):
            return Seq(kind, tuple(row_of(ctx, item) for item in items))
        case Dict(items=items, rest=None):
            return Dict(tuple((key, row_of(ctx, item)) for key, item in items))
        case Lost() | Dict():
            return ctx.lost("a row of what is not known")
    tensor = as_tensor(value, ctx)
    if not tensor.shape.head:
        return Tensor(dtype=tensor.dtype, library="tf")
    return Tensor(Shape(tensor.shape.head[1:], tensor.shape.tail), tensor.dtype, "tf")


def stacked_rows(value: Value, length: Size, ctx: Context) -> Value:
    if isinstance(value, Seq):
        return Seq(value.kind, tuple(stacked_rows(item, length, ctx) for item in value.items))
    if isinstance(value, Dict):
        return replace(value, items=tuple((key, stacked_rows(item, length, ctx)) for key, item in value.items))
    if isinstance(value, Lost):
        return value  # which may be several results
    tensor = as_tensor(value, ctx)
    return Tensor(Shape((length, *tensor.shape.head), tensor.shape.tail), tensor.dtype, "tf")


def _count(ctx: Context, elems: Value) -> Size:
    """Return the number of rows."""
    first = elems.items[0] if isinstance(elems, Seq) and elems.items else elems
    if isinstance(elems, Dict):
        first = next((item for _, item in elems.items), elems)
    shape = as_tensor(first, ctx).shape
    return shape.head[0] if shape.head else ctx.fresh("?", Kind.LOST, "the number of rows")


# Maps ---------------------------------------------------------------------------------------------------------------


@behaviour("tf.map_fn")
def map_fn(
    ctx: Context,
    fn: Value,
    elems: Value,
    dtype: Value = NONE,
    parallel_iterations: Value = NONE,
    back_prop: Value = NONE,
    swap_memory: Value = NONE,
    infer_shape: Value = NONE,
    name: Value = NONE,
    fn_output_signature: Value = NONE,
) -> Value:
    """Return the function's results, stacked along a new first axis; they are as declared, or like the rows."""
    row = row_of(ctx, elems)
    result = ctx.freeze(ctx.call_inside(fn, [symbolic(ctx, row)]))
    said = ctx.freeze(fn_output_signature if fn_output_signature != NONE else dtype)
    declared = _declared(ctx, said) if said != NONE else _undeclared(row)
    _check(ctx, declared, result, "is declared" if said != NONE else "is expected, as the rows are")
    return stacked_rows(_completed(result, declared), _count(ctx, elems), ctx)


def _completed(result: Value, declared: Value) -> Value:
    """Return the result of a function with the declared values for those that are not known."""
    match result, declared:
        case Seq(items=items), Seq(items=wanted) if len(items) == len(wanted):
            return Seq(result.kind, tuple(map(_completed, items, wanted)))
        case Lost(), Seq() | Dict() | Tensor():
            return declared
    return result


@behaviour("tf.vectorized_map", "keras.ops.vectorized_map")
def vectorized_map(ctx: Context, fn: Value, elems: Value, **options: Value) -> Value:
    """The function is traced once for all rows, also eagerly, and AutoGraph does not convert it."""
    result = ctx.call_in_graph(fn, [symbolic(ctx, row_of(ctx, elems))], is_converted=False)
    return stacked_rows(ctx.freeze(result), _count(ctx, elems), ctx)


@behaviour("keras.ops.map")
def keras_map(ctx: Context, f: Value, xs: Value) -> Value:
    """Return the function's results, stacked along a new first axis."""
    return stacked_rows(ctx.freeze(ctx.call(f, [row_of(ctx, xs)])), _count(ctx, xs), ctx)


def _undeclared(row: Value) -> Value:
    """Return the result that is expected where none is declared: of the structure and the dtypes of a row."""
    match row:
        case Seq(items=items):
            return Seq(row.kind, tuple(map(_undeclared, items)))
        case Dict(items=pairs):
            return Dict(tuple((key, _undeclared(item)) for key, item in pairs))
        case Tensor():
            return Tensor(UNRANKED, row.dtype, "tf")
    return row


def _declared(ctx: Context, signature: Value) -> Value:
    """Return the result that a structure of dtypes and of `tf.TensorSpec` declares."""
    match signature:
        case Seq(items=items):
            return Seq(signature.kind, tuple(_declared(ctx, item) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, _declared(ctx, item)) for key, item in pairs))
        case Library() | Const(value=str()):
            return Tensor(UNRANKED, dtype_name(signature), "tf")
        case Ref(cls="tf.TensorSpec"):
            shape = ctx.get(signature, "shape")
            known = UNRANKED if shape in (None, NONE) else shape_arg(ctx.freeze(shape), ctx)
            return Tensor(known, dtype_name(ctx.get(signature, "dtype") or NONE), "tf")
    return ctx.lost("a result of an unknown type")


def _check(ctx: Context, declared: Value, result: Value, how: str) -> None:
    """State that a function returns what is declared: Python's numbers become tensors of the declared dtype."""
    differ = structure_difference(declared, result)
    if differ is not None:
        ctx.require(ClashKind.DECLARED, FALSE, f"the function returns {differ[1]}, {differ[0]} {how}", result)
    elif isinstance(declared, Seq) and isinstance(result, Seq):
        for wanted, given in zip(declared.items, result.items, strict=True):
            _check(ctx, wanted, given, how)
    elif isinstance(declared, Dict) and isinstance(result, Dict):
        for key, wanted in declared.items:
            _check(ctx, wanted, result.get(key) or wanted, how)
    else:
        _check_tensor(ctx, declared, result, how)


def _check_tensor(ctx: Context, declared: Value, result: Value, how: str) -> None:
    wanted, given = tensor_kind(declared), tensor_kind(result)
    differ = dtype_difference(declared, result)
    if differ is not None and not is_converted(result, differ[0]):
        ctx.require(ClashKind.DECLARED, FALSE, f"the function returns {differ[1]}, {differ[0]} {how}", result)
    elif wanted and given and given.shape.is_ranked and shapes_differ(wanted, given, next_serial()):
        said = f"the function returns shape {given.shape}, {wanted.shape} {how}"
        ctx.require(ClashKind.DECLARED, FALSE, said, result)


# Accumulators -------------------------------------------------------------------------------------------------------


@behaviour("tf.{foldl,foldr}")
def fold(ctx: Context, fn: Value, elems: Value, initializer: Value = NONE, **others: Value) -> Value:
    """Return the last accumulator, which keeps its dtype and shape in a graph alone."""
    return _accumulated(ctx, fn, elems, initializer, is_strict=builds_graph(ctx))


@behaviour("tf.scan")
def scan(ctx: Context, fn: Value, elems: Value, initializer: Value = NONE, **others: Value) -> Value:
    """Return all values of the accumulator, one for each row."""
    is_strict = builds_graph(ctx) or others.get("infer_shape", NONE) != values.FALSE
    return stacked_rows(_accumulated(ctx, fn, elems, initializer, is_strict=is_strict), _count(ctx, elems), ctx)


def _accumulated(ctx: Context, fn: Value, elems: Value, initializer: Value, *, is_strict: bool) -> Value:
    """Return the function's result for the accumulator and a row; it has the shape of the accumulator."""
    start = row_of(ctx, elems) if initializer == NONE else ctx.freeze(initializer)
    since = next_serial()
    after = ctx.freeze(ctx.call_inside(fn, [symbolic(ctx, start), symbolic(ctx, row_of(ctx, elems))]))
    differ = structure_difference(start, after)
    if differ is not None:
        said = f"the function returns {differ[1]}, its accumulator is {differ[0]}"
        ctx.require(ClashKind.DECLARED, FALSE, said, start)
    elif is_strict:
        keeps_kinds(ctx, [start], (after,), since)
    results = [tensors(start, ctx), tensors(_completed(after, _undeclared(start)), ctx)]
    return joined(results, ctx, is_open=ctx.is_in_graph)


@behaviour("keras.ops.scan")
def keras_scan(ctx: Context, f: Value, init: Value, xs: Value = NONE, length: Value = NONE, **others: Value) -> Value:
    """Return the last value of the accumulator, and the stacked outputs."""
    row = row_of(ctx, xs) if xs != NONE else NONE
    after = ctx.freeze(ctx.call(f, [init, row]))
    if not isinstance(after, Seq) or len(after.items) != 2:
        return ctx.lost("what a scan makes")
    count = as_size(length) if xs == NONE else _count(ctx, xs)
    rows = ctx.fresh("?", Kind.LOST, "the number of rows") if count is None else count
    made = NONE if after.items[1] == NONE else stacked_rows(after.items[1], rows, ctx)
    last = joined([tensors(init, ctx), tensors(after.items[0], ctx)], ctx, is_open=ctx.is_in_graph)
    return Seq("tuple", (last, made))


@behaviour("keras.ops.associative_scan")
def associative_scan(ctx: Context, f: Value, elems: Value, *rest: Value, **others: Value) -> Value:
    return elems


@behaviour("np.frompyfunc", "keras.ops.{switch,vectorize,custom_gradient,jvp}")
def of_a_function(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what is made of a function")
