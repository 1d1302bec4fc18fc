"""Loops that are calls: `tf.while_loop` and those of Keras."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.agreement import dtype_difference, is_nest, shapes_differ, structure_difference, tensor_kind
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import FALSE as NO
from shapecheck.domain.values import NONE, Dict, Lost, Ref, Seq, Value, as_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.evaluate import joined
from shapecheck.models.lang.mixed_state import with_dtypes
from shapecheck.models.lang.ranks import require_rank
from shapecheck.models.ops.control import builds_graph
from shapecheck.shapes.facts import FALSE, Equal, Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size
from shapecheck.shapes.symbol import next_serial


@behaviour("tf.while_loop")
def while_loop(
    ctx: Context, cond: Value, body: Value, loop_vars: Value, shape_invariants: Value = NONE, **options: Value
) -> Value:
    """Invariant variables keep their shape; others have the declared one, or what all iterations have in common.

    The body is traced for the first iteration, which finds its own mistakes, and for any other one if a shape changed.
    A loop that runs eagerly does not look at declared shapes.
    """
    if not isinstance(loop_vars, Seq):
        return ctx.lost("loop variables")
    if builds_graph(ctx) and shape_invariants != NONE:
        return _declared_loop(ctx, cond, body, loop_vars, shape_invariants)
    since = next_serial()
    start = [symbolic(ctx, variable) for variable in loop_vars.items]
    _decides(ctx, cond, start)
    after = ctx.freeze(ctx.call_inside(body, start))
    if builds_graph(ctx):
        after = with_dtypes(ctx, Seq("list", tuple(start)), after, lambda state: _run(ctx, body, state))
    if not _keeps_structure(ctx, loop_vars, after) or not isinstance(after, Seq):
        return Seq("list", tuple(unknown_like(variable) for variable in start))
    if not _is_steady(ctx, loop_vars.items, after.items, since):
        return ctx.lost("variables of a loop that fails")
    kept = [_kept(ctx, before, later) for before, later in zip(start, after.items, strict=True)]
    if not builds_graph(ctx) and any(_is_other(a, b) for a, b in zip(kept, start, strict=True)):
        ctx.call(body, kept)
    return Seq("list", tuple(kept))


def _run(ctx: Context, body: Value, state: Value) -> Value:
    return ctx.call_inside(body, state.items if isinstance(state, Seq) else [state])


@behaviour("tf.compat.v1.while_loop")
def while_loop_of_1(
    ctx: Context,
    cond: Value,
    body: Value,
    loop_vars: Value,
    shape_invariants: Value = NONE,
    return_same_structure: Value = NO,
    **options: Value,
) -> Value:
    """A single loop variable is returned as it is: in a graph always, eagerly if the body returns it so."""
    made = while_loop(ctx, cond, body, loop_vars, shape_invariants)
    if not isinstance(made, Seq) or len(made.items) != 1 or return_same_structure != NO:
        return made
    return made.items[0] if builds_graph(ctx) else ctx.lost("the variable of a loop")


def _declared_loop(ctx: Context, cond: Value, body: Value, loop_vars: Seq, invariants: Value) -> Value:
    """Return the variables of a loop of a graph, which keep their declared shapes."""
    if not isinstance(invariants, Seq):
        return Seq("list", tuple(unknown_like(variable) for variable in loop_vars.items))
    if len(invariants.items) != len(loop_vars.items):
        said = f"there are {len(loop_vars.items)} loop variables, and {len(invariants.items)} shape invariants"
        ctx.require(ClashKind.LOOP_TYPE, FALSE, said, loop_vars)
        return ctx.lost("loop variables")
    pairs = list(zip(loop_vars.items, invariants.items, strict=True))
    for tensor in invariants.items:
        if isinstance(tensor, values.Tensor) and tensor.library == "tf":
            said = "a shape invariant is a tensor, where a shape is taken that is known without a run"
            ctx.require(ClashKind.RANK, FALSE, said, tensor)
            return ctx.lost("loop variables")
    if ctx.target.classic_variables and not keeps_kinds(
        ctx, [_declared(ctx, *pair) for pair in pairs], loop_vars.items, next_serial(), "its shape invariant"
    ):
        return ctx.lost("variables of a loop that fails")
    declared, since = [_declared(ctx, *pair) for pair in pairs], next_serial()
    _decides(ctx, cond, declared)
    after = ctx.freeze(ctx.call_inside(body, declared))
    if _keeps_structure(ctx, loop_vars, after) and isinstance(after, Seq):
        keeps_kinds(ctx, declared, after.items, since)
        if ctx.is_compiled and any(_is_resized(ctx, *pair) for pair in zip(declared, after.items, strict=False)):
            ctx.require(ClashKind.XLA, FALSE, RESIZED, loop_vars)
    return Seq("list", tuple(_declared(ctx, *pair) for pair in pairs))


RESIZED = "XLA compiles no loop whose variables change their sizes"


def _is_resized(ctx: Context, before: Value, after: Value) -> bool:
    """Return whether a loop variable certainly has another size after each iteration."""
    match before, after:
        case values.Tensor(shape=first), values.Tensor(shape=last) if first.is_ranked and first.rank == last.rank:
            pairs = zip(first.sizes, last.sizes, strict=True)
            return any(ctx.known(Equal(*pair)) is Verdict.NEVER for pair in pairs)
    return False


def symbolic(ctx: Context, variable: Value) -> Value:
    """Return a loop variable as the functions of the loop are given it: in a graph, tensors whose values they do not
    know, in the same sequences."""
    if isinstance(variable, Seq) and variable.kind in ("tuple", "list"):
        return map_children(variable, partial(symbolic, ctx))
    if not ctx.is_in_graph or not (isinstance(variable, values.Tensor) or tensor_kind(variable)):
        return variable
    return ctx.symbolic(as_tensor(variable, ctx))


def unknown_like(variable: Value) -> Value:
    """Return any value that a loop variable may have."""
    if isinstance(variable, (Seq, Dict)):
        return map_children(variable, unknown_like)
    return variable if isinstance(variable, (Ref, Lost)) else values.Tensor(library="tf")


def _decides(ctx: Context, cond: Value, variables: list[Value]) -> None:
    """State that the condition of a loop gives one truth value; a graph of TensorFlow 2 drops axes of size 1."""
    test = ctx.freeze(ctx.call_inside(cond, variables))
    if ctx.target.classic_variables:
        require_rank(ctx, "the condition", test, 0)
    elif isinstance(test, values.Tensor) and not builds_graph(ctx) and _is_many(test.shape):
        said = f"the condition has shape {test.shape}, where one truth value is needed"
        ctx.require(ClashKind.RANK, FALSE, said, test)


def _is_many(shape: Shape) -> bool:
    """Return whether an array certainly has several elements, or none."""
    return any(isinstance(size, int) and size != 1 for size in shape.known)


# Checks ------------------------------------------------------------------------------------------------------------


def _keeps_structure(ctx: Context, loop_vars: Seq, after: Value) -> bool:
    """Return whether the body returns a value for each loop variable, after stating that it does so."""
    count = len(loop_vars.items)
    if is_nest(after) and isinstance(after, Seq) and len(after.items) != count:
        said = f"there are {count} loop variables, the body returns {len(after.items)}"
    elif isinstance(after, Dict) and count > 1:
        said = f"there are {count} loop variables, the body returns a dict"
    elif isinstance(after, values.Tensor) and count > 1 and (builds_graph(ctx) or after.shape.rank == 0):
        said = f"there are {count} loop variables, the body returns one tensor"
    else:
        return is_nest(after)
    ctx.require(ClashKind.LOOP_TYPE, FALSE, said, loop_vars)
    return False


def _is_steady(ctx: Context, before: tuple[Value, ...], after: tuple[Value, ...], since: int) -> bool:
    """Return whether loop variables keep their structure and, in a graph, their dtypes and shapes."""
    if builds_graph(ctx):
        return keeps_kinds(ctx, before, after, since)
    return all(keeps_structure(ctx, *pair) for pair in zip(before, after, strict=True))


def keeps_kinds(
    ctx: Context, before: tuple[Value, ...] | list[Value], after: tuple[Value, ...], since: int, when: str = ""
) -> bool:
    """Return whether no loop variable is known to change its dtype or shape, after stating that for each of them."""
    if len(before) != len(after):
        return True
    return all(_keeps_kind(ctx, *pair, since, when) for pair in zip(before, after, strict=True))


def _keeps_kind(ctx: Context, before: Value, after: Value, since: int, when: str) -> bool:
    if isinstance(before, Seq) and is_nest(before) and isinstance(after, Seq) and is_nest(after):
        return keeps_structure(ctx, before, after) and keeps_kinds(ctx, before.items, after.items, since, when)
    if not keeps_structure(ctx, before, after):
        return False
    first, last = tensor_kind(before), tensor_kind(after)
    differ = dtype_difference(before, after)
    if differ is not None:
        return _changes(ctx, ClashKind.LOOP_TYPE, before, *differ)
    if first is None or last is None or not shapes_differ(first, last, since):
        return True
    if when:
        said = f"a loop variable has shape {last.shape}, {when} is {first.shape}"
        ctx.require(ClashKind.LOOP_SHAPE, FALSE, said, before)
        return False
    return _changes(ctx, ClashKind.LOOP_SHAPE, before, f"of shape {first.shape}", f"of shape {last.shape}")


def keeps_structure(ctx: Context, before: Value, after: Value) -> bool:
    """Return whether a variable keeps its structure, after stating that."""
    differ = structure_difference(before, after, lists_are_tuples=True)
    return differ is None or _changes(ctx, ClashKind.LOOP_TYPE, before, *differ)


def _changes(ctx: Context, kind: ClashKind, variable: Value, before: str, after: str) -> bool:
    """State that a loop variable does not keep its kind; return False."""
    said = f"a loop variable is {before}, and {after} after one iteration"
    ctx.require(kind, FALSE, said, variable)
    return False


# Kinds of variables -------------------------------------------------------------------------------------------------


def _kept(ctx: Context, before: Value, after: Value) -> Value:
    """Return what a loop variable has in common before and after an iteration."""
    if not isinstance(after, values.Tensor):
        return after
    return joined([as_tensor(before, ctx), as_tensor(after, ctx)], ctx, is_open=ctx.is_in_graph)


def _declared(ctx: Context, variable: Value, invariant: Value) -> Value:
    """Return a value for a loop variable in any iteration."""
    if isinstance(variable, Seq) and isinstance(invariant, Seq) and invariant.kind != "shape":
        pairs = zip(variable.items, invariant.items, strict=False)
        return Seq(variable.kind, tuple(_declared(ctx, inner, shape) for inner, shape in pairs))
    if isinstance(variable, Dict):
        shapes = invariant if isinstance(invariant, Dict) else Dict(())
        return Dict(tuple((key, _declared(ctx, inner, shapes.get(key) or NONE)) for key, inner in variable.items))
    if isinstance(variable, (Ref, Lost)):
        return variable
    tensor = as_tensor(variable, ctx)
    shape = UNRANKED
    if isinstance(invariant, Seq) and invariant.kind == "shape":
        shape = Shape(tuple(_declared_size(ctx, item) for item in invariant.items))
    return ctx.symbolic(values.Tensor(shape, tensor.dtype, "tf"))


def _is_other(kept: Value, before: Value) -> bool:
    """Return whether a loop variable has another shape in some iteration than before the loop."""
    return isinstance(kept, values.Tensor) and isinstance(before, values.Tensor) and kept.shape != before.shape


# Keras --------------------------------------------------------------------------------------------------------------


@behaviour("keras.ops.while_loop")
def keras_while(ctx: Context, cond: Value, body: Value, loop_vars: Value, maximum_iterations: Value = NONE) -> Value:
    return while_loop(ctx, cond, body, loop_vars)


@behaviour("keras.ops.fori_loop")
def fori_loop(ctx: Context, lower: Value, upper: Value, body_fun: Value, init_val: Value) -> Value:
    index = values.Tensor(Shape(()), "int32", "tf")
    after = ctx.freeze(ctx.call_inside(body_fun, [index, init_val]))
    return joined([tensors(init_val, ctx), tensors(after, ctx)], ctx, is_open=ctx.is_in_graph)


def _declared_size(ctx: Context, item: Value) -> Size:
    """Return a size of an invariant: None may change from turn to turn."""
    size = as_size(item)
    kind = Kind.DYNAMIC if item == NONE else Kind.LOST
    return ctx.fresh("None", kind, "a size that may change from turn to turn") if size is None else size


def tensors(value: Value, ctx: Context) -> Value:
    """Return a structure of values as tensors."""
    if isinstance(value, Seq) and value.kind in ("tuple", "list"):
        return Seq(value.kind, tuple(tensors(item, ctx) for item in value.items))
    if isinstance(value, Dict):
        return replace(value, items=tuple((key, tensors(item, ctx)) for key, item in value.items))
    return value if isinstance(value, Lost) else as_tensor(value, ctx)
