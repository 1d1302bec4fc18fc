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


def check_step_weights(ctx: Context, weights: Value, outputs: Value, loss: Value | None) -> None:
    """State that weights for the steps of each sample are as many as the steps for which there is a loss."""
    if not isinstance(weights, Tensor) or not isinstance(outputs, Tensor) or not is_of_last_axis(loss_name(loss)):
        return
    given, have = weights.shape, outputs.shape
    if given.rank is None or have.rank is None or given.rank != have.rank - 1 or given.rank < 2:
        return
    for size, steps in zip(given.head[1:], have.head[1:-1], strict=True):
        if size != steps:
            said = f"sample_weight has {size} steps, the model gives {steps}"
            claim = AnyOf((Equal(size, steps), Equal(size, 1), Equal(steps, 1)))
            ctx.require(ClashKind.BROADCAST, claim, said, weights, outputs)
