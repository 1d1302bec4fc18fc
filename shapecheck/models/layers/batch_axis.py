"""The first axis of a model's outputs: the batch of its inputs, unless the model removes it."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Tensor, Value, as_size
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.io_names import paired_targets
from shapecheck.models.layers.loss_constraints import BINARY, CATEGORICAL, PAIRWISE, SPARSE, loss_name
from shapecheck.models.layers.structure import tensors, with_batch
from shapecheck.shapes.facts import AllOf, AnyOf, Claim, Equal
from shapecheck.shapes.size import Kind, Size, Symbol, substitute, symbols


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
    own = _symbols_of(batch)
    if not own:
        return
    sizes: Sequence[Size] = counts or [ctx.fresh("batch", Kind.DYNAMIC, "rows in a batch", 1)]
    for said, target, output, one in paired_targets(ctx, targets, outputs, loss, name):
        if not isinstance(target, Tensor) or not isinstance(output, Tensor) or not output.shape.head:
            continue
        rows = output.shape.head[0]
        is_open = bool(counts) or not isinstance(rows, int)
        claim = _rows_claim(loss_name(one), rows, own, sizes) if rows not in batch and is_open else None
        if claim is not None:
            told = f"{said} has {sizes[0]} rows in a batch, the model gives {rows}"
            ctx.require(ClashKind.AXIS, claim, told, target, output)


def _symbols_of(batch: set[Size]) -> set[Symbol]:
    """Return the symbols that the sizes of a batch are; none where one of them is a number or has several."""
    own = {symbol for size in batch for symbol in symbols(size)}
    return own if len(own) == len(batch) and not any(isinstance(size, int) for size in batch) else set()


def _rows_claim(loss: str | None, rows: Size, batch: set[Symbol], sizes: Sequence[Size]) -> Claim | None:
    """Return what a library loss requires of the rows of targets and outputs."""
    if not symbols(rows) <= batch:
        return None
    pairs = [(size, substitute(rows, dict.fromkeys(batch, size))) for size in sizes]
    if loss in PAIRWISE:
        return AllOf(tuple(AnyOf((Equal(a, b), Equal(a, 1), Equal(b, 1))) for a, b in pairs))
    return AllOf(tuple(Equal(a, b) for a, b in pairs)) if loss in SPARSE | CATEGORICAL | BINARY else None


def row_counts(inputs: Value, batch_size: Value) -> tuple[int, ...]:
    """Return the numbers of rows of the batches of some arrays, where they are known."""
    first = next(iter(tensors(inputs)), None)
    rows = first.shape.size(0) if first is not None else None
    size = 32 if batch_size == NONE else as_size(batch_size)
    if not isinstance(rows, int) or not isinstance(size, int) or size < 1:
        return ()
    return tuple(sorted({min(rows, size), rows % size} - {0}))
