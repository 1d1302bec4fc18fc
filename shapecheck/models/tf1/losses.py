"""The loss and metric functions of TensorFlow 1, which require equal shapes where the later ones broadcast."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Library, Seq, Value
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import Answer, AnyValue, Context, Need, Tensor, behaviour, never, op, result
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.suspicious import normalised
from shapecheck.shapes.claims import FALSE, Equal
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

EQUAL = "{absolute_difference,hinge_loss,huber_loss,log_loss,sigmoid_cross_entropy}"


def reduced(reduction: Value, losses: Shape) -> Shape:
    """Return the reduced losses: one number, unless they are requested one by one."""
    match reduction:
        case Const(value=None):
            return SCALAR
        case Library(name=name):
            return losses if name.endswith(".NONE") else SCALAR
        case Const(value=str(name)):
            return losses if name == "none" else SCALAR
    return UNRANKED


@op(
    f"tf.losses.{EQUAL}",
    "tf.compat.v1.losses.mean_squared_error",
    was={"multi_class_labels": "labels", "logits": "predictions"},
    dtype="float32",
)
def same_shape(labels: Tensor, predictions: Tensor, reduction: AnyValue = NONE) -> Answer:
    needs = same(labels, labels.shape, predictions, predictions.shape)
    return result(reduced(reduction, predictions.shape), needs=needs)


@behaviour("tf.losses.mean_squared_error")
def mean_squared_error(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """The result is one number in TensorFlow 1, where shapes must agree, and one for each row in TensorFlow 2."""
    if ctx.target.tensorflow == 1 or "labels" in keywords:
        return ctx.apply("tf.compat.v1.losses.mean_squared_error", *args, **keywords)
    if ctx.target.tensorflow == 2 or "y_true" in keywords:
        return ctx.apply("keras.losses.mean_squared_error", *args, **keywords)
    return TensorValue(UNRANKED, "float32")


@op("tf.losses.mean_pairwise_squared_error", dtype="float32")
def pairwise(labels: Tensor, predictions: Tensor) -> Answer:
    return result(SCALAR, needs=same(labels, labels.shape, predictions, predictions.shape))


@op("tf.losses.softmax_cross_entropy", dtype="float32")
def softmax_cross_entropy(onehot_labels: Tensor, logits: Tensor, reduction: AnyValue = NONE) -> Answer:
    needs = same(onehot_labels, onehot_labels.shape, logits, logits.shape, ClashKind.CROSS_ENTROPY)
    notices = normalised(logits, "softmax", "sigmoid")
    return result(reduced(reduction, without_last(logits.shape)), needs=needs, notices=notices)


@op("tf.losses.sparse_softmax_cross_entropy", dtype="float32")
def sparse_softmax_cross_entropy(labels: Tensor, logits: Tensor, reduction: AnyValue = NONE) -> Answer:
    rows = without_last(logits.shape)
    needs = label_needs(labels, logits, rows)
    return result(reduced(reduction, rows), needs=needs, notices=normalised(logits, "softmax", "sigmoid"))


def label_needs(labels: Tensor, logits: Tensor, rows: Shape) -> Sequence[Need]:
    """Return the needs that there is one label for each row of logits; a last axis of size 1 is dropped."""
    if labels.rank is None or logits.rank is None:
        return ()
    shape = labels.shape
    if labels.rank == logits.rank:
        last = shape.sizes[-1] if shape.head else 1
        if last != 1 and isinstance(last, int):
            said = f"labels has shape {shape}, logits has shape {logits.shape}; labels must be class indices"
            return (Need(ClashKind.CROSS_ENTROPY, Equal(last, 1), said),)
        shape = Shape(shape.head[:-1])
    if len(shape.head) != len(rows.head):
        said = f"labels has rank {labels.rank}, which must be one less than the rank {logits.rank} of logits"
        return (never(ClashKind.RANK, said),)
    return same(labels, shape, logits, rows, ClashKind.CROSS_ENTROPY)


def without_last(shape: Shape) -> Shape:
    """Return a shape without its last axis."""
    if shape.tail is None:
        return Shape(shape.head[:-1])
    return Shape(shape.head, shape.tail[:-1]) if shape.tail else UNRANKED


@op("tf.losses.cosine_distance", dtype="float32")
def cosine_distance(labels: Tensor, predictions: Tensor) -> Answer:
    return result(SCALAR, needs=same(labels, labels.shape, predictions, predictions.shape))


@op("tf.losses.compute_weighted_loss", dtype="float32")
def weighted_loss(losses: Tensor, reduction: AnyValue = NONE) -> Answer:
    return result(reduced(reduction, losses.shape))


@behaviour("tf.nn.{nce_loss,sampled_softmax_loss}")
def sampled_loss(
    ctx: Context, weights: Value, biases: Value, labels: Value = NONE, inputs: Value = NONE, *args: Value, **k: Value
) -> Value:
    """Return one number for each row of inputs, as wide as the weights; before TensorFlow 1.0 they came first."""
    table = weights.shape if isinstance(weights, TensorValue) else UNRANKED
    wanted = table.size(1)
    if ctx.target.before_1_0 and as_tensor(labels, ctx).shape.size(1) == wanted:
        labels, inputs = inputs, labels
    rows = as_tensor(inputs, ctx).shape
    width = rows.size(1)
    if rows.rank == table.rank == 2 and width is not None and wanted is not None and width != wanted:
        said = f"inputs has {width} columns, weights has {wanted} columns"
        ctx.require(ClashKind.AXIS, Equal(width, wanted), said, inputs, weights)
    given = k["sampled_values"] if "sampled_values" in k else args[3] if args[3:] else NONE
    classes = as_tensor(labels, ctx).shape
    if given == NONE and classes.rank is not None and classes.rank != 2:
        ctx.require(
            ClashKind.RANK, FALSE, f"labels has rank {classes.rank}, not 2: a column for each true class", labels
        )
    return TensorValue(Shape(rows.head[:1]) if rows.rank == 2 else UNRANKED, "float32")


# Older spellings and metrics ----------------------------------------------------------------------------------------

OLDER = "tf.contrib.{losses,slim.losses}"
NOT_NOW = "none: not in the TensorFlow of today"


@op(f"{OLDER}.softmax_cross_entropy", varargs="more", dtype="float32", oracle=NOT_NOW)
def older_softmax(logits: Tensor, onehot_labels: Tensor, more: AnyValue = NONE) -> Answer:
    return softmax_cross_entropy(onehot_labels, logits)


@op(f"{OLDER}.sparse_softmax_cross_entropy", varargs="more", dtype="float32", oracle=NOT_NOW)
def older_sparse(logits: Tensor, labels: Tensor, more: AnyValue = NONE) -> Answer:
    return sparse_softmax_cross_entropy(labels, logits)


@op(
    f"{OLDER}.{{sigmoid_cross_entropy,hinge_loss,log_loss}}",
    varargs="more",
    was={"multi_class_labels": "labels", "predictions": "logits"},
    dtype="float32",
    oracle=NOT_NOW,
)
def older_pairs(logits: Tensor, labels: Tensor, more: AnyValue = NONE) -> Answer:
    return same_shape(labels, logits)


ERRORS = ("mean_absolute_error", "mean_squared_error")
PAIRED = """accuracy auc false_negatives false_positives mean_cosine_distance mean_relative_error precision recall
root_mean_squared_error sensitivity_at_specificity specificity_at_sensitivity true_negatives true_positives""".split()
METRICS = """average_precision_at_k mean percentage_below precision_at_k recall_at_k
sparse_average_precision_at_k""".split()
BY_CLASS = ("mean_iou", "mean_per_class_accuracy")


@behaviour(*(f"tf.metrics.{name}" for name in PAIRED))
def paired(ctx: Context, labels: Value = NONE, predictions: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """As `metric`; labels and predictions have the same shape, except for a last axis of size 1 of one of them."""
    if ctx.target.tensorflow != 2:
        x, y = as_tensor(labels, ctx).shape, as_tensor(predictions, ctx).shape
        left, right = _squeezed(x, y), _squeezed(y, x)
        said = f"labels has shape {x}, predictions has shape {y}"
        if left.rank is not None and right.rank is not None:
            if left.rank != right.rank:
                ctx.require(ClashKind.RANK, FALSE, said, labels, predictions)
            for mine, yours in zip(left.sizes, right.sizes, strict=left.rank == right.rank):
                ctx.require(ClashKind.AXIS, Equal(mine, yours), said, labels, predictions)
    return metric(ctx)


def _squeezed(shape: Shape, other: Shape) -> Shape:
    """Return the shape without the last axis that the other does not have; of unknown rank where its size may not be
    1.
    """
    if shape.rank is None or other.rank is None or shape.rank != other.rank + 1:
        return shape
    last = shape.sizes[-1]
    return Shape(shape.sizes[:-1]) if last == 1 else shape if isinstance(last, int) else UNRANKED


def _register_error(name: str) -> None:
    def run(ctx: Context, *args: Value, **keywords: Value) -> Value:
        if "y_true" in keywords or (ctx.target.tensorflow == 2 and "labels" not in keywords):
            return ctx.apply(f"keras.losses.{name}", *args, **keywords)
        return paired(ctx, *args, **keywords)

    run.__doc__ = "As `metric` in TensorFlow 1, and one number for each row in TensorFlow 2."
    run.__name__ = name
    behaviour(f"tf.metrics.{name}")(run)


for _error in ERRORS:
    _register_error(_error)


@behaviour(*(f"tf.contrib.metrics.streaming_{name}" for name in (*ERRORS, *PAIRED)))
def streaming(ctx: Context, predictions: Value = NONE, labels: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return paired(ctx, labels, predictions)


@behaviour(
    *(f"tf.metrics.{name}" for name in METRICS),
    *(f"tf.contrib.metrics.streaming_{name}" for name in METRICS),
)
def metric(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """Return a number, and the same after an update."""
    if ctx.target.tensorflow == 2:
        return ctx.lost("a metric of TensorFlow 2")
    return Seq("tuple", (TensorValue(SCALAR, "float32"), TensorValue(SCALAR, "float32")))


@behaviour(
    *(f"tf.metrics.{name}" for name in BY_CLASS),
    *(f"tf.contrib.metrics.streaming_{name}" for name in BY_CLASS),
)
def metric_by_class(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """Return a number, and the counts for each class."""
    if ctx.target.tensorflow == 2:
        return ctx.lost("a metric of TensorFlow 2")
    return Seq("tuple", (TensorValue(SCALAR, "float32"), TensorValue(UNRANKED)))


@behaviour(
    "tf.metrics.{false_negatives,false_positives,precision,recall,true_negatives,true_positives}_at_thresholds",
    "tf.metrics.{mean_tensor,precision_at_top_k,recall_at_top_k,sparse_precision_at_k}",
)
def several(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """Return several numbers, and the operation that updates them."""
    return Seq("tuple", (TensorValue(UNRANKED, "float32"), TensorValue(UNRANKED, "float32")))


@behaviour("tf.contrib.metrics.accuracy")
def plain_accuracy(ctx: Context, predictions: Value, labels: Value, weights: Value = NONE) -> Value:
    one, other = as_tensor(predictions, ctx).shape, as_tensor(labels, ctx).shape
    if one.rank is not None and other.rank is not None:
        said = f"predictions has shape {one}, labels has shape {other}"
        ctx.require(ClashKind.RANK, Equal(one.rank, other.rank), said, predictions, labels)
    return TensorValue(SCALAR, "float32")
