"""Results of `evaluate`, `train_on_batch` and `test_on_batch`: a loss, and metrics."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.domain.values import FALSE, NONE, Ref, Scalar, Seq, Value, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.structure import is_written, leaves

STEPS = ("train_step", "test_step")  # methods that a program may override


def figures(ctx: Context, self: Ref, options: Mapping[str, Value]) -> Value:
    """Return a loss, or the loss and the metrics; with several outputs, the loss of each that has one as well. The
    results of custom steps are not restricted.
    """
    if options.get("return_dict", FALSE) != FALSE or any(is_written(ctx.get(self, step)) for step in STEPS):
        return ctx.lost("losses and metrics")
    metrics = _metrics(ctx, self)
    items = items_of(metrics) if metrics is not None else None
    declared = ctx.get(self, "@outputs") or ctx.get(self, "@layers")  # a Sequential has one output
    if declared is None or (ctx.get(self, "@layers") is None and len(list(leaves(declared))) != 1):
        return ctx.lost("losses and metrics")
    if metrics in (None, NONE) or items == ():
        return Scalar("float")
    if items is None:
        return ctx.lost("losses and metrics")
    return Seq("list", tuple(Scalar("float") for _ in range(len(items) + 1)))


def _metrics(ctx: Context, self: Ref) -> Value | None:
    """Return the metrics, with or without weights; where there are both, the number of results
    depends on the version.
    """
    plain, weighted = ctx.get(self, "@metrics"), ctx.get(self, "@weighted")
    if weighted is None or weighted == NONE or items_of(weighted) == ():
        return plain
    return weighted if plain in (None, NONE) else ctx.lost("metrics with and without weights")
