"""The weights of classes and samples that training is given."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Seq, Tensor, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.loss_constraints import is_of_last_axis, loss_name
from shapecheck.shapes.facts import FALSE, AnyOf, Equal


def check_class_weights(ctx: Context, given: Value) -> None:
    """State that the weights of classes are a dictionary by class number."""
    weights = ctx.freeze(given)
    if isinstance(weights, Tensor) or (isinstance(weights, Seq) and weights.kind in ("list", "tuple")):
        kind = "an array" if isinstance(weights, Tensor) else f"a {weights.kind}"
        ctx.require(ClashKind.FEED, FALSE, f"class_weight is {kind}, where a dict by class number is taken", given)


def check_weights(
    ctx: Context, weights: Value, outputs: Value, loss: Value | None, batches: tuple[int, ...], most: int | None
) -> None:
    """State that there is a weight for each sample or step for which there is a loss; `batches` have known sizes, or
    `most` rows, if not None.
    """
    if not isinstance(weights, Tensor) or not isinstance(outputs, Tensor) or not is_of_last_axis(loss_name(loss)):
        return
    given, have = weights.shape, outputs.shape
    if given.rank is None or have.rank is None or given.rank < 2:
        return
    if given.rank == have.rank:
        _check_one_for_each(ctx, weights, outputs, batches or (() if most is None else (most,)))
    if given.rank != have.rank - 1:
        return
    for size, steps in zip(given.head[1:], have.head[1:-1], strict=True):
        if size != steps:
            said = f"sample_weight has {size} steps, the model gives {steps}"
            claim = AnyOf((Equal(size, steps), Equal(size, 1), Equal(steps, 1)))
            ctx.require(ClashKind.BROADCAST, claim, said, weights, outputs)


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
