"""Losses with margins, and of distributions: functions and modules."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE
from shapecheck.models.lang import Answer, AnyValue, Blind, Need, Refused, Tensor, Text, op
from shapecheck.models.lang.apply import stretches_to, together
from shapecheck.models.lang.constraints import equal_ranks, of_rank
from shapecheck.models.torch.layer import layer
from shapecheck.models.torch.losses import reduced
from shapecheck.shapes.shape import UNRANKED, Shape

FUNCTIONS = "torch.nn.functional"
_COMPILED = "poisson_nll_loss hinge_embedding_loss margin_ranking_loss cosine_embedding_loss kl_div triplet_margin_loss"


@layer("torch.nn.{PoissonNLLLoss,HingeEmbeddingLoss}", dtype="?")
@op(f"{FUNCTIONS}.{{poisson_nll_loss,hinge_embedding_loss}}", dtype="?")
def of_pairs(input: Tensor, target: Tensor, reduction: Text = "mean") -> Answer:
    """Both broadcast."""
    return reduced(UNRANKED, reduction, together([input.shape, target.shape])[1])


@layer("torch.nn.GaussianNLLLoss", dtype="?")
@op(f"{FUNCTIONS}.gaussian_nll_loss", dtype="?", oracle="none: a variance for each element, or for each sample")
def gaussian(input: Tensor, target: Tensor, var: AnyValue, reduction: Text = "mean") -> Answer:
    return reduced(UNRANKED, reduction)


@layer("torch.nn.MarginRankingLoss", dtype="?")
@op(f"{FUNCTIONS}.margin_ranking_loss", dtype="?")
def ranking(input1: Tensor, input2: Tensor, target: Tensor, reduction: Text = "mean") -> Answer:
    """All three have the same rank, and broadcast."""
    equal_ranks(input1, input2)
    equal_ranks(input1, target)
    return reduced(UNRANKED, reduction, together([each.shape for each in (input1, input2, target)])[1])


@layer("torch.nn.CosineEmbeddingLoss", dtype="?")
@op(f"{FUNCTIONS}.cosine_embedding_loss", dtype="?")
def cosine(input1: Tensor, input2: Tensor, target: Tensor, reduction: Text = "mean") -> Answer:
    """There is a target for each pair of rows, or one number for a pair of vectors."""
    of_rank(target, 0, 1)
    for each in (input1, input2) if target.rank is not None else ():
        of_rank(each, (target.rank or 0) + 1)
    return reduced(UNRANKED, reduction, _rows_and_targets(input1, input2, target))


def _rows_and_targets(input1: Tensor, input2: Tensor, target: Tensor) -> list[Need]:
    """Return the needs for rows to be compared, and for the results to go with the targets."""
    rows, needs = together([input1.shape, input2.shape])
    of_rows = together([Shape(rows.head[:1]), target.shape])[1] if rows.rank == 2 and target.rank == 1 else []
    return [*needs, *of_rows]


@layer("torch.nn.{MultiLabelMarginLoss,MultiMarginLoss}", dtype="?")
@op(f"{FUNCTIONS}.{{multilabel_margin_loss,multi_margin_loss}}", dtype="?", oracle="none: class numbers")
def of_classes(input: Tensor, target: Tensor, reduction: Text = "mean") -> Answer:
    return reduced(UNRANKED, reduction)


@layer("torch.nn.SoftMarginLoss", dtype="?")
@op(f"{FUNCTIONS}.soft_margin_loss", dtype="?")
def soft_margin(input: Tensor, target: Tensor, reduction: Text = "mean") -> Answer:
    """The target is stretched to the input."""
    return reduced(input.shape, reduction, stretches_to(target, input.shape))


@layer("torch.nn.MultiLabelSoftMarginLoss", dtype="?")
@op(f"{FUNCTIONS}.multilabel_soft_margin_loss", dtype="?")
def multilabel(input: Tensor, target: Tensor, weight: AnyValue = NONE, reduction: Text = "mean") -> Answer:
    """Both broadcast, and classes are the last axis of the input."""
    if input.rank == 0:
        raise Refused(ClashKind.RANK, f"{input.name} has no axis of classes")
    return reduced(UNRANKED, reduction, together([input.shape, target.shape])[1])


@layer("torch.nn.TripletMarginWithDistanceLoss", dtype="?")
@op(f"{FUNCTIONS}.triplet_margin_with_distance_loss", dtype="?", oracle="none: any distance")
def triplet(anchor: Tensor, positive: Tensor, negative: Tensor, reduction: Text = "mean") -> Answer:
    """The distance may be any function of the program."""
    return reduced(UNRANKED, reduction)


@op(f"torch.{{{','.join(_COMPILED.split())}}}", dtype="?", oracle="none: the reduction is a number")
def compiled(input: Tensor, reduction: AnyValue = NONE) -> Answer:
    raise Blind("the number of a reduction")
