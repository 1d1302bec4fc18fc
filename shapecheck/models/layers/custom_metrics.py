"""Custom metrics of a program, called with the arguments of a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapecheck.domain.values import Function, Method, Partial, Ref, Tensor, Value, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.picked_samples import notice_samples
from shapecheck.models.layers.structure import is_written, leaves, with_batch
from shapecheck.models.layers.traced_calls import call_in_training
from shapecheck.shapes.dtype import canonical


def call_metrics_of_program(
    ctx: Context, metrics: Value, targets: Value, outputs: Value, counts: Sequence[int]
) -> None:
    """Call the program's own metrics of the only output with a batch of targets and outputs of the same rank; where
    ranks differ, Keras may change them first, depending on its version.
    """
    wanted, given = list(leaves(targets)), list(leaves(outputs))
    if len(wanted) != 1 or len(given) != 1:
        return
    target, output = wanted[0], given[0]
    if not isinstance(target, Tensor) or not isinstance(output, Tensor) or not output.shape.rank:
        return
    if target.shape.rank != output.shape.rank:
        return
    same = canonical(target.dtype or "") == canonical(output.dtype or "")
    rows = max(counts, default=output.shape.head[0])
    labels = replace(with_batch(target, rows), dtype=output.dtype if same else None, library="tf")
    batches: list[Tensor] = [labels, replace(with_batch(output, rows), library="tf")]
    for metric in items_of(ctx.freeze(metrics)) or ():
        function = _written(ctx, metric)
        if function is not None:
            since = ctx.moment
            notice_samples(ctx, ctx.freeze(call_in_training(ctx, function, batches)), batches, since)


def _written(ctx: Context, metric: Value) -> Value | None:
    """Return the function of a custom metric that training calls; None for a metric of the library."""
    if isinstance(metric, Partial):
        return metric if isinstance(metric.function, (Function, Method)) else None
    if isinstance(metric, (Function, Method)):
        return metric
    update = ctx.get(metric, "update_state") if isinstance(metric, Ref) else None
    return update if is_written(update) else None
