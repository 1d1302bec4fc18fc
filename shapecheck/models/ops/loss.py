"""The losses of tf.nn, and batch normalisation."""

from __future__ import annotations

from shapecheck.models.lang import Answer, Target, Tensor, never, op, result
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.needs import Need
from shapecheck.models.lang.suspicious import normalised, numbered
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import product, symbols

KIND = "cross-entropy"


@op("tf.nn.{softmax_cross_entropy_with_logits,softmax_cross_entropy_with_logits_v2}", dtype="float32", rung=3)
def softmax_cross_entropy(labels: Tensor, logits: Tensor) -> Answer:
    """Rows are counted over all but the last axis; one row of labels and single classes broadcast."""
    shape = Shape(logits.shape.head[:-1]) if logits.rank else UNRANKED
    if labels.rank is None or logits.rank is None:
        return shape
    said = f"labels has shape {labels.shape}, logits has shape {logits.shape}"
    if not labels.rank or not logits.rank or _one_class_a_row(labels.shape, logits.shape):
        return result(shape, needs=[never(KIND, said)])
    rows, given = product(logits.shape.head[:-1]), product(labels.shape.head[:-1])
    classes = broadcast([Shape(labels.shape.head[-1:]), Shape(logits.shape.head[-1:])])[1]
    claims = [AnyOf((Equal(given, rows), Equal(given, 1))), *classes]
    notices = [*normalised(logits, "softmax"), *numbered(labels.shape, logits.shape)]
    return result(shape, needs=[Need(KIND, claim, said) for claim in claims], notices=notices)


def _one_class_a_row(labels: Shape, logits: Shape) -> bool:
    """Whether labels are plainly class numbers: as many as the logits have rows, however many those are."""
    if len(labels.head) != 1 or len(logits.head) != 2:
        return False
    rows, classes = logits.head
    told = not any(symbol.kind.is_lost for symbol in symbols(rows))
    return not isinstance(rows, int) and told and labels.head[0] == rows and isinstance(classes, int) and classes > 1


@op("tf.nn.sparse_softmax_cross_entropy_with_logits", dtype="float32", rung=3)
def sparse_softmax_cross_entropy(labels: Tensor, logits: Tensor, target: Target = Target()) -> Answer:
    """One class number where the logits have an axis of classes; before TensorFlow 1.0 the logits came first."""
    if labels.rank is None or logits.rank is None:
        return UNRANKED if target.before_1_0 else labels.shape
    if target.before_1_0 and labels.rank == logits.rank + 1:
        labels, logits = logits, labels
    said = f"labels has shape {labels.shape}, logits has shape {logits.shape}"
    if not logits.rank or labels.rank != logits.rank - 1:
        return result(labels.shape, needs=[never(KIND, said)])
    needs = same(labels, labels.shape, logits, Shape(logits.shape.head[:-1]), KIND)
    return result(labels.shape, needs=needs, notices=normalised(logits, "softmax"))


@op("tf.nn.sigmoid_cross_entropy_with_logits", was={"targets": "labels"}, rung=3)
def sigmoid_cross_entropy(labels: Tensor, logits: Tensor) -> Answer:
    needs = [_as_loss(need) for need in same(labels, labels.shape, logits, logits.shape)]
    return result(logits.shape, needs=needs, notices=normalised(logits, "sigmoid", "softmax"))


@op("tf.nn.weighted_cross_entropy_with_logits", was={"targets": "labels"}, rung=3)
def weighted_cross_entropy(labels: Tensor, logits: Tensor, pos_weight: Tensor) -> Answer:
    shape, claims = broadcast([logits.shape, pos_weight.shape])
    said = f"pos_weight has shape {pos_weight.shape}, logits has shape {logits.shape}"
    needs = [_as_loss(need) for need in same(labels, labels.shape, logits, logits.shape)]
    needs += [Need(KIND, claim, said) for claim in claims]
    return result(shape, needs=needs, notices=normalised(logits, "sigmoid", "softmax"))


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


@op("tf.nn.{ctc_loss,ctc_loss_v2}", oracle="none: sparse labels")
def ctc_loss(labels: Tensor, logits: Tensor) -> Answer:
    return UNRANKED
