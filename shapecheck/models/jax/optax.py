"""optax: losses, and updates of weights."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const, Value
from shapecheck.models.jax.trees import each_leaf
from shapecheck.models.lang import Answer, AnyValue, Context, Tensor, behaviour, op
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.constraints import Refused
from shapecheck.shapes.shape import UNRANKED, Shape

LAST = Const(-1)


@behaviour("optax.apply_updates")
def apply_updates(ctx: Context, params: Value, updates: Value) -> Value:
    """Return new weights, which are like the old ones."""
    return each_leaf(ctx, ctx.freeze(params), lambda leaf: as_tensor(leaf, ctx))


@op("{optax,optax.losses}.softmax_cross_entropy", dtype="promote")
def softmax_cross_entropy(logits: Tensor, labels: Tensor, axis: AnyValue = LAST) -> Answer:
    return UNRANKED if axis != LAST else _by_row(logits, labels)


def _by_row(logits: Tensor, labels: Tensor) -> Answer:
    said = f"{logits.name} has shape {logits.shape}, {labels.name} has shape {labels.shape}"
    shape, needs = together([logits.shape, labels.shape], said)
    return (Shape(shape.head[:-1]) if shape.tail is None else UNRANKED), *needs


@op("{optax,optax.losses}.softmax_cross_entropy_with_integer_labels", dtype="first", oracle="none: needs labels")
def of_labels(logits: Tensor, labels: Tensor, axis: AnyValue = LAST) -> Answer:
    """Labels have one axis less than the scores."""
    return _by_number(logits, labels, axis)


def _by_number(logits: Tensor, labels: Tensor, axis: AnyValue) -> Answer:
    if axis != LAST or logits.rank is None or labels.rank is None:
        return UNRANKED
    if logits.rank != labels.rank + 1:
        said = f"{labels.name} has shape {labels.shape}, one axis less than logits {logits.shape} is taken"
        raise Refused(ClashKind.RANK, said)
    return "~B c, ~B -> ~B"


@op("{optax,optax.losses}.{squared_error,l2_loss}", dtype="promote")
def of_equal_shapes(predictions: Tensor, targets: Tensor | None = None) -> Answer:
    return predictions.shape if targets is None else "*S, *S -> *S"


@op("{optax,optax.losses}.huber_loss", dtype="promote")
def huber_loss(predictions: Tensor, targets: Tensor | None = None) -> Answer:
    return predictions.shape if targets is None else "~B, ~B -> ~B"


@op("{optax,optax.losses}.sigmoid_binary_cross_entropy", dtype="promote")
def sigmoid_binary_cross_entropy(logits: Tensor, labels: Tensor) -> Answer:
    return "~B, ~B -> ~B"
