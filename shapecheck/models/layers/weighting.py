"""The weights of classes and samples that training is given."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Dict, Seq, Tensor, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.loss_constraints import all_stretch, any_of, is_of_last_axis, loss_name, stretches
from shapecheck.models.layers.structure import tensors
from shapecheck.shapes.facts import FALSE, AllOf, AnyOf, Claim, Equal
from shapecheck.shapes.shape import Shape


def check_class_weights(ctx: Context, given: Value) -> None:
    """State that the weights of classes are a dictionary by class number."""
    weights = ctx.freeze(given)
    if isinstance(weights, Tensor) or (isinstance(weights, Seq) and weights.kind in ("list", "tuple")):
        kind = "an array" if isinstance(weights, Tensor) else f"a {weights.kind}"
        ctx.require(ClashKind.FEED, FALSE, f"class_weight is {kind}, where a dict by class number is taken", given)


def check_weighted_classes(ctx: Context, given: Value, targets: Value) -> None:
    """State that classes with weights are those of samples, not of steps or pixels."""
    found = tensors(targets)
    if not isinstance(ctx.freeze(given), Dict) or len(found) != 1 or found[0].shape.rank is None:
        return
    rank, said = found[0].shape.rank, f"class_weight is for one class a sample, the targets have shape {found[0].shape}"
    if rank > 2 and not any(size == 1 for size in found[0].shape.head[1:-1]):
        ctx.require(ClashKind.RANK, FALSE, said, found[0])


def check_weights(
    ctx: Context, weights: Value, outputs: Value, loss: Value | None, batches: tuple[int, ...], most: int | None
) -> None:
    """State that there is a weight for each sample or step for which there is a loss; `batches` have known sizes, or
    `most` rows, if not None.
    """
    if not isinstance(weights, Tensor) or not isinstance(outputs, Tensor) or not is_of_last_axis(loss_name(loss)):
        return
    given, have = weights.shape, outputs.shape
    if given.rank is None or have.rank is None or not given.rank or (given.rank < 2 and have.rank < 3):
        return
    if given.rank == have.rank:
        _check_one_for_each(ctx, weights, outputs, batches or (() if most is None else (most,)))
    if given.rank < have.rank - 1:
        _check_fewer_axes(ctx, weights, outputs, batches)
    if given.rank != have.rank - 1:
        return
    for size, steps in zip(given.head[1:], have.head[1:-1], strict=True):
        if size != steps:
            said = f"sample_weight has {size} steps, the model gives {steps}"
            ctx.require(ClashKind.BROADCAST, stretches(size, steps), said, weights, outputs)


def _check_fewer_axes(ctx: Context, weights: Tensor, outputs: Tensor, batches: tuple[int, ...]) -> None:
    """State that weights with fewer axes than the losses fit their last axes. One axis less is added at the end before
    Keras 3, which drops an axis of size 1 of the losses instead.
    """
    losses, given, keras = outputs.shape.head[1:-1], weights.shape.head[1:], ctx.target.keras
    lacks_one, ways = len(losses) == len(given) + 1, list[Claim]()
    if keras != 3 and lacks_one:
        ways.append(all_stretch(given, losses))
    if keras != 2 and lacks_one:
        ways.append(AllOf((Equal(losses[-1], 1), all_stretch(given, losses))))
    if keras != 2 or not lacks_one:
        pairs = [((rows, *given), (rows, *losses)) for rows in batches] or [(given, losses)]
        ways.append(AllOf(tuple(all_stretch(reversed(a), reversed(b)) for a, b in pairs)))
    said = f"sample_weight has shape {weights.shape}, the losses have shape {Shape(outputs.shape.head[:-1])}"
    ctx.require(ClashKind.BROADCAST, any_of(ways), said, weights, outputs)


def _check_one_for_each(ctx: Context, weights: Tensor, outputs: Tensor, batches: tuple[int, ...]) -> None:
    """State that weights with as many axes as the outputs have size 1 on the last one, or happen to stretch the losses,
    which have an axis less."""
    size, rows = weights.shape.head[-1], weights.shape.head[0]
    losses = batches if len(outputs.shape.head) == 2 else outputs.shape.head[-2:-1]
    if not losses:
        return
    counted = "sample" if len(outputs.shape.head) == 2 else "step"
    said = f"sample_weight has shape {weights.shape}, where there is one loss for each {counted}"
    fits = (Equal(size, 1), Equal(size, rows), *(Equal(size, each) for each in losses))
    ctx.require(ClashKind.BROADCAST, AnyOf(fits), said, weights, outputs)
