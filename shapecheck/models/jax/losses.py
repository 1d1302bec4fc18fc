"""The losses of optax."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const
from shapecheck.models.lang import Answer, AnyValue, Tensor, also, op
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.constraints import Need, Refused
from shapecheck.models.lang.suspicious import stretched
from shapecheck.shapes.shape import UNRANKED, Shape

BOTH = "{optax,optax.losses}"
LAST = Const(-1)

# Of classes ----------------------------------------------------------------------------------------------------------


@op(f"{BOTH}.softmax_cross_entropy", dtype="promote")
def softmax_cross_entropy(logits: Tensor, labels: Tensor, axis: AnyValue = LAST) -> Answer:
    return _of_rows(logits, labels, axis)


@op(f"{BOTH}.poly_loss_cross_entropy", dtype="promote")
def poly_loss(logits: Tensor, labels: Tensor, axis: AnyValue = LAST) -> Answer:
    return _of_rows(logits, labels, axis)


@op(f"{BOTH}.safe_softmax_cross_entropy", dtype="promote")
def safe_softmax_cross_entropy(logits: Tensor, labels: Tensor) -> Answer:
    return _of_rows(logits, labels)


def _of_rows(logits: Tensor, labels: Tensor, axis: AnyValue = LAST) -> Answer:
    _of_classes(logits)
    return UNRANKED if axis != LAST else _by_row(logits, labels)


def _of_classes(logits: Tensor) -> None:
    if logits.rank == 0:
        raise Refused(ClashKind.RANK, f"{logits.name} is a number, not a score for each class")


def _by_row(*operands: Tensor) -> Answer:
    shape, needs = _rows(*operands)
    return shape, *needs


def _rows(*operands: Tensor) -> tuple[Shape, list[Need]]:
    """Return the shape of what is computed along the last axis, and what that needs."""
    said = ", ".join(f"{each.name} has shape {each.shape}" for each in operands)
    shape, needs = together([each.shape for each in operands], said)
    if shape.rank == 0:
        raise Refused(ClashKind.RANK, f"{operands[0].name} is a number")
    return (Shape(shape.head[:-1]) if shape.tail is None else UNRANKED), needs


@op(f"{BOTH}.softmax_cross_entropy_with_integer_labels", dtype="first", oracle="none: needs labels")
def of_labels(logits: Tensor, labels: Tensor, axis: AnyValue = LAST) -> Answer:
    return UNRANKED if axis != LAST else _by_number(logits, labels)


def _by_number(logits: Tensor, labels: Tensor) -> Answer:
    """Labels have one axis less than the scores."""
    if logits.rank is None or labels.rank is None:
        return UNRANKED
    if logits.rank != labels.rank + 1:
        said = f"{labels.name} has shape {labels.shape}, one axis less than logits {logits.shape} is taken"
        raise Refused(ClashKind.RANK, said)
    return "~B c, ~B -> ~B"


@op(f"{BOTH}.{{multiclass_hinge_loss,multiclass_perceptron_loss}}", dtype="first", oracle="none: needs labels")
def of_classes(scores: Tensor, labels: Tensor) -> Answer:
    _of_classes(scores)
    return "~B c, ~B -> ~B"


@op("optax.ctc_loss", dtype="float32", oracle="none: paddings are zeros and ones")
def ctc_loss(logits: Tensor, logit_paddings: Tensor, labels: Tensor, label_paddings: Tensor) -> Answer:
    return "b t k, b t, b n, b n -> b"


# Of distributions and vectors ----------------------------------------------------------------------------------------


@op(f"{BOTH}.{{kl_divergence,generalized_kl_divergence,convex_kl_divergence}}", dtype="promote")
def kl_divergence(log_predictions: Tensor, targets: Tensor, axis: AnyValue = LAST) -> Answer:
    return UNRANKED if axis != LAST else _by_row(log_predictions, targets)


@op(f"{BOTH}.kl_divergence_with_log_targets", dtype="promote")
def kl_divergence_with_log_targets(log_predictions: Tensor, log_targets: Tensor, axis: AnyValue = LAST) -> Answer:
    return UNRANKED if axis != LAST else _by_row(log_predictions, log_targets)


@op(f"{BOTH}.{{cosine_similarity,cosine_distance}}", dtype="promote")
def cosine_similarity(predictions: Tensor, targets: Tensor, axis: AnyValue = LAST) -> Answer:
    for each in (predictions, targets):
        _of_axes(each)
    return UNRANKED if axis != LAST else _by_row(predictions, targets)


def _of_axes(operand: Tensor) -> None:
    if operand.rank == 0:
        raise Refused(ClashKind.RANK, f"{operand.name} is a number")


@op(f"{BOTH}.ntxent", dtype="first", oracle="none: needs labels")
def ntxent(embeddings: Tensor, labels: Tensor) -> Answer:
    return "n d, n ->"


@op(f"{BOTH}.triplet_margin_loss", dtype="promote")
def triplet_margin_loss(anchors: Tensor, positives: Tensor, negatives: Tensor, axis: AnyValue = LAST) -> Answer:
    is_usual = axis == LAST and anchors.rank == positives.rank == negatives.rank
    return _of_distances(anchors, positives, negatives) if is_usual else UNRANKED


def _of_distances(anchors: Tensor, positives: Tensor, negatives: Tensor) -> Answer:
    """Distances are broadcast after the sum over the last axis."""
    (near, needs), (far, more) = _rows(anchors, positives), _rows(anchors, negatives)
    shape, last = together([near, far])
    return shape, *needs, *more, *last


@op("optax.nnls", dtype="promote float", was={"A": "a"})
def least_squares(a: Tensor, b: Tensor, iters: AnyValue) -> Answer:
    return "m n, m -> n"


# Of each element -----------------------------------------------------------------------------------------------------


@op(f"{BOTH}.{{squared_error,l2_loss}}", dtype="promote")
def of_equal_shapes(predictions: Tensor, targets: Tensor | None = None) -> Answer:
    return predictions.shape if targets is None else "*S, *S -> *S"


@op(f"{BOTH}.{{huber_loss,log_cosh}}", dtype="promote -complex")
def huber_loss(predictions: Tensor, targets: Tensor | None = None) -> Answer:
    return predictions.shape if targets is None else _compared(predictions, targets)


@op(f"{BOTH}.{{sigmoid_binary_cross_entropy,sigmoid_focal_loss}}", dtype="first float")
def sigmoid_binary_cross_entropy(logits: Tensor, labels: Tensor) -> Answer:
    return _compared(logits, labels)


@op(f"{BOTH}.hinge_loss", dtype="promote whole")
def hinge_loss(predictor_outputs: Tensor, targets: Tensor) -> Answer:
    return _compared(predictor_outputs, targets)


@op(f"{BOTH}.perceptron_loss", dtype="promote whole")
def perceptron_loss(predictor_outputs: Tensor, targets: Tensor) -> Answer:
    return "*S, *S -> *S"


@op(f"{BOTH}.sparsemax_loss", dtype="first float")
def sparsemax_loss(logits: Tensor, labels: Tensor) -> Answer:
    return _compared(logits, labels)


@op(f"{BOTH}.smooth_labels", dtype="?")
def smooth_labels(labels: Tensor, alpha: Tensor) -> Answer:
    _of_axes(labels)
    return labels.shape if alpha.rank == 0 else UNRANKED


def _compared(predictions: Tensor, targets: Tensor) -> Answer:
    """Both broadcast; where both are enlarged, that is hardly meant."""
    found = [(ClashKind.LOSS_STRETCHED, said) for _, said in stretched(predictions, targets)]
    return "~B, ~B -> ~B", also(notices=found)
