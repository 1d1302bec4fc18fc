"""Functions that call functions: conditions, maps and loops."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Const, Dict, Seq, Value, as_bool, as_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.evaluate import joined
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size


@behaviour("tf.cond")
def cond(
    ctx: Context,
    pred: Value = NONE,
    true_fn: Value = NONE,
    false_fn: Value = NONE,
    fn1: Value = NONE,
    fn2: Value = NONE,
) -> Value:
    """Return the result of either function."""
    arms = (true_fn if true_fn != NONE else fn1, false_fn if false_fn != NONE else fn2)
    known = as_bool(pred.content if isinstance(pred, values.Tensor) and pred.content is not None else pred)
    if known is not None:
        return ctx.freeze(ctx.call(arms[0 if known else 1], []))
    return joined([ctx.freeze(result) for result in ctx.call_independently(arms)], ctx)


@behaviour("tf.{map_fn,vectorized_map}")
def map_fn(ctx: Context, fn: Value, elems: Value, dtype: Value = NONE) -> Value:
    """Return the function's results, stacked along a new first axis."""
    size = ctx.fresh("?", Kind.LOST, "the length of what is mapped")
    first = elems.items[0] if isinstance(elems, Seq) and elems.items else elems
    shape = as_tensor(first, ctx).shape
    length = shape.head[0] if shape.head else size
    return stacked_rows(ctx.freeze(ctx.call(fn, [row_of(ctx, elems)])), length, ctx)


def row_of(ctx: Context, value: Value) -> Value:
    """Return one entry along the first axis."""
    match value:
        case Seq(kind="tuple" | "list" as kind, items=items) if any(isinstance(item, values.Tensor) for item in items):
            return Seq(kind, tuple(row_of(ctx, item) for item in items))
        case Dict(items=items):
            return Dict(tuple((key, row_of(ctx, item)) for key, item in items))
    tensor = as_tensor(value, ctx)
    if not tensor.shape.head:
        return values.Tensor(dtype=tensor.dtype, library="tf")
    return values.Tensor(Shape(tensor.shape.head[1:], tensor.shape.tail), tensor.dtype, "tf")


def stacked_rows(value: Value, length: Size, ctx: Context) -> Value:
    if isinstance(value, Seq):
        return Seq(value.kind, tuple(stacked_rows(item, length, ctx) for item in value.items))
    tensor = as_tensor(value, ctx)
    return values.Tensor(Shape((length, *tensor.shape.head), tensor.shape.tail), tensor.dtype, "tf")


@behaviour("tf.py_function", "tf.{py_func,numpy_function}")
def py_function(ctx: Context, func: Value = NONE, inp: Value = NONE, Tout: Value = NONE) -> Value:  # noqa: N803
    """Shapes are not propagated: the results are unranked. The function's side effects happen later."""
    ctx.call(ctx.lost("a function that runs outside the graph"), [func])
    if isinstance(Tout, Seq):
        return Seq("list", tuple(values.Tensor(library="tf") for _ in Tout.items))
    return values.Tensor(library="tf")


@behaviour("tf.while_loop")
def while_loop(ctx: Context, cond: Value, body: Value, loop_vars: Value, shape_invariants: Value = NONE) -> Value:
    """Invariant variables keep their shape; others have the declared one, or what all iterations have in common.

    The body is traced for the first iteration, which finds its own mistakes, and for any other one if a shape changed.
    """
    if not isinstance(loop_vars, Seq):
        return ctx.lost("loop variables")
    if isinstance(shape_invariants, Seq) and len(shape_invariants.items) == len(loop_vars.items):
        pairs = list(zip(loop_vars.items, shape_invariants.items, strict=True))
        declared = [_declared(ctx, variable, invariant) for variable, invariant in pairs]
        ctx.call(body, declared)
        return Seq("list", tuple(declared))
    after = ctx.freeze(ctx.call(body, list(loop_vars.items)))
    if shape_invariants != NONE or not isinstance(after, Seq) or len(after.items) != len(loop_vars.items):
        return Seq("list", tuple(values.Tensor(library="tf") for _ in loop_vars.items))
    pairs = list(zip(loop_vars.items, after.items, strict=True))
    if ctx.target.classic_variables:
        for before, later in pairs:
            steady(ctx, before, later)
    kept = [_kept(ctx, before, later) for before, later in pairs]
    if not ctx.target.classic_variables and any(_is_other(a, b) for a, b in zip(kept, loop_vars.items, strict=True)):
        ctx.call(body, kept)
    return Seq("list", tuple(kept))


def _kept(ctx: Context, before: Value, after: Value) -> Value:
    """Return what a loop variable has in common before and after an iteration."""
    if not isinstance(after, values.Tensor):
        return after
    return joined([as_tensor(before, ctx), as_tensor(after, ctx)], ctx)


def _declared(ctx: Context, variable: Value, invariant: Value) -> Value:
    """Return a value for a loop variable in any iteration."""
    if isinstance(variable, Seq) and isinstance(invariant, Seq) and invariant.kind != "shape":
        pairs = zip(variable.items, invariant.items, strict=False)
        return Seq(variable.kind, tuple(_declared(ctx, inner, shape) for inner, shape in pairs))
    tensor = as_tensor(variable, ctx)
    shape = UNRANKED
    if isinstance(invariant, Seq) and invariant.kind == "shape":
        kind = Kind.DYNAMIC if ctx.target.classic_variables else Kind.LOST
        sizes = (as_size(item) for item in invariant.items)
        any_size = "a size that may change from turn to turn"
        shape = Shape(tuple(size if isinstance(size, int) else ctx.fresh("?", kind, any_size) for size in sizes))
    return values.Tensor(shape, tensor.dtype, "tf")


def _is_other(kept: Value, before: Value) -> bool:
    """Return whether a loop variable has another shape in some iteration than before the loop."""
    return isinstance(kept, values.Tensor) and isinstance(before, values.Tensor) and kept.shape != before.shape


def steady(ctx: Context, before: Value, after: Value) -> None:
    """In a graph, a loop variable keeps its shape."""
    if isinstance(before, Seq) and isinstance(after, Seq) and len(before.items) == len(after.items):
        for inner, outer in zip(before.items, after.items, strict=True):
            steady(ctx, inner, outer)
    if isinstance(after, values.Tensor) and isinstance(before, (values.Tensor, Const)):
        start = as_tensor(before, ctx)
        if start.static and after.static and start.shape.rank is not None and after.shape.rank is not None:
            _keep_shape(ctx, before, start.shape, after.shape)


def _keep_shape(ctx: Context, variable: Value, start: Shape, after: Shape) -> None:
    """State that a loop variable has the same rank and known sizes after an iteration."""
    said = f"a loop variable has shape {start}, and {after} after one iteration"
    if len(start.sizes) != len(after.sizes):
        ctx.require(ClashKind.SET_SHAPE, Equal(len(start.sizes), len(after.sizes)), said, variable)
        return
    for size, later in zip(start.sizes, after.sizes, strict=True):
        if isinstance(size, int) and isinstance(later, int) and size != later:
            ctx.require(ClashKind.SET_SHAPE, Equal(size, later), said, variable)
