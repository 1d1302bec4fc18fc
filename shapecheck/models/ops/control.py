"""Functions that call one of several functions: conditions and cases."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.agreement import difference
from shapecheck.domain.values import NONE, Dict, Seq, Value, as_bool
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.evaluate import joined
from shapecheck.models.lang.ranks import require_rank
from shapecheck.shapes.claims import FALSE


def builds_graph(ctx: Context) -> bool:
    """Return whether operations become part of a graph, as all do in TensorFlow 1."""
    return ctx.is_in_graph or ctx.target.deferred


@behaviour("tf.cond")
def cond(
    ctx: Context,
    pred: Value = NONE,
    true_fn: Value = NONE,
    false_fn: Value = NONE,
    fn1: Value = NONE,
    fn2: Value = NONE,
) -> Value:
    """Return the result of either function; a graph has both, although the condition may be known."""
    arms = (true_fn if true_fn != NONE else fn1, false_fn if false_fn != NONE else fn2)
    if ctx.target.classic_variables:
        require_rank(ctx, "pred", pred, 0)
    known = as_bool(pred.content if isinstance(pred, values.Tensor) and pred.content is not None else pred)
    if known is None or (ctx.is_in_graph and isinstance(pred, values.Tensor)):
        results = results_of(ctx, arms, ("true_fn", "false_fn"), None if known is None else 1 - known)
        if known is not None and len(results) == len(arms):
            return results[0 if known else 1]
        return joined(results, ctx, is_open=ctx.is_in_graph and isinstance(pred, values.Tensor))
    return ctx.freeze(ctx.call(arms[0 if known else 1], []))


def results_of(
    ctx: Context, functions: Sequence[Value], names: Sequence[str], runs: int | None = None
) -> Sequence[Value]:
    """Return the results of functions of which one is called, which may be known; in a graph, all have the same
    structure and dtypes."""
    results = [ctx.freeze(result) for result in ctx.call_independently(functions, runs)]
    if builds_graph(ctx) and len(results) == len(functions):
        _agree(ctx, results, names)
    return results


def _agree(ctx: Context, results: Sequence[Value], names: Sequence[str]) -> None:
    """State that the results of all functions are alike."""
    single_is_same = ctx.target.classic_variables
    first = _unpacked(results[0]) if single_is_same else results[0]
    for name, result in zip(names[1:], results[1:], strict=True):
        differ = difference(first, _unpacked(result) if single_is_same else result)
        if differ is not None:
            said = f"{names[0]} returns {differ[0]}, {name} returns {differ[1]}"
            ctx.require(ClashKind.BRANCHES, FALSE, said, first, result)
            return


def _unpacked(result: Value) -> Value:
    """Return the item of a sequence of one item, which TensorFlow 1 takes for the item."""
    return result.items[0] if isinstance(result, Seq) and len(result.items) == 1 else result


@behaviour("tf.case")
def case(ctx: Context, pred_fn_pairs: Value = NONE, default: Value = NONE, **options: Value) -> Value:
    """Return the result of the function whose condition holds."""
    return _selected(ctx, _functions(pred_fn_pairs, paired=True), default)


@behaviour("tf.switch_case")
def switch_case(
    ctx: Context, branch_index: Value, branch_fns: Value, default: Value = NONE, name: Value = NONE
) -> Value:
    """Return the result of the function with a number."""
    return _selected(ctx, _functions(branch_fns, paired=False), default)


def _selected(ctx: Context, functions: Sequence[Value], default: Value) -> Value:
    if not functions:
        return ctx.lost("one of several functions")
    names = [f"function {number}" for number in range(len(functions))]
    if default != NONE:
        functions, names = [*functions, default], [*names, "default"]
    return joined(results_of(ctx, functions, names), ctx, is_open=ctx.is_in_graph)


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


@behaviour("keras.ops.cond")
def keras_cond(ctx: Context, pred: Value, true_fn: Value, false_fn: Value) -> Value:
    return cond(ctx, pred, true_fn, false_fn)
