"""Losses: functions and modules, and the agreement of outputs and targets that each requires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE as FALSE_VALUE
from shapecheck.domain.values import NONE, Value, items_of
from shapecheck.domain.values import TRUE as TRUE_VALUE
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import Answer, AnyValue, Blind, Need, Refused, Tensor, Text, never, op, result
from shapecheck.models.lang.answer import Result
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.constraints import broadcasting, equal, equal_ranks
from shapecheck.models.lang.refused_dtypes import kind
from shapecheck.models.torch.layer import layer
from shapecheck.shapes.claims import FALSE, simplify
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size

FUNCTIONS = "torch.nn.functional"
UNBOUNDED = "the loss expects probabilities, but the last layer has no activation"
Notices = Sequence[tuple[ClashKind, str]]


def reduced(
    shape: Shape, reduction: str, needs: Sequence[Need] = (), notices: Notices = (), dtype: str | None = None
) -> Result:
    """Return the loss of each element, or one number for all of them."""
    return result(shape if reduction == "none" else SCALAR, needs=needs, notices=notices, dtype=dtype)


def _kept(reduction: str, reduce: Value) -> str:
    """Return how losses are reduced; not at all, if an older argument says so."""
    if reduce not in (NONE, TRUE_VALUE, FALSE_VALUE):
        raise Blind("whether losses are reduced")
    return "none" if reduce == FALSE_VALUE else reduction


# Elementwise ---------------------------------------------------------------------------------------------------------


@layer("torch.nn.{MSELoss,L1Loss,SmoothL1Loss,HuberLoss}", dtype="?")
@op(f"{FUNCTIONS}.{{mse_loss,l1_loss,smooth_l1_loss,huber_loss}}", dtype="?")
def elementwise(input: Tensor, target: Tensor, reduction: Text = "mean", reduce: AnyValue = NONE) -> Answer:
    """Both broadcast, which is nearly always a mistake."""
    return _compared(input, target, _kept(reduction, reduce))


def _compared(input: Tensor, target: Tensor, reduction: Text, noticed: Notices = ()) -> Answer:
    if input.rank is None or target.rank is None:
        return reduced(UNRANKED, reduction, notices=noticed)
    said = f"{input.name} {input.shape} and {target.name} {target.shape}"
    shape, needs = broadcasting([input.shape, target.shape], said)
    fails = any(simplify(need.claim) == FALSE for need in needs)
    notices = [*noticed, *([] if fails else _stretched(input, target))]
    is_plain = input.dtype == target.dtype and not _is(input, "complex")
    return reduced(shape, reduction, needs, notices, input.dtype if is_plain else None)


def _stretched(input: Tensor, target: Tensor) -> Notices:
    """Return the notice that one side is repeated."""
    one, other = input.shape.head, target.shape.head
    if len(one) == len(other):
        pairs = zip(one, other, strict=True)
        if not any(1 in pair and any(isinstance(size, int) and size > 1 for size in pair) for pair in pairs):
            return []
    elif {*one, *other} == {1}:
        return []
    said = f"{input.name} {input.shape} and {target.name} {target.shape} are broadcast together"
    return [(ClashKind.LOSS_STRETCHED, said)]


@layer("torch.nn.BCELoss", dtype="?")
@op(f"{FUNCTIONS}.binary_cross_entropy", dtype="?")
def binary(input: Tensor, target: Tensor, reduction: Text = "mean", reduce: AnyValue = NONE) -> Answer:
    """Both have the same shape, and the input holds probabilities."""
    _refuse_integers(input, target)
    return _of_probabilities(input, target, _kept(reduction, reduce))


def _refuse_integers(input: Tensor, target: Tensor) -> None:
    """Targets are floats, as the outputs are."""
    if _is(input, "float") and target.dtype is not None and kind(target.dtype) in ("int", "bool"):
        raise Refused(ClashKind.DTYPE, f"{target.name} is {target.dtype}, it must be float like the output")


def _of_probabilities(input: Tensor, target: Tensor, reduction: Text) -> Answer:
    notices = []
    if input.nature in ("linear", "relu"):
        notices.append(
            (ClashKind.LOGITS_AS_PROBABILITIES, "the loss expects probabilities, but the last layer has no activation")
        )
    return _alike(input, target, reduction, notices)


@layer("torch.nn.BCEWithLogitsLoss", dtype="?")
@op(f"{FUNCTIONS}.binary_cross_entropy_with_logits", dtype="?")
def binary_of_logits(input: Tensor, target: Tensor, reduction: Text = "mean", reduce: AnyValue = NONE) -> Answer:
    said = f"the loss expects logits, but the output comes from a {input.nature}"
    notices = [(ClashKind.SOFTMAX_AS_LOGITS, said)] if input.nature in ("sigmoid", "softmax") else []
    return _alike(input, target, _kept(reduction, reduce), notices)


def _alike(input: Tensor, target: Tensor, reduction: str, notices: Notices) -> Answer:
    if input.rank is None or target.rank is None:
        return reduced(UNRANKED, reduction, notices=notices)
    said = f"{input.name} has shape {input.shape}, {target.name} has shape {target.shape}"
    if input.rank != target.rank:
        return reduced(UNRANKED, reduction, [never(ClashKind.RANK, said)])
    pairs = zip(input.shape.head, target.shape.head, strict=True)
    needs = [equal(ClashKind.AXIS, one, other, said) for one, other in pairs if one != other]
    return reduced(input.shape, reduction, needs, notices, input.dtype if input.dtype == target.dtype else None)


@layer("torch.nn.KLDivLoss", dtype="?")
@op(f"{FUNCTIONS}.kl_div", dtype="?")
def divergence(input: Tensor, target: Tensor, reduction: Text = "mean", reduce: AnyValue = NONE) -> Answer:
    """The input holds logarithms of probabilities."""
    kept = _kept("mean" if reduction == "batchmean" else reduction, reduce)
    return _compared(input, target, kept, _without_logarithm(input) if input.nature != "linear" else [])


# Classes -------------------------------------------------------------------------------------------------------------


@layer("torch.nn.CrossEntropyLoss", dtype="first")
@op(f"{FUNCTIONS}.cross_entropy", dtype="first")
def cross_entropy(
    input: Tensor, target: Tensor, weight: AnyValue = NONE, reduction: Text = "mean", reduce: AnyValue = NONE
) -> Answer:
    """The classes are the second axis of the input. Targets are class numbers, without that axis, or probabilities."""
    return _weighted(input, weight) or _of_logits(input, target, _kept(reduction, reduce))


def _weighted(input: Tensor, weight: Value) -> Answer | None:
    """Refuse weights of another number of classes; return None for those that fit."""
    count = weight.shape.size(0) if isinstance(weight, TensorValue) and weight.shape.rank == 1 else None
    classes = input.shape.size(1 if (input.rank or 0) > 1 else 0) if input.rank else None
    if not isinstance(count, int) or not isinstance(classes, int) or count == classes:
        return None
    said = f"{input.name} has {classes} classes, there are weights for {count}"
    return reduced(UNRANKED, "none", [never(ClashKind.CROSS_ENTROPY, said)])


def _of_logits(input: Tensor, target: Tensor, reduction: Text) -> Answer:
    notices: list[tuple[ClashKind, str]] = []
    if input.nature in ("softmax", "sigmoid"):
        said = f"the loss expects logits, but the output comes from a {input.nature}"
        notices.append((ClashKind.SOFTMAX_AS_LOGITS, said))
    if input.rank is None or target.rank is None:
        return reduced(UNRANKED, reduction, notices=notices)
    _refuse_scalar(input)
    if input.rank == target.rank and _is(target, "float", unknown=True):
        if not _is(target, "float") and not _may_be_same(input.shape, target.shape):
            return reduced(UNRANKED, reduction, [never(ClashKind.CROSS_ENTROPY, _said(input, target))])
        needs = _pairs(input, target, input.shape.head, target.shape.head)
        return reduced(_without_classes(input), reduction, needs, notices)
    return _by_number(input, target, reduction, notices)


@layer("torch.nn.NLLLoss", "torch.nn.NLLLoss2d", dtype="first")
@op(f"{FUNCTIONS}.nll_loss", dtype="first")
def nll(
    input: Tensor, target: Tensor, weight: AnyValue = NONE, reduction: Text = "mean", reduce: AnyValue = NONE
) -> Answer:
    """The input holds logarithms of probabilities, the targets class numbers."""
    return _weighted(input, weight) or _of_logarithms(input, target, _kept(reduction, reduce))


def _of_logarithms(input: Tensor, target: Tensor, reduction: Text) -> Answer:
    notices = _without_logarithm(input)
    if input.rank is None or target.rank is None:
        return reduced(UNRANKED, reduction, notices=notices)
    _refuse_scalar(input)
    return _by_number(input, target, reduction, notices)


def _without_logarithm(input: Tensor) -> list[tuple[ClashKind, str]]:
    """Notice outputs that are no logarithms of probabilities."""
    if input.nature not in ("softmax", "sigmoid", "linear"):
        return []
    what = "has no log-softmax" if input.nature == "linear" else f"is a {input.nature} without a logarithm"
    return [(ClashKind.LOGITS_AS_PROBABILITIES, f"the loss expects log-probabilities, but the output {what}")]


def _refuse_scalar(input: Tensor) -> None:
    if input.rank == 0:
        raise Refused(ClashKind.RANK, f"{input.name} has no axis of classes")


def _by_number(input: Tensor, target: Tensor, reduction: str, notices: Notices) -> Answer:
    """Return the loss for class numbers, which have the shape of the input without its classes."""
    said = _said(input, target) + (", classes are axis 1" if (input.rank or 0) > 2 else "")
    if target.rank != (input.rank or 0) - 1:
        return reduced(UNRANKED, reduction, [never(ClashKind.CROSS_ENTROPY, said)])
    if _is(target, "float") or _is(target, "bool"):
        more = f"{target.name} is {target.dtype}, class numbers are integers"
        return reduced(UNRANKED, reduction, [never(ClashKind.NOT_INTEGER, more)])
    wanted = _without_classes(input)
    pairs = zip(wanted.head, target.shape.head, strict=True)
    needs = [equal(ClashKind.CROSS_ENTROPY, x, y, said) for x, y in pairs if x != y]
    return reduced(target.shape, reduction, needs, notices)


def _without_classes(input: Tensor) -> Shape:
    head = input.shape.head
    return Shape(()) if len(head) == 1 else Shape((head[0], *head[2:]))


def _pairs(input: Tensor, target: Tensor, one: Sequence[Size], other: Sequence[Size]) -> list[Need]:
    said = _said(input, target)
    return [equal(ClashKind.CROSS_ENTROPY, x, y, said) for x, y in zip(one, other, strict=True) if x != y]


def _said(input: Tensor, target: Tensor) -> str:
    return f"{input.name} has shape {input.shape}, {target.name} has shape {target.shape}"


def _is(tensor: Tensor, wanted: str, unknown: bool = False) -> bool:
    """Return whether a tensor is of a kind of numbers."""
    return unknown if tensor.dtype is None else kind(tensor.dtype) == wanted


def _may_be_same(one: Shape, other: Shape) -> bool:
    pairs = zip(one.head, other.head, strict=True)
    return all(not (isinstance(x, int) and isinstance(y, int)) or x == y for x, y in pairs)


@layer("torch.nn.CTCLoss", dtype="first")
@op(f"{FUNCTIONS}.ctc_loss", dtype="first")
def ctc(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: AnyValue = NONE,
    target_lengths: AnyValue = NONE,
    reduction: Text = "mean",
) -> Answer:
    """Scores come time first; there is a length for each sequence of the batch."""
    counts = {"input_lengths": _count(input_lengths), "target_lengths": _count(target_lengths)}
    counts[targets.name] = targets.shape.head[0] if targets.rank == 2 else None
    return reduced(UNRANKED, reduction, _one_each(log_probs, counts) if log_probs.rank == 3 else ())


def _one_each(log_probs: Tensor, counts: Mapping[str, Size | None]) -> list[Need]:
    rows = log_probs.shape.head[1]
    said = f"{log_probs.name} has {rows} sequences on axis 1"
    known = {name: count for name, count in counts.items() if count is not None}
    return [equal(ClashKind.AXIS, rows, count, f"{said}, {name} has {count}") for name, count in known.items()]


def _count(lengths: Value) -> Size | None:
    """Return how many lengths are given."""
    if isinstance(lengths, TensorValue):
        return lengths.shape.head[0] if lengths.shape.rank == 1 else None
    items = items_of(lengths)
    return None if items is None else len(items)


@layer("torch.nn.TripletMarginLoss", dtype="promote float real")
@op(f"{FUNCTIONS}.triplet_margin_loss", dtype="promote float real")
def triplet(
    anchor: Tensor, positive: Tensor, negative: Tensor, reduction: Text = "mean", reduce: AnyValue = NONE
) -> Answer:
    """All three have the same rank, and the first broadcasts with both others."""
    return _of_three(anchor, positive, negative, _kept(reduction, reduce))


def _of_three(anchor: Tensor, positive: Tensor, negative: Tensor, reduction: Text) -> Answer:
    if None in (anchor.rank, positive.rank, negative.rank):
        return reduced(UNRANKED, reduction)
    equal_ranks(anchor, positive)
    equal_ranks(anchor, negative)
    (near, needs), (far, more) = (together([anchor.shape, other.shape]) for other in (positive, negative))
    rows = [Shape(each.head[:-1]) for each in (near, far)]
    return reduced(UNRANKED, reduction, [*needs, *more, *together(rows)[1]])
