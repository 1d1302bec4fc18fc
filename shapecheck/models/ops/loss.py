"""The losses of `tf.nn`, and batch normalisation."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Value
from shapecheck.models.lang import (
    Answer,
    Axis,
    Blind,
    Context,
    Maps,
    Need,
    Target,
    Tensor,
    Text,
    also,
    never,
    one_of,
    op,
)
from shapecheck.models.lang.apply import same, together
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.axis_positions import place_of
from shapecheck.models.lang.bind import Bound
from shapecheck.models.lang.constraints import Refused, of_integers
from shapecheck.models.lang.element_bounds import require_below
from shapecheck.models.lang.suspicious import normalised, numbered
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import product, symbols

KIND = ClashKind.CROSS_ENTROPY


@op(
    "tf.nn.{softmax_cross_entropy_with_logits,softmax_cross_entropy_with_logits_v2}",
    dtype="float32",
    was={"dim": "axis"},
)
def softmax_cross_entropy(labels: Tensor, logits: Tensor, axis: Axis = -1) -> Answer:
    """The rows are those of all axes but the last; one row of labels and single classes broadcast."""
    if axis not in (-1, None if logits.rank is None else logits.rank - 1):
        labels, logits = _last(labels, axis), _last(logits, axis)
    notices = [*normalised(_computed(labels, logits), "softmax", "sigmoid"), *numbered(labels.shape, logits.shape)]
    return _rows(logits), *_rows_meet(labels, logits), also(notices=notices)


def _computed(labels: Tensor, logits: Tensor) -> Tensor:
    """Return what the network gives: before TensorFlow 1.0, the logits came first, and the labels are fed."""
    return labels if getattr(logits.value, "role", "") == "placeholder" else logits


def _rows(logits: Tensor) -> Shape:
    """Return the shape of one loss for each row."""
    return Shape(logits.shape.head[:-1]) if logits.rank else UNRANKED


def _last(operand: Tensor, axis: int) -> Tensor:
    """Return the operand with an axis moved to the end."""
    if axis < -1:
        raise Refused(ClashKind.AXIS_RANGE, f"axis {axis} is out of range, where only -1 counts from the end")
    if operand.rank is None:
        return operand
    sizes = list(operand.shape.head)
    sizes.append(sizes.pop(place_of(operand, axis)))
    return replace(operand, shape=Shape(tuple(sizes)))


def _rows_meet(labels: Tensor, logits: Tensor) -> list[Need]:
    if labels.rank is None or logits.rank is None:
        return []
    said = f"labels has shape {labels.shape}, logits has shape {logits.shape}"
    if not labels.rank or not logits.rank or _one_class_a_row(labels.shape, logits.shape):
        return [never(KIND, said)]
    rows, given = product(logits.shape.head[:-1]), product(labels.shape.head[:-1])
    classes = [Shape(operand.shape.head[-1:]) for operand in (labels, logits)]
    return [one_of(KIND, given, (rows, 1), said), *together(classes, said, KIND)[1]]


def _one_class_a_row(labels: Shape, logits: Shape) -> bool:
    """Return whether labels are certainly class numbers: as many as the logits have rows."""
    if len(labels.head) != 1 or len(logits.head) != 2:
        return False
    rows, classes = logits.head
    told = not any(symbol.kind.is_lost for symbol in symbols(rows))
    return not isinstance(rows, int) and told and labels.head[0] == rows and isinstance(classes, int) and classes > 1


def _below_classes(ctx: Context, name: str, bound: Bound, result: Value) -> None:
    """State that the class numbers are less than the number of classes."""
    classes = as_tensor(bound.given.get("logits", NONE), ctx).shape.size(-1)
    if isinstance(classes, int) and not ctx.target.before_1_0:
        require_below(ctx, "labels", bound.given.get("labels", NONE), Const(classes), "classes")


@op("tf.nn.sparse_softmax_cross_entropy_with_logits", dtype="float32", leaves=_below_classes)
def sparse_softmax_cross_entropy(labels: Tensor, logits: Tensor, target: Target = Target()) -> Answer:
    """There is one class number for an axis of classes in the logits, which came first before TensorFlow 1.0."""
    if target.before_1_0:
        labels, logits = _in_order(labels, logits)
    notices = normalised(logits, "softmax", "sigmoid")
    return labels.shape, *_one_class_each(labels, logits), also(logits.dtype, notices=notices)


def _in_order(labels: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return the two in the present order, which only their ranks determine."""
    if labels.rank is None or logits.rank is None:
        raise Blind("which are the labels")
    return (logits, labels) if labels.rank == logits.rank + 1 else (labels, logits)


def _one_class_each(labels: Tensor, logits: Tensor) -> list[Need]:
    of_integers(labels)
    if labels.rank is None or logits.rank is None:
        return []
    if not logits.rank or labels.rank != logits.rank - 1:
        return [never(KIND, f"labels has shape {labels.shape}, logits has shape {logits.shape}")]
    return same(labels, labels.shape, logits, Shape(logits.shape.head[:-1]), KIND)


@op("tf.nn.sigmoid_cross_entropy_with_logits", was={"targets": "labels"})
def sigmoid_cross_entropy(labels: Tensor, logits: Tensor) -> Answer:
    needs = map(_as_loss, same(labels, labels.shape, logits, logits.shape))
    return logits.shape, *needs, also(notices=normalised(logits, "sigmoid", "softmax"))


@op("tf.nn.weighted_cross_entropy_with_logits", was={"targets": "labels"})
def weighted_cross_entropy(labels: Tensor, logits: Tensor, pos_weight: Tensor) -> Answer:
    said = f"pos_weight has shape {pos_weight.shape}, logits has shape {logits.shape}"
    shape, weighted = together([logits.shape, pos_weight.shape], said, KIND)
    needs = map(_as_loss, same(labels, labels.shape, logits, logits.shape))
    return shape, *needs, *weighted, also(notices=normalised(logits, "sigmoid", "softmax"))


def _as_loss(need: Need) -> Need:
    return Need(KIND, need.claim, need.message)


@op("tf.nn.log_poisson_loss")
def log_poisson_loss(targets: Tensor, log_input: Tensor) -> Answer:
    return log_input.shape, *same(targets, targets.shape, log_input, log_input.shape)


@op("tf.nn.batch_normalization")
def batch_normalization(x: Tensor, mean: Tensor, variance: Tensor, offset: Tensor | None = None) -> Answer:
    return "~B, ~B, ~B, ~B -> ~B" if offset is not None else "~B, ~B, ~B -> ~B"


@op("tf.nn.fused_batch_norm", returns="tuple", oracle="none: order of results differs between versions")
def fused_batch_norm(x: Tensor, scale: Tensor, offset: Tensor, data_format: Text | None = None) -> Answer:
    return Maps.of(3 if x.shape.min_rank == 5 else 2, data_format)("n h.. c, c, c -> n h.. c, c, c")
