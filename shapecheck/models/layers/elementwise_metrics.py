"""Metrics of the library that compare targets and outputs elementwise, and their constraints in training."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Ref, Tensor, Value, as_str, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.loss_constraints import any_of, broadcast_claim, same_claim
from shapecheck.models.layers.structure import leaves
from shapecheck.shapes.facts import Claim, Equal
from shapecheck.shapes.size import Size, product

COUNTED = {"Precision", "Recall", "TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives", "AUC"}
COUNTED |= {"PrecisionAtRecall", "RecallAtPrecision", "SensitivityAtSpecificity", "SpecificityAtSensitivity"}
OVERLAPS = {"IoU", "MeanIoU", "BinaryIoU"}
STRETCHED = {"BinaryAccuracy", "MeanSquaredError", "MeanAbsoluteError", "RootMeanSquaredError", "CosineSimilarity"}
OTHERWISE = ("class_id", "top_k", "multi_label", "sparse_y_true", "sparse_y_pred")  # these change what is compared


def check_metrics(
    ctx: Context, metrics: Value, targets: Value, outputs: Value, name: str, counts: Sequence[int]
) -> None:
    """State that the metrics of the only output can compare it with the targets, in batches with the given number of
    rows.
    """
    wanted, given = list(leaves(targets)), list(leaves(outputs))
    if len(wanted) != 1 or len(given) != 1:
        return
    target, output = wanted[0], given[0]
    if not isinstance(target, Tensor) or not isinstance(output, Tensor):
        return
    if not (target.shape.is_ranked and output.shape.is_ranked and target.shape.head and output.shape.head):
        return
    said = f"{name} with shape {target.shape.map(ctx.resolve)} and outputs {output.shape.map(ctx.resolve)}"
    for metric in items_of(ctx.freeze(metrics)) or ():
        known = _name(ctx, metric)
        claim = _claim(ctx, known, target.shape.head[1:], output.shape.head[1:], counts)
        if claim is not None:
            ctx.require(ClashKind.BROADCAST, claim, f"the metric {known} cannot compare {said}", target, output)


def _name(ctx: Context, metric: Value) -> str:
    """Return the class of a metric that compares in the usual way; an empty text for others."""
    if isinstance(metric, Ref) and metric.cls.startswith("keras.metrics."):
        told = any(ctx.get(metric, name) is not None for name in OTHERWISE)
        return (
            "" if told or len(items_of(ctx.get(metric, "_args") or NONE) or ()) > 1 else metric.cls.rsplit(".", 1)[-1]
        )
    text = as_str(metric)
    return text if text is not None and text.lower() != "accuracy" else ""  # this one chooses by the shapes itself


def _claim(ctx: Context, name: str, y: Sequence[Size], out: Sequence[Size], counts: Sequence[int]) -> Claim | None:
    """Return the claim for the known version, or for one of the versions."""
    claims = [
        _claim_of(version, name, y, out, counts) for version in ((ctx.target.keras,) if ctx.target.keras else (2, 3))
    ]
    known = [claim for claim in claims if claim is not None]
    return any_of(known) if len(known) == len(claims) else None


def _claim_of(keras: int, name: str, y: Sequence[Size], out: Sequence[Size], counts: Sequence[int]) -> Claim | None:
    if keras == 2:
        y = y or (1,)  # this makes a column of it
    if name in COUNTED:
        return same_claim(y, out)
    if name in OVERLAPS:
        return Equal(product(y), product(out))
    if name == "Accuracy" and keras == 2:
        return same_claim(y, out)
    return broadcast_claim(y, out, counts) if name in STRETCHED | {"Accuracy"} else None
