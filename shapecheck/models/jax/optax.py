"""optax: losses, and updates of weights."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Dict, Seq, Tensor, Value, walk
from shapecheck.models.jax.trees import each_leaf, have_same_containers
from shapecheck.models.lang import Answer, AnyValue, Context, also, base, behaviour, op
from shapecheck.models.lang import Tensor as Operand
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.constraints import Refused
from shapecheck.models.lang.suspicious import stretched
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.shape import UNRANKED, Shape

LAST = Const(-1)
MISSING = Const("the state that is not given")


_OPTIMIZERS = """
adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lion nadam nadamw
noisy_sgd novograd polyak_sgd radam rmsprop rprop sgd sign_sgd sm3 yogi
add_decayed_weights add_noise apply_if_finite centralize chain clip clip_by_block_rms clip_by_global_norm
identity masked multi_transform partition scale scale_by_adam scale_by_learning_rate scale_by_rms scale_by_schedule
set_to_zero trace MultiSteps
"""
TRANSFORMATION, STATE = "optax.GradientTransformation", "optax.State"
base(TRANSFORMATION, "builtins.object")
base(STATE, "builtins.tuple")


@behaviour(f"optax.{{{','.join(_OPTIMIZERS.split())}}}")
def optimizer(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(TRANSFORMATION)


@behaviour(f"{TRANSFORMATION}.init")
def init(ctx: Context, self: Value, params: Value) -> Value:
    return ctx.new(STATE)


@behaviour(f"{TRANSFORMATION}.update")
def update(
    ctx: Context, self: Value, updates: Value, state: Value = MISSING, params: Value = NONE, **options: Value
) -> Value:
    """Return updates, which are like the gradients, and the state after them."""
    if state == MISSING:
        ctx.require(ClashKind.NOTHING, NEVER, "the state of the optimizer is not given")
        return ctx.lost("updates")
    given = ctx.freeze(state)
    if isinstance(given, (Dict, Tensor)) and all(isinstance(part, (Dict, Tensor, Const)) for part in walk(given)):
        said = "weights are given where the state of the optimizer belongs"
        ctx.require(ClashKind.AXIS, NEVER, said, given)
    gradients = ctx.freeze(updates)
    if params != NONE:
        have_same_containers(ctx, [ctx.freeze(params), gradients])
    return Seq("tuple", (each_leaf(ctx, gradients, lambda leaf: as_tensor(leaf, ctx)), ctx.new(STATE)))


@behaviour("optax.apply_updates")
def apply_updates(ctx: Context, params: Value, updates: Value) -> Value:
    """Return new weights, which are like the old ones."""
    if not have_same_containers(ctx, [ctx.freeze(params), ctx.freeze(updates)]):
        return ctx.lost("trees that differ")
    return each_leaf(ctx, ctx.freeze(params), lambda leaf: as_tensor(leaf, ctx))


@op("{optax,optax.losses}.softmax_cross_entropy", dtype="promote")
def softmax_cross_entropy(logits: Operand, labels: Operand, axis: AnyValue = LAST) -> Answer:
    return UNRANKED if axis != LAST else _by_row(logits, labels)


def _by_row(logits: Operand, labels: Operand) -> Answer:
    said = f"{logits.name} has shape {logits.shape}, {labels.name} has shape {labels.shape}"
    shape, needs = together([logits.shape, labels.shape], said)
    return (Shape(shape.head[:-1]) if shape.tail is None else UNRANKED), *needs


@op("{optax,optax.losses}.softmax_cross_entropy_with_integer_labels", dtype="first", oracle="none: needs labels")
def of_labels(logits: Operand, labels: Operand, axis: AnyValue = LAST) -> Answer:
    """Labels have one axis less than the scores."""
    return _by_number(logits, labels, axis)


def _by_number(logits: Operand, labels: Operand, axis: AnyValue) -> Answer:
    if axis != LAST or logits.rank is None or labels.rank is None:
        return UNRANKED
    if logits.rank != labels.rank + 1:
        said = f"{labels.name} has shape {labels.shape}, one axis less than logits {logits.shape} is taken"
        raise Refused(ClashKind.RANK, said)
    return "~B c, ~B -> ~B"


@op("{optax,optax.losses}.{squared_error,l2_loss}", dtype="promote")
def of_equal_shapes(predictions: Operand, targets: Operand | None = None) -> Answer:
    return predictions.shape if targets is None else "*S, *S -> *S"


@op("{optax,optax.losses}.huber_loss", dtype="promote")
def huber_loss(predictions: Operand, targets: Operand | None = None) -> Answer:
    return predictions.shape if targets is None else _compared(predictions, targets)


@op("{optax,optax.losses}.sigmoid_binary_cross_entropy", dtype="promote")
def sigmoid_binary_cross_entropy(logits: Operand, labels: Operand) -> Answer:
    return _compared(logits, labels)


def _compared(predictions: Operand, targets: Operand) -> Answer:
    """Both broadcast; where both are enlarged, that is hardly meant."""
    found = [(ClashKind.LOSS_STRETCHED, said) for _, said in stretched(predictions, targets)]
    return "~B, ~B -> ~B", also(notices=found)


@op("optax.ctc_loss", dtype="float32", oracle="none: paddings are zeros and ones")
def ctc_loss(logits: Operand, logit_paddings: Operand, labels: Operand, label_paddings: Operand) -> Answer:
    return "b t k, b t, b n, b n -> b"
