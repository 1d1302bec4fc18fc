"""The losses of tf.nn, and batch normalisation."""

from __future__ import annotations

from shapecheck.models.lang import Answer, Tensor, never, op, result
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.needs import Need
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.shape import UNRANKED, Shape

KIND = "cross-entropy"


@op("tf.nn.{softmax_cross_entropy_with_logits,softmax_cross_entropy_with_logits_v2}", dtype="float32", rung=3)
def softmax_cross_entropy(labels: Tensor, logits: Tensor) -> Answer:
    """Axes of size 1 broadcast, as long as the ranks are equal."""
    if labels.rank is None or logits.rank is None:
        known = logits if logits.rank is not None else labels
        return UNRANKED if known.rank is None else Shape(known.shape.head[:-1])
    said = f"labels has shape {labels.shape}, logits has shape {logits.shape}"
    if labels.rank != logits.rank or not logits.rank:
        return result(UNRANKED, needs=[never(KIND, said)])
    shape, claims = broadcast([labels.shape, logits.shape])
    return result(Shape(shape.head[:-1]), needs=[Need(KIND, claim, said) for claim in claims])


@op("tf.nn.sparse_softmax_cross_entropy_with_logits", dtype="float32", rung=3)
def sparse_softmax_cross_entropy(labels: Tensor, logits: Tensor) -> Answer:
    """One class number where the logits have an axis of classes."""
    if labels.rank is None or logits.rank is None:
        return labels.shape
    said = f"labels has shape {labels.shape}, logits has shape {logits.shape}"
    if not logits.rank or labels.rank != logits.rank - 1:
        return result(labels.shape, needs=[never(KIND, said)])
    return result(labels.shape, needs=same(labels, labels.shape, logits, Shape(logits.shape.head[:-1]), KIND))


@op("tf.nn.sigmoid_cross_entropy_with_logits", was={"targets": "labels"}, rung=3)
def sigmoid_cross_entropy(labels: Tensor, logits: Tensor) -> Answer:
    return logits.shape, *[_as_loss(need) for need in same(labels, labels.shape, logits, logits.shape)]


@op("tf.nn.weighted_cross_entropy_with_logits", was={"targets": "labels"}, rung=3)
def weighted_cross_entropy(labels: Tensor, logits: Tensor, pos_weight: Tensor) -> Answer:
    return logits.shape, *[_as_loss(need) for need in same(labels, labels.shape, logits, logits.shape)]


def _as_loss(need: Need) -> Need:
    return Need(KIND, need.claim, need.message)


@op("tf.nn.log_poisson_loss", rung=3)
def log_poisson_loss(targets: Tensor, log_input: Tensor) -> Answer:
    return log_input.shape, *same(targets, targets.shape, log_input, log_input.shape)


@op("tf.nn.batch_normalization", rung=2)
def batch_normalization(x: Tensor, mean: Tensor, variance: Tensor, offset: Tensor | None = None) -> Answer:
    return "~B, ~B, ~B, ~B -> ~B" if offset is not None else "~B, ~B, ~B -> ~B"


@op("tf.nn.fused_batch_norm", returns="tuple", rung=2, oracle="none: order of results differs between versions")
def fused_batch_norm(x: Tensor, scale: Tensor, offset: Tensor) -> Answer:
    return "n h w c, c, c -> n h w c, c, c"


@op("tf.nn.ctc_loss", oracle="none: sparse labels")
def ctc_loss(labels: Tensor, logits: Tensor) -> Answer:
    return UNRANKED
