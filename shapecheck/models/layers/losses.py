"""Losses and metrics: functions of targets and predictions, and the objects that wrap them."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    TRUE,
    Const,
    Dict,
    HomogeneousSeq,
    Library,
    Ref,
    Seq,
    Tensor,
    Value,
    as_str,
)
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.dtypes import is_float
from shapecheck.models.lang.loading import is_modelled
from shapecheck.models.lang.registry import behaviour, expanded
from shapecheck.models.layers.compute_dtype import computed_in
from shapecheck.models.layers.loss_constraints import (
    BINARY,
    CATEGORICAL,
    PAIRWISE,
    SPARSE,
    check_classes,
    loss_name,
    reduced,
)
from shapecheck.models.layers.shapeless_objects import plain_class
from shapecheck.models.layers.structure import is_written, like
from shapecheck.models.layers.suspicious_losses import judge_output, judge_pair
from shapecheck.models.layers.traced_calls import call_in_layer
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.facts import FALSE, AllOf, AnyOf, Claim, Equal, Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import product

FUNCTIONS = expanded(
    [
        "keras.{losses,metrics,objectives}.{mean_squared_error,mse,mean_absolute_error,mae,msle,mape,kld,kl_divergence}",
        "keras.{losses,metrics,objectives}.{mean_absolute_percentage_error,mean_squared_logarithmic_error,logcosh,log_cosh}",
        "keras.{losses,metrics,objectives}.{kullback_leibler_divergence,poisson,hinge,squared_hinge,categorical_hinge}",
        "keras.{losses,metrics,objectives}.{huber,cosine_similarity,cosine_proximity,binary_crossentropy}",
        "keras.{losses,metrics,objectives}.{categorical_crossentropy,sparse_categorical_crossentropy}",
        "keras.{losses,metrics,backend}.{binary_focal_crossentropy,categorical_focal_crossentropy}",
        "keras.{backend,ops}.{binary_crossentropy,categorical_crossentropy,sparse_categorical_crossentropy}",
    ]
)
CLASSES = expanded(
    [
        "keras.losses.{MeanSquaredError,MeanAbsoluteError,MeanAbsolutePercentageError,MeanSquaredLogarithmicError}",
        "keras.losses.{BinaryCrossentropy,CategoricalCrossentropy,SparseCategoricalCrossentropy,KLDivergence,Poisson}",
        "keras.losses.{BinaryFocalCrossentropy,CategoricalFocalCrossentropy,CosineSimilarity,Hinge,SquaredHinge,Huber}",
        "keras.losses.{CategoricalHinge,LogCosh,Loss,CTC,Dice,Tversky,Circle,CategoricalGeneralizedCrossEntropy}",
    ]
)


def _register_function(name: str) -> None:
    loss = loss_name(Library(name)) or ""

    def run(ctx: Context, y_true: Value = NONE, y_pred: Value = NONE, **others: Value) -> Value:
        targets, outputs = _operands(ctx, others.get("target", y_true), others.get("output", y_pred))
        judge_output(ctx, Library(name), outputs, others.get("from_logits", Const(False)))
        judge_pair(ctx, loss, targets, outputs)
        if others.get("ignore_class", NONE) == NONE and _is_last(others.get("axis")):
            check_classes(ctx, Library(name), targets, outputs, "y_true")
        if not _is_last(others.get("axis")):
            return like(UNRANKED, targets, outputs)
        if ".backend." in name and loss in BINARY:
            return like(broadcast([targets.shape, outputs.shape])[0], targets, outputs)
        each = per_sample(ctx, loss, targets, outputs, others.get("from_logits") == TRUE, ctx.target.keras != 3)
        each = each.with_shape(outputs.shape) if ".ops." in name and loss in BINARY else each
        return each if is_float(outputs.dtype) is False else replace(each, dtype=outputs.dtype)

    run.__module__ = __name__
    behaviour(name)(run)


def _is_last(axis: Value | None) -> bool:
    """Return whether a loss compares the last axis, which is the only one that all backends allow."""
    return axis in (None, NONE, Const(-1))


def _operands(ctx: Context, y_true: Value, y_pred: Value) -> tuple[Tensor, Tensor]:
    return as_tensor(ctx.freeze(y_true), ctx), as_tensor(ctx.freeze(y_pred), ctx)


def per_sample(
    ctx: Context, loss: str, targets: Tensor, outputs: Tensor, of_logits: bool = False, aligns: bool = True
) -> Tensor:
    """Return one loss for each sample, after stating the constraints of the loss. Binary losses do not broadcast
    logits; loss objects bring both to the same rank (`align`), but the functions of Keras 3 do not.
    """
    said = f"y_true has shape {targets.shape}, y_pred has shape {outputs.shape}"
    if loss in SPARSE:
        return _sparse(ctx, targets, outputs, said)
    if loss in CATEGORICAL or (loss in BINARY and (of_logits or ctx.target.keras == 3)):
        return _same(ctx, targets, outputs, said, aligns)
    shape, claims = broadcast([targets.shape, outputs.shape])
    squeezed = _may_squeeze(targets.shape, outputs.shape)
    if loss in PAIRWISE | BINARY and not squeezed:
        for claim in claims:
            if (
                ctx.require(
                    ClashKind.CROSS_ENTROPY if loss in BINARY else ClashKind.BROADCAST, claim, said, targets, outputs
                )
                is Verdict.NEVER
            ):
                return like(UNRANKED, targets, outputs)
    if loss not in PAIRWISE | BINARY:
        return like(UNRANKED, targets, outputs)
    return like(UNRANKED if squeezed else reduced(shape), targets, outputs)


def _may_squeeze(a: Shape, b: Shape) -> bool:
    """Return whether a last axis of size 1 may be dropped to bring both to the same rank."""
    if a.rank is None or b.rank is None:
        return True
    if abs(a.rank - b.rank) != 1:
        return False
    longer = a if a.rank > b.rank else b
    return longer.head[-1] == 1 or not isinstance(longer.head[-1], int)


def _without_surplus(outputs: Tensor, targets: Tensor) -> Tensor:
    """Return the outputs without a last axis of size 1 that the targets, which have a row for each sample, do not
    have.
    """
    a, b = targets.shape, outputs.shape
    is_surplus = a.tail is None and b.tail is None and len(b.head) == len(a.head) + 1 and len(a.head) > 1
    return replace(outputs, shape=Shape(b.head[:-1])) if is_surplus and b.head[-1] == 1 else outputs


def _same(ctx: Context, targets: Tensor, outputs: Tensor, said: str, aligns: bool) -> Tensor:
    a, b = targets.shape, outputs.shape
    if a.tail is None and b.tail is None:
        pairs = zip(a.head, b.head, strict=False)
        claims = tuple(Equal(x, y) for x, y in pairs if x != y)
        claim: Claim = FALSE if len(a.head) != len(b.head) else AllOf(claims)
        if not (aligns and _may_squeeze(a, b)):
            ctx.require(ClashKind.CROSS_ENTROPY, claim, said, targets, outputs)
    return like(reduced(outputs.shape), targets, outputs)


def _sparse(ctx: Context, targets: Tensor, outputs: Tensor, said: str) -> Tensor:
    a, b = targets.shape, outputs.shape
    result = reduced(b)
    if a.tail is None and b.tail is None and b.head:
        rows = b.head[:-1]
        forms: list[Claim] = []
        if len(a.head) == len(rows):
            forms.append(AllOf(tuple(Equal(x, y) for x, y in zip(a.head, rows, strict=True) if x != y)))
        if len(a.head) == len(rows) + 1:
            pairs = zip(a.head, (*rows, 1), strict=True)
            forms.append(AllOf(tuple(Equal(x, y) for x, y in pairs if x != y)))
        if len(a.head) <= len(rows) + 1:
            ctx.require(
                ClashKind.CROSS_ENTROPY, forms[0] if len(forms) == 1 else AnyOf(tuple(forms)), said, targets, outputs
            )
    return like(result, targets, outputs)


for _name in FUNCTIONS:
    _register_function(_name)


# Objects -----------------------------------------------------------------------------------------------------------


for _name in CLASSES:
    plain_class(_name, "keras.losses.Loss", __name__)


@behaviour("keras.losses.Loss.__init__", "keras.metrics.Metric.__init__")
def initialise(ctx: Context, self: Ref, *args: Value, **keywords: Value) -> Value:
    for name, value in keywords.items():
        ctx.set(self, name, value)
    return NONE


@behaviour("keras.losses.Loss.__call__")
def call_loss(
    ctx: Context, self: Ref, y_true: Value = NONE, y_pred: Value = NONE, *rest: Value, **others: Value
) -> Value:
    written = ctx.get(self, "call")
    targets, outputs = _operands(ctx, y_true, y_pred)
    if written is not None and is_written(written):
        given = [(y_true, targets), (y_pred, outputs)]
        losses = ctx.freeze(call_in_layer(ctx, written, [_as_given(ctx, *each) for each in given]))
        return _reduced(ctx, self, losses if isinstance(losses, Tensor) else like(UNRANKED, targets, outputs))
    judge_output(ctx, self, _without_surplus(outputs, targets))
    judge_pair(ctx, loss_name(self) or "", targets, outputs, aligned="np" not in (targets.library, outputs.library))
    check_classes(ctx, self, targets, outputs, "y_true")
    if not _is_last(ctx.get(self, "axis")):
        return _reduced(ctx, self, like(UNRANKED, targets, outputs))
    return _reduced(ctx, self, per_sample(ctx, loss_name(self) or "", targets, outputs))


def _as_given(ctx: Context, given: Value, tensor: Tensor) -> Value:
    """Return what a loss of the program gets: a structure of tensors stays what it is."""
    return given if isinstance(ctx.freeze(given), (Seq, HomogeneousSeq, Dict)) else tensor


def _reduced(ctx: Context, self: Ref, losses: Tensor) -> Tensor:
    """Return a scalar, unless the object was made with reduction="none"."""
    reduction = ctx.get(self, "reduction")
    text = "sum" if reduction is None else "none" if reduction == NONE else as_str(reduction)
    if isinstance(reduction, Library):
        text = reduction.name.rsplit(".", 1)[-1]
    if text is None:
        return like(UNRANKED, losses)
    dtype = computed_in(ctx, self)
    return Tensor(losses.shape if text.lower() == "none" else Shape(()), dtype, losses.library)


METRICS = expanded(
    [
        "keras.metrics.{AUC,Accuracy,BinaryAccuracy,BinaryCrossentropy,BinaryIoU,CategoricalAccuracy,CategoricalHinge}",
        "keras.metrics.{CategoricalCrossentropy,CosineSimilarity,F1Score,FBetaScore,FalseNegatives,FalsePositives,IoU}",
        "keras.metrics.{Hinge,KLDivergence,LogCoshError,Mean,MeanAbsoluteError,MeanAbsolutePercentageError,MeanIoU}",
        "keras.metrics.{MeanMetricWrapper,MeanRelativeError,MeanSquaredError,MeanSquaredLogarithmicError,MeanTensor}",
        "keras.metrics.{Metric,OneHotIoU,OneHotMeanIoU,Poisson,Precision,PrecisionAtRecall,R2Score,Recall,Sum}",
        "keras.metrics.{RecallAtPrecision,RootMeanSquaredError,SensitivityAtSpecificity,SparseCategoricalAccuracy}",
        "keras.metrics.{SparseCategoricalCrossentropy,SparseTopKCategoricalAccuracy,SpecificityAtSensitivity}",
        "keras.metrics.{SquaredHinge,TopKCategoricalAccuracy,TrueNegatives,TruePositives,ConcordanceCorrelation}",
        "keras.metrics.PearsonCorrelation",
    ]
)
for _name in METRICS:
    plain_class(_name, "keras.metrics.Metric", __name__)


@behaviour("keras.metrics.Metric.__call__", "keras.metrics.Metric.result")
def result_of(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    name = loss_name(Library(self.cls)) if isinstance(self, Ref) else None
    several = name in ("meantensor", "fbetascore", "fscore", "rscore", None)
    return like(UNRANKED if several else Shape(()))


@behaviour("keras.metrics.Metric.update_state")
def update(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    """Return nothing; in Keras 2 an operation, which may be a variable that was assigned to."""
    return NONE if ctx.target.keras == 3 else ctx.lost("an update of a metric")


@behaviour(
    "keras.metrics.{BinaryAccuracy,CategoricalAccuracy,SparseCategoricalAccuracy,TopKCategoricalAccuracy}.update_state",
    "keras.metrics.{SparseTopKCategoricalAccuracy,MeanSquaredError,MeanAbsoluteError}.update_state",
    "keras.metrics.{BinaryCrossentropy,CategoricalCrossentropy,SparseCategoricalCrossentropy}.update_state",
)
def update_weighted(
    ctx: Context, self: Value, y_true: Value = NONE, y_pred: Value = NONE, sample_weight: Value = NONE
) -> Value:
    """Weights are given for the samples, or for the positions in each."""
    weights, outputs = as_tensor(ctx.freeze(sample_weight), ctx), as_tensor(ctx.freeze(y_pred), ctx)
    if sample_weight != NONE and weights.shape.head and outputs.shape.head:
        given, rows = weights.shape.head[0], outputs.shape.head[0]
        said = f"sample_weight has shape {weights.shape}, y_pred has shape {outputs.shape}"
        ctx.require(ClashKind.BROADCAST, AnyOf((Equal(given, rows), Equal(given, 1))), said, weights, outputs)
    return update(ctx, self)


@behaviour("keras.metrics.Metric.{reset_state,reset_states}")
def reset(ctx: Context, self: Value) -> Value:
    return NONE


@behaviour("keras.metrics.{MeanIoU,IoU}.update_state")
def update_overlap(ctx: Context, self: Value, y_true: Value = NONE, y_pred: Value = NONE, *args: Value) -> Value:
    """Targets and outputs are class numbers, as many on both sides."""
    targets, outputs = _operands(ctx, y_true, y_pred)
    encoded = [ctx.get(self, name) for name in ("sparse_y_true", "sparse_y_pred")]
    if (
        any(given not in (None, TRUE) for given in encoded)
        or not targets.shape.is_ranked
        or not outputs.shape.is_ranked
    ):
        return NONE
    counts = product(targets.shape.sizes), product(outputs.shape.sizes)
    said = f"y_true {targets.shape} and y_pred {outputs.shape} must hold class numbers of the same elements"
    ctx.require(ClashKind.ELEMENTS, Equal(*counts), said, targets, outputs)
    return NONE


@behaviour(
    "keras.metrics.{categorical_accuracy,binary_accuracy,sparse_categorical_accuracy,sparse_top_k_categorical_accuracy}",
    "keras.metrics.top_k_categorical_accuracy",
)
def accuracy(ctx: Context, y_true: Value = NONE, y_pred: Value = NONE, *rest: Value, **others: Value) -> Value:
    targets, outputs = _operands(ctx, y_true, y_pred)
    return like(reduced(outputs.shape) if outputs.shape.rank == 2 else UNRANKED, targets, outputs)


@behaviour(
    "keras.losses.{dice,tversky,circle,ctc,categorical_generalized_cross_entropy}",
    "keras.metrics.{concordance_correlation,pearson_correlation}",
)
def compared(ctx: Context, y_true: Value = NONE, y_pred: Value = NONE, *rest: Value, **others: Value) -> Value:
    """Return numbers for samples or for all of them, depending on an axis."""
    return like(UNRANKED, *_operands(ctx, y_true, y_pred))


@behaviour("keras.optimizers.get", "keras.initializers.get")
def got(ctx: Context, identifier: Value = NONE, *rest: Value, **others: Value) -> Value:
    return identifier


def _register_getter(family: str) -> None:
    """Register a function that returns another one by its name, and any other value as it is."""

    def get(ctx: Context, identifier: Value = NONE, *rest: Value, **others: Value) -> Value:
        name = "linear" if identifier == NONE and family == "activations" else as_str(identifier)
        path = f"keras.{family}.{name}"
        return Library(path) if name is not None and name.islower() and is_modelled(path) else identifier

    get.__module__ = __name__
    behaviour(f"keras.{family}.get")(get)


for _name in ("activations", "losses", "metrics"):
    _register_getter(_name)
