"""Gradient tapes, and the application of gradients by Keras optimizers."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, HomogeneousSeq, Seq, Tensor, Value, items_of
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.tf1.optimizers import gradient, loss_of
from shapecheck.models.training.custom_gradients import check_custom_gradients
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind

TAPE = "tf.GradientTape"
OPTIMIZER = "keras.optimizers.Optimizer"


@behaviour(TAPE)
def tape(ctx: Context, persistent: Value = NONE, watch_accessed_variables: Value = NONE) -> Value:
    return ctx.new(TAPE)


@behaviour(f"{TAPE}.{{__enter__,stop_recording}}")
def enter(ctx: Context, self: Value) -> Value:
    return self


@behaviour(f"{TAPE}.{{__exit__,watch,reset}}", "tf.autodiff.ForwardAccumulator.__exit__")
def leave(ctx: Context, *args: Value) -> Value:
    return NONE


@behaviour(f"{TAPE}.watched_variables")
def watched(ctx: Context, self: Value) -> Value:
    count = ctx.fresh("variables", Kind.LOST, "the variables met so far")
    return HomogeneousSeq("tuple", Tensor(UNRANKED, role="variable"), count)


@behaviour(f"{TAPE}.gradient")
def gradients(ctx: Context, self: Value, target: Value, sources: Value, *args: Value, **keywords: Value) -> Value:
    check_custom_gradients(ctx, target, sources)
    return gradient(sources)


@behaviour(f"{TAPE}.jacobian")
def jacobian(ctx: Context, self: Value, target: Value, sources: Value, *args: Value, **keywords: Value) -> Value:
    if not isinstance(target, Tensor) or not isinstance(sources, Tensor):
        return ctx.lost("a jacobian of several tensors")
    if not (target.shape.is_ranked and sources.shape.is_ranked):
        return Tensor(UNRANKED, target.dtype)
    return Tensor(Shape((*target.shape.sizes, *sources.shape.sizes)), target.dtype)


@behaviour(f"{TAPE}.batch_jacobian")
def batch_jacobian(ctx: Context, self: Value, target: Value, source: Value, *args: Value, **keywords: Value) -> Value:
    if not isinstance(target, Tensor) or not isinstance(source, Tensor):
        return ctx.lost("a jacobian of several tensors")
    rows, others = target.shape.size(0), source.shape.size(0)
    if rows is not None and others is not None and rows != others:
        said = f"target has {rows} rows, source has {others} rows"
        ctx.require(ClashKind.AXIS, Equal(rows, others), said, target, source)
    if not (target.shape.is_ranked and source.shape.is_ranked and target.shape.head and source.shape.head):
        return Tensor(UNRANKED, target.dtype)
    return Tensor(Shape((*target.shape.sizes, *source.shape.sizes[1:])), target.dtype)


# Optimizers of Keras ------------------------------------------------------------------------------------------------


@behaviour(f"{OPTIMIZER}.apply_gradients")
def apply_gradients(ctx: Context, self: Value, grads_and_vars: Value, *args: Value, **keywords: Value) -> Value:
    """A gradient has the shape of its variable; the result is the number of steps."""
    for pair in ctx.elements(grads_and_vars) or ():
        parts = items_of(pair)
        if parts is not None and len(parts) == 2:
            _check(ctx, *parts)
    return Tensor(SCALAR, "int64", "tf", role="variable")


@attribute(f"{OPTIMIZER}.iterations")
def iterations(ctx: Context, self: Value) -> Value:
    """Return the number of steps so far."""
    return Tensor(SCALAR, "int64", "tf", role="variable")


@behaviour(f"{OPTIMIZER}.apply")
def apply(ctx: Context, self: Value, grads: Value, trainable_variables: Value = NONE) -> Value:
    """A gradient has the shape of its variable."""
    for given, variable in zip(ctx.elements(grads) or (), ctx.elements(trainable_variables) or (), strict=False):
        _check(ctx, given, variable)
    return NONE


def _check(ctx: Context, given: Value, variable: Value) -> None:
    if not isinstance(given, Tensor) or not isinstance(variable, Tensor):
        return
    have, need = given.shape, variable.shape
    if not (have.is_ranked and need.is_ranked):
        return
    said = f"the gradient has shape {have}, its variable has shape {need}"
    if len(have.head) != len(need.head):
        ctx.require(ClashKind.RANK, Equal(len(have.head), len(need.head)), said, given, variable)
        return
    for size, other in zip(have.head, need.head, strict=True):
        if size != other:
            ctx.require(ClashKind.AXIS, Equal(size, other), said, given, variable)


@behaviour(f"{OPTIMIZER}.minimize")
def minimize(ctx: Context, self: Value, loss: Value, *args: Value, **keywords: Value) -> Value:
    loss_of(ctx, loss)
    return NONE


@behaviour(f"{OPTIMIZER}.{{get_gradients,compute_gradients}}")
def get_gradients(ctx: Context, self: Value, loss: Value, params: Value, *args: Value) -> Value:
    found = gradient(params)
    return found if isinstance(found, (Seq, HomogeneousSeq)) else ctx.lost("gradients of unknown variables")
