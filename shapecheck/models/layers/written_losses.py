"""Losses that a program has written itself, called with what a fit gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapecheck.models.lang.context import Context
from shapecheck.models.layers.model import is_written
from shapecheck.shapes.shape import Shape
from shapecheck.values import Ref, Tensor, Value


def call_loss_of_program(ctx: Context, loss: Value, target: Tensor, output: Tensor, counts: Sequence[int]) -> bool:
    """Whether a loss is the program's own; it is then called with batches of targets and outputs of the same rank."""
    if not is_written(loss) and not (isinstance(loss, Ref) and is_written(ctx.get(loss, "call"))):
        return False
    y, out = target.shape, output.shape
    if y.tail is None and out.tail is None and y.head and out.head:
        rows = max(counts, default=out.head[0])
        is_column = len(y.head) == 1 and len(out.head) == 2 and (out.head[1] == 1 or ctx.target.keras == 2)
        aligned = (1,) if is_column else y.head[1:]
        if len(aligned) + 1 == len(out.head):
            batch = replace(target, shape=Shape((rows, *aligned)), dtype=_dtype(target, output), library="tf")
            ctx.call(loss, [batch, replace(output, shape=Shape((rows, *out.head[1:])), library="tf")])
    return True


def _dtype(target: Tensor, output: Tensor) -> str | None:
    """Fractions are brought to the dtype of the outputs; whole numbers only by some versions."""
    return output.dtype if (target.dtype or "").startswith("float") else None
