"""The first axis of a model's outputs: the batch of its inputs, unless the model removes it."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Tensor, Value, as_size
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.io_names import paired_targets
from shapecheck.models.layers.loss_constraints import BINARY, CATEGORICAL, PAIRWISE, SPARSE, loss_name
from shapecheck.models.layers.structure import tensors, with_batch
from shapecheck.shapes.facts import AllOf, AnyOf, Equal
from shapecheck.shapes.size import Kind, Size, substitute, symbols


def batch_axes(declared: Value | None) -> set[Size]:
    """Return the first axes of a model's symbolic inputs."""
    return {tensor.shape.head[0] for tensor in tensors(declared or NONE) if tensor.shape.head}


def of_all_batches(ctx: Context, output: Tensor, declared: Value | None, rows: Size) -> Tensor:
    """Return the outputs of all batches joined: as many rows as the data has, unless a model's first axis is not the
    batch.
    """
    batch, first = batch_axes(declared), next(iter(output.shape.head), None)
    is_batch = not batch or first in batch or not isinstance(first, int)
    return with_batch(output, rows if is_batch else ctx.fresh("?", Kind.LOST, "rows of all batches"))


def check_rows_of_outputs(
    ctx: Context,
    declared: Value | None,
    targets: Value,
    outputs: Value,
    loss: Value | None,
    name: str,
    counts: Sequence[int],
) -> None:
    """State that the outputs have as many rows as a batch of the targets, which library losses require."""
    batch = batch_axes(declared)
    own = {symbol for size in batch for symbol in symbols(size)}
    if not batch or len(own) != len(batch) or any(isinstance(size, int) for size in batch):
        return
    sizes: Sequence[Size] = counts or [ctx.fresh("batch", Kind.DYNAMIC, "rows in a batch", 1)]
    for said, target, output, one in paired_targets(ctx, targets, outputs, loss, name):
        if not isinstance(target, Tensor) or not isinstance(output, Tensor) or not output.shape.head:
            continue
        rows, known = output.shape.head[0], loss_name(one)
        if rows in batch or not symbols(rows) <= own or (isinstance(rows, int) and not counts):
            continue
        told = f"{said} has {sizes[0]} rows in a batch, the model gives {rows}"
        pairs = [(size, substitute(rows, dict.fromkeys(own, size))) for size in sizes]
        if known in PAIRWISE:
            claim = AllOf(tuple(AnyOf((Equal(a, b), Equal(a, 1), Equal(b, 1))) for a, b in pairs))
            ctx.require(ClashKind.AXIS, claim, told, target, output)
        elif known in SPARSE | CATEGORICAL | BINARY:
            ctx.require(ClashKind.AXIS, AllOf(tuple(Equal(a, b) for a, b in pairs)), told, target, output)


def row_counts(inputs: Value, batch_size: Value) -> tuple[int, ...]:
    """Return the numbers of rows of the batches of some arrays, where they are known."""
    first = next(iter(tensors(inputs)), None)
    rows = first.shape.size(0) if first is not None else None
    size = 32 if batch_size == NONE else as_size(batch_size)
    if not isinstance(rows, int) or not isinstance(size, int) or size < 1:
        return ()
    return tuple(sorted({min(rows, size), rows % size} - {0}))
