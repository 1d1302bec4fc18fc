"""Gradient tapes, and the application of gradients by Keras optimizers."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    HomogeneousSeq,
    Library,
    Missing,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    find_certain,
    items_of,
    walk,
)
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.gradients import TAPE, Output, Recording
from shapecheck.models.lang.settings import RECORDED, SETTINGS
from shapecheck.models.layers.missing_gradients import Derivatives, with_missing
from shapecheck.models.tf1.optimizers import gradient, loss_of
from shapecheck.models.training.custom_gradients import check_custom_gradients
from shapecheck.models.training.known_variables import check_variables, note_variables
from shapecheck.models.training.replica_losses import check_loss
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.facts import FALSE as IMPOSSIBLE
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind
from shapecheck.shapes.text import show

OPTIMIZER = "keras.optimizers.Optimizer"
NO_TENSORS = Seq("tuple", ())
ESCAPED = "@handed"


@behaviour(TAPE)
def tape(ctx: Context, persistent: Value = FALSE, watch_accessed_variables: Value = TRUE) -> Value:
    return ctx.new(TAPE, persistent=persistent, _watches=watch_accessed_variables)


@behaviour(f"{TAPE}.__enter__")
def enter(ctx: Context, self: Value) -> Value:
    """Begin to record; a tape that records again is not followed."""
    if isinstance(self, Ref):
        is_again = ctx.get(self, "_since") is not None
        ctx.set(self, "_since", Const(ctx.moment) if not is_again else ctx.lost("a tape that is entered again"))
        ctx.set(self, "_used", FALSE)
        _note_change(ctx)
    return self


@behaviour(f"{TAPE}.__exit__")
def leave(ctx: Context, self: Value, *args: Value) -> Value:
    if isinstance(self, Ref):
        ctx.set(self, "_until", Const(ctx.moment))
        _note_change(ctx)
    return NONE


def _note_change(ctx: Context) -> None:
    """Note that other operations are recorded from here on, so that earlier results do not stand for theirs."""
    ctx.set(SETTINGS, RECORDED, ctx.lost("which tapes record"))


@behaviour(f"{TAPE}.stop_recording")
def stop_recording(ctx: Context, self: Value) -> Value:
    return ctx.new("tf.GradientTape.pause")


@behaviour("tf.GradientTape.pause.{__enter__,__exit__}", "tf.autodiff.ForwardAccumulator.__exit__")
def pause(ctx: Context, *args: Value) -> Value:
    return NONE


@behaviour(f"{TAPE}.reset")
def reset(ctx: Context, self: Value) -> Value:
    ctx.set(self, "_since", ctx.lost("a tape that was reset"))
    ctx.set(self, "_used", FALSE)
    return NONE


@behaviour(f"{TAPE}.watch")
def watch(ctx: Context, self: Value, tensor: Value) -> Value:
    """Note which tensors are watched from here on."""
    _require_tensors(ctx, "tensor", tensor)
    before = items_of(ctx.get(self, "_watched") or NO_TENSORS)
    parts = list(walk(ctx.freeze(tensor)))
    known = all(isinstance(part, Seq) or (isinstance(part, Tensor) and part.step) for part in parts)
    if before is None or not known or any(isinstance(part, Tensor) and part.is_ambiguous for part in parts):
        ctx.set(self, "_watched", ctx.lost("which tensors are watched"))
        return NONE
    added = (Seq("tuple", (part, Const(ctx.moment))) for part in parts if isinstance(part, Tensor))
    ctx.set(self, "_watched", Seq("tuple", (*before, *added)))
    return NONE


@behaviour(f"{TAPE}.watched_variables")
def watched(ctx: Context, self: Value) -> Value:
    count = ctx.fresh("variables", Kind.LOST, "the variables met so far")
    return HomogeneousSeq("tuple", Tensor(UNRANKED, role="variable"), count)


@behaviour(f"{TAPE}.gradient")
def gradients(
    ctx: Context,
    self: Value,
    target: Value,
    sources: Value,
    output_gradients: Value = NONE,
    unconnected_gradients: Value = NONE,
) -> Value:
    check_custom_gradients(ctx, target, sources)
    result = gradient(sources)
    ctx.refuse_missing(*walk(ctx.freeze(target)))
    _require_tensors(ctx, "target", target)
    if _use(ctx, self) and unconnected_gradients in (NONE, Library("tf.UnconnectedGradients.NONE")):
        result = _connected(ctx, self, target, sources, result)
    if output_gradients == NONE and not any(isinstance(part, Missing) for part in walk(ctx.freeze(result))):
        _note_summed(ctx, target, sources)
    return result


@behaviour(f"{TAPE}.jacobian")
def jacobian(
    ctx: Context, self: Value, target: Value, sources: Value, unconnected_gradients: Value = NONE, **others: Value
) -> Value:
    result = _jacobian(ctx, target, sources)
    if _use(ctx, self) and unconnected_gradients in (NONE, Library("tf.UnconnectedGradients.NONE")):
        return _connected(ctx, self, target, sources, result)
    return result


def _jacobian(ctx: Context, target: Value, sources: Value) -> Value:
    if not isinstance(target, Tensor) or not isinstance(sources, Tensor):
        return ctx.lost("a jacobian of several tensors")
    if not (target.shape.is_ranked and sources.shape.is_ranked):
        return Tensor(UNRANKED, target.dtype)
    return Tensor(Shape((*target.shape.sizes, *sources.shape.sizes)), target.dtype)


@behaviour(f"{TAPE}.batch_jacobian")
def batch_jacobian(ctx: Context, self: Value, target: Value, source: Value, *args: Value, **keywords: Value) -> Value:
    _use(ctx, self)
    if not isinstance(target, Tensor) or not isinstance(source, Tensor):
        return ctx.lost("a jacobian of several tensors")
    rows, others = target.shape.size(0), source.shape.size(0)
    if rows is not None and others is not None and rows != others:
        said = f"target has {rows} rows, source has {others} rows"
        ctx.require(ClashKind.AXIS, Equal(rows, others), said, target, source)
    if not (target.shape.is_ranked and source.shape.is_ranked and target.shape.head and source.shape.head):
        return Tensor(UNRANKED, target.dtype)
    return Tensor(Shape((*target.shape.sizes, *source.shape.sizes[1:])), target.dtype)


def _note_summed(ctx: Context, target: Value, sources: Value) -> None:
    """Note that the gradients of several numbers are added, where they are those of variables."""
    parts = [part for part in walk(ctx.freeze(sources)) if isinstance(part, Tensor)]
    if not isinstance(target, Tensor) or not parts or any(part.role != "variable" for part in parts):
        return
    if target.shape.is_ranked and any(isinstance(size, int) and size > 1 for size in target.shape.sizes):
        said = f"the target has shape {show(target.shape)}, and the gradients of all its elements are added"
        ctx.notice(ClashKind.GRADIENT_SUMMED, said, target)


# Gradients that are None --------------------------------------------------------------------------------------------


def _use(ctx: Context, self: Value) -> bool:
    """Note a use of a tape, and state that it may be used; return whether it can be."""
    if not isinstance(self, Ref):
        return False
    if ctx.get(self, "_used") == TRUE and ctx.get(self, "persistent") == FALSE:
        said = "the tape is not persistent, and has given its gradients already"
        ctx.require(ClashKind.NO_GRADIENT, IMPOSSIBLE, said)
        return False
    ctx.set(self, "_used", TRUE)
    return True


def _recording(ctx: Context, self: Value) -> Recording | None:
    """Return what a tape has recorded; None where that is not known."""
    if not isinstance(self, Ref) or ctx.get(self, ESCAPED) is not None:
        return None
    since, until = (ctx.get(self, name) for name in ("_since", "_until"))
    first = None if since is None else as_size(since)
    last = None if until is None else as_size(until)
    pairs = items_of(ctx.get(self, "_watched") or NO_TENSORS)
    if not isinstance(first, int) or (until is not None and not isinstance(last, int)) or pairs is None:
        return None
    watched = [pair.items for pair in pairs if isinstance(pair, Seq)]
    found: dict[Output, int] = {}
    for tensor, moment in watched:
        if isinstance(tensor, Tensor) and isinstance(known := as_size(moment), int):
            found.setdefault((tensor.step, tensor.output), known)
    variables = any(isinstance(tensor, Tensor) and tensor.role == "variable" for tensor, _ in watched)
    return Recording(
        first, last if isinstance(last, int) else None, found, variables, ctx.get(self, "_watches") != FALSE
    )


def _connected(ctx: Context, self: Value, target: Value, sources: Value, result: Value) -> Value:
    """Return the gradients, of which those are None that certainly are."""
    recording, targets = _recording(ctx, self), list(walk(ctx.freeze(target)))
    tensors = [part for part in targets if isinstance(part, Tensor)]
    _require_tensors(ctx, "sources", sources)
    if recording is None or not all(isinstance(part, (Tensor, Seq)) for part in targets) or not tensors:
        return result
    known = Derivatives(ctx, recording, tensors)
    made, reasons = with_missing(ctx, known.reason, ctx.freeze(sources), result, "sources")
    if reasons:
        ctx.notice(ClashKind.NO_GRADIENT, f"gives None: {reasons[0]}", target, sources)
    return made


def _require_tensors(ctx: Context, name: str, value: Value) -> None:
    """State that there are no arrays of NumPy, no numbers and no None, which no tape knows."""
    part = find_certain(ctx.freeze(value), lambda part: _untracked(ctx, part) is not None)
    if part is not None:
        what = _untracked(ctx, part)
        ctx.require(ClashKind.NO_GRADIENT, IMPOSSIBLE, f"{name} is {what}, which no tape can watch", part)


def _untracked(ctx: Context, value: Value) -> str | None:
    """Return the words for an array of NumPy, a number or None."""
    if value == NONE and not ctx.is_alone:
        return "None"
    is_number = isinstance(value, Scalar) and value.kind == "float"
    if is_number or (isinstance(value, Const) and isinstance(value.value, float)):
        return "a Python number"
    if not isinstance(value, Tensor) or value.library != "np" or not value.step:
        return None
    cuts = ctx.gradient_flow(Recording(), [value]).cuts
    return "a NumPy array" if cuts and cuts[0].why in ("array", "converted") else None


# Optimizers of Keras ------------------------------------------------------------------------------------------------


@behaviour(f"{OPTIMIZER}.apply_gradients")
def apply_gradients(ctx: Context, self: Value, grads_and_vars: Value, *args: Value, **keywords: Value) -> Value:
    """A gradient has the shape of its variable, and not all are None; the result is the number of steps."""
    _require_any(ctx, ctx.freeze(grads_and_vars))
    _require_variables(ctx, ctx.freeze(grads_and_vars))
    given = ctx.elements(grads_and_vars)
    given = (ctx.element(grads_and_vars),) if given is None else given
    pairs = [parts for pair in given if (parts := items_of(pair)) and len(parts) == 2]
    check_variables(ctx, self, [variable for _, variable in pairs])
    for gradients, variable in pairs:
        _check(ctx, gradients, variable)
    if not keywords:  # the aggregation of gradients can be switched off
        check_loss(ctx, [gradients for gradients, _ in pairs])
    return Tensor(SCALAR, "int64", "tf", role="variable")


@attribute(f"{OPTIMIZER}.iterations")
def iterations(ctx: Context, self: Value) -> Value:
    """Return the number of steps so far."""
    return Tensor(SCALAR, "int64", "tf", role="variable")


@behaviour(f"{OPTIMIZER}.apply")
def apply(ctx: Context, self: Value, grads: Value, trainable_variables: Value = NONE) -> Value:
    """A gradient has the shape of its variable, and not all are None."""
    _require_any(ctx, ctx.freeze(grads))
    variables = ctx.elements(trainable_variables) or ()
    check_variables(ctx, self, variables)
    gradients = ctx.elements(grads) or ()
    for given, variable in zip(gradients, variables, strict=False):
        _check(ctx, given, variable)
    check_loss(ctx, gradients)
    return NONE


@behaviour(f"{OPTIMIZER}.build")
def build(ctx: Context, self: Value, variables: Value) -> Value:
    """A second time changes nothing."""
    note_variables(ctx, self, ctx.elements(variables) or ())
    return NONE


def _require_any(ctx: Context, gradients: Value) -> None:
    """State that there is a gradient that is not None, alone or beside its variable."""
    items = (gradients.element,) if isinstance(gradients, HomogeneousSeq) else items_of(gradients) or ()
    given = [(items_of(item) or (item,))[0] for item in items]
    if given and all(item == NONE for item in given):
        ctx.refuse_missing(*given)


def _require_variables(ctx: Context, pairs: Value) -> None:
    """State that there are pairs, and that a variable is the second in each, not the first."""
    for pair in (pairs.element,) if isinstance(pairs, HomogeneousSeq) else items_of(pairs) or ():
        if isinstance(pair, Tensor):
            ctx.require(ClashKind.RANK, IMPOSSIBLE, "an item is a gradient, not a pair with its variable", pair)
            return
        match items_of(pair):
            case (Tensor(role="variable") as first, Tensor(role="tensor") as second):
                said = "a pair has its variable first, and the gradient must be first"
                ctx.require(ClashKind.RANK, IMPOSSIBLE, said, first, second)
                return


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
