"""Functions with a gradient of their own, which has to give one derivative for each argument."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.agreement import is_nest, tensor_kind
from shapecheck.domain.values import NONE, TRUE, Dict, Function, Library, Method, Seq, Tensor, Value, items_of, walk
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.settings import SETTINGS, setting
from shapecheck.models.layers.structure import change
from shapecheck.shapes.claims import FALSE

RESULT = "tf.custom_gradient.result"
ARE_USED = "custom_gradients"


@behaviour("tf.custom_gradient")
def custom_gradient(ctx: Context, f: Value) -> Value:
    """A call of the function returns its result alone, without the gradient function."""
    code = f.function if isinstance(f, Method) else f
    if not isinstance(code, Function):
        return ctx.lost("function with a gradient of its own")
    ctx.set(code, "__finish__", Library(RESULT))
    return f


@behaviour(RESULT)
def without_gradient(ctx: Context, both: Value, *args: Value) -> Value:
    """Return the result alone: made by this operation, whose gradient is not that of the operations in it."""
    items = items_of(ctx.freeze(both))
    if items is None or len(items) != 2:
        return ctx.lost("result beside its gradient")
    ctx.set(SETTINGS, ARE_USED, TRUE)
    return change(items[0], lambda tensor: replace(tensor, step=0, output=0))


def check_custom_gradients(ctx: Context, target: Value, sources: Value) -> None:
    """State that gradients of functions give a derivative for each argument, where derivatives are taken."""
    if setting(ctx, ARE_USED) in (None, NONE):
        return
    targets, wanted = (
        [part for part in walk(ctx.freeze(value)) if isinstance(part, Tensor)] for value in (target, sources)
    )
    for both, *args in ctx.operations(RESULT, targets, wanted):
        count, given = _count(Seq("tuple", tuple(args))), _derivatives(ctx, both)
        if count is not None and given is not None and count != given:
            said = f"a function of {count} inputs has a gradient that returns {given}"
            ctx.require(ClashKind.DECLARED, FALSE, said, target)
            return


def _count(values: Value) -> int | None:
    """Return the number of tensors in a structure; None if it is not known."""
    if is_nest(values):
        items = [item for _, item in values.items] if isinstance(values, Dict) else items_of(values) or ()
        counts = [_count(item) for item in items]
        return None if None in counts else sum(count or 0 for count in counts)
    return 1 if tensor_kind(values) is not None else None


def _derivatives(ctx: Context, both: Value) -> int | None:
    """Return how many derivatives the gradient of a function returns; None if that is not known.

    Derivatives of variables are in a list of their own.
    """
    items = items_of(ctx.freeze(both))
    if items is None or len(items) != 2:
        return None
    upstream = [part for part in walk(items[0]) if isinstance(part, Tensor)]
    if any(part.trace for part in upstream) and not ctx.is_in_graph:
        return None  # the gradient is part of a graph that has been built
    made = ctx.freeze(ctx.call(items[1], upstream))
    if isinstance(made, Seq) and is_nest(made):
        return len(made.items) if all(item == NONE or isinstance(item, Tensor) for item in made.items) else None
    return 1 if isinstance(made, Tensor) else None
