"""Custom losses of a program, called with the arguments of a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Ref, Tensor, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.model import is_written
from shapecheck.models.layers.traced_calls import call_in_training
from shapecheck.shapes.facts import AnyOf, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size


def call_loss_of_program(
    ctx: Context, loss: Value, target: Tensor, output: Tensor, counts: Sequence[int], weighted: bool = False
) -> bool:
    """Return whether a loss is the program's own; if so, call it with batches of targets and outputs of the same rank.

    Keras 3 passes the targets unchanged to an object of a loss class. The result is multiplied by the weights of the
    samples, where there are some.
    """
    is_object = isinstance(loss, Ref) and is_written(ctx.get(loss, "call"))
    if not is_written(loss) and not is_object:
        return False
    y, out = target.shape, output.shape
    if y.tail is not None or out.tail is not None or not y.head or not out.head:
        return True
    rows = max(counts, default=out.head[0])
    as_given = is_object and ctx.target.keras == 3
    aligned = y.head[1:] if as_given else _aligned(ctx, y, out)
    if as_given or len(aligned) + 1 == len(out.head):
        dtype = output.dtype if as_given else _dtype(target, output)
        batch = replace(target, shape=Shape((rows, *aligned)), dtype=dtype, library="tf")
        losses = call_in_training(ctx, loss, [batch, replace(output, shape=Shape((rows, *out.head[1:])), library="tf")])
        if weighted:
            _weigh(ctx, ctx.freeze(losses), rows)
    return True


def _aligned(ctx: Context, y: Shape, out: Shape) -> tuple[Size, ...]:
    """Return the sizes of a target after the batch, where one number for each sample becomes a column."""
    is_column = len(y.head) == 1 and len(out.head) == 2 and (out.head[1] == 1 or ctx.target.keras == 2)
    return (1,) if is_column else y.head[1:]


def _weigh(ctx: Context, losses: Value, rows: Size) -> None:
    """State that the losses have as many rows as there are sample weights, or are one number."""
    if isinstance(losses, Tensor) and losses.shape.tail is None and len(losses.shape.head) == 1:
        size = losses.shape.head[0]
        said = f"the loss has shape {losses.shape}, but there are {ctx.resolve(rows)} sample weights"
        ctx.require(ClashKind.BROADCAST, AnyOf((Equal(size, rows), Equal(size, 1), Equal(rows, 1))), said, losses)


def _dtype(target: Tensor, output: Tensor) -> str | None:
    """Return the dtype of targets: floats are cast to the dtype of the outputs; integers only by some versions."""
    return output.dtype if (target.dtype or "").startswith("float") else None
