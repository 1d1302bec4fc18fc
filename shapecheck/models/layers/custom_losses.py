"""Custom losses of a program, called with the arguments of a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import CONTAINERS, NONE, Ref, Tensor, Value, walk
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.gradients import Recording
from shapecheck.models.lang.settings import ADDED_LOSSES, setting
from shapecheck.models.layers.missing_gradients import Derivatives, parts_of
from shapecheck.models.layers.picked_samples import notice_samples
from shapecheck.models.layers.structure import is_written
from shapecheck.models.layers.traced_calls import call_in_training
from shapecheck.shapes.facts import FALSE, AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

PENALTIES = (
    *(f"{part}_regularizer" for part in "kernel bias activity embeddings recurrent beta gamma depthwise".split()),
    "l1",
    "l2",
)
"""The settings of layers that add a loss."""


@dataclass(frozen=True, slots=True)
class OwnLoss:
    """The losses that a function of the program has computed of an output, in the steps after `since`."""

    losses: Value
    output: Tensor
    since: int


def is_of_program(ctx: Context, loss: Value) -> bool:
    """Return whether a loss is a function, or an object of a class, of the program."""
    return is_written(loss) or (isinstance(loss, Ref) and is_written(ctx.get(loss, "call")))


def call_loss_of_program(
    ctx: Context, loss: Value, target: Tensor, output: Tensor, counts: Sequence[int], weighted: bool = False
) -> OwnLoss | None:
    """Call a loss of the program with batches of targets and outputs.

    Keras 3 passes the targets unchanged to an object of a loss class. The result is multiplied by the weights of the
    samples, where there are some.
    """
    is_object = not is_written(loss)
    y, out = target.shape, output.shape
    if y.tail is not None or out.tail is not None:
        call_with_unknown(ctx, loss, output)
        return None
    if not y.head or not out.head:
        return None
    since = ctx.moment
    rows = max(counts, default=out.head[0])
    as_given = is_object and ctx.target.keras == 3
    aligned = y.head[1:] if as_given else _aligned(ctx, y, out)
    if aligned is None:
        return None
    dtype = output.dtype if as_given else _dtype(target, output)
    batch = replace(target, shape=Shape((rows, *aligned)), dtype=dtype, library="tf")
    given = [batch, replace(output, shape=Shape((rows, *out.head[1:])), library="tf")]
    losses = call_in_training(ctx, loss, given)
    notice_samples(ctx, ctx.freeze(losses), given, since)
    if weighted:
        _weigh(ctx, ctx.freeze(losses), rows)
    return OwnLoss(losses, output, since)


def call_with_unknown(ctx: Context, loss: Value, output: Value) -> None:
    """Call a loss of the program with targets of which nothing is known: what it does with a batch may tell enough."""
    since = ctx.moment
    made = output if isinstance(output, Tensor) else Tensor(UNRANKED)
    given = [Tensor(UNRANKED), replace(made, library="tf")]
    notice_samples(ctx, ctx.freeze(call_in_training(ctx, loss, given)), given, since)


def require_gradient(ctx: Context, model: Ref, own: OwnLoss) -> None:
    """State that the loss of the program, which is all that a model is trained with, has a gradient."""
    losses = [part for part in walk(ctx.freeze(own.losses)) if isinstance(part, Tensor)]
    if not losses or _may_add_losses(ctx, model):
        return
    output = (own.output.step, own.output.output)
    known = Derivatives(ctx, Recording(own.since, None, {output: own.since}), losses)
    why = known.unconnected([own.output])
    if why is not None:
        ctx.require(ClashKind.NO_GRADIENT, FALSE, f"the loss has no gradient: {why}")


def _may_add_losses(ctx: Context, model: Ref) -> bool:
    """Return whether a model may add losses of its own, such as a penalty for large weights."""
    parts = parts_of(ctx, model)
    if parts is None or setting(ctx, ADDED_LOSSES) is not None:
        return True
    layers = [part for part in parts if isinstance(part, Ref) and part.cls not in CONTAINERS]
    return any(ctx.get(layer, name) not in (None, NONE) for layer in layers for name in PENALTIES)


def _aligned(ctx: Context, y: Shape, out: Shape) -> tuple[Size, ...] | None:
    """Return the sizes of a target after the batch, where one number for each sample becomes a column, and a last axis
    of size 1 is dropped that the outputs do not have; None where the outputs may lose theirs.
    """
    if len(y.head) == len(out.head):
        return y.head[1:]
    if len(y.head) == 1:
        is_column = len(out.head) == 2 and (out.head[1] == 1 or ctx.target.keras == 2)
        return (1,) if is_column else None
    if len(y.head) == len(out.head) + 1 and y.head[-1] == 1:
        return y.head[1:-1]
    last = max(y.head, out.head, key=len)[-1]
    return y.head[1:] if isinstance(last, int) and last != 1 and len(out.head) > 1 else None


def _weigh(ctx: Context, losses: Value, rows: Size) -> None:
    """State that the losses have as many rows as there are sample weights, or are one number."""
    if isinstance(losses, Tensor) and losses.shape.tail is None and len(losses.shape.head) == 1:
        size = losses.shape.head[0]
        said = f"the loss has shape {losses.shape}, but there are {ctx.resolve(rows)} sample weights"
        ctx.require(ClashKind.BROADCAST, AnyOf((Equal(size, rows), Equal(size, 1), Equal(rows, 1))), said, losses)


def _dtype(target: Tensor, output: Tensor) -> str | None:
    """Return the dtype of targets: floats are cast to the dtype of the outputs; integers only by some versions."""
    return output.dtype if (target.dtype or "").startswith("float") else None
