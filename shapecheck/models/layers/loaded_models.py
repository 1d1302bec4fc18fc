"""Models that other programs have saved: of what class they are and what they give is not known, but each has one
input.
"""

from __future__ import annotations

from shapecheck.domain.values import NONE, Ref, Seq, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import ANY_CLASS, base, behaviour
from shapecheck.models.layers.callbacks import call_back
from shapecheck.models.layers.first_feeds import LOADED, note_feed
from shapecheck.models.layers.structure import as_tensors
from shapecheck.models.layers.training import arrays, batches

base(LOADED, ANY_CLASS)


@behaviour(f"{LOADED}.{{__call__,predict,predict_on_batch,evaluate,train_on_batch,test_on_batch}}")
def use(ctx: Context, self: Ref, x: Value = NONE, *rest: Value, **others: Value) -> Value:
    """Return what is not known for data whose shape is compared with that of the data before."""
    drawn = batches(ctx, x)
    if drawn is None:
        note_feed(ctx, self, "x", as_tensors(arrays(ctx, x)))
    elif isinstance(drawn, Seq) and drawn.items:
        note_feed(ctx, self, "x", drawn.items[0])
    return ctx.lost("what a saved model gives")


@behaviour(f"{LOADED}.fit")
def fit(
    ctx: Context,
    self: Ref,
    x: Value = NONE,
    y: Value = NONE,
    batch_size: Value = NONE,
    epochs: Value = NONE,
    verbose: Value = NONE,
    callbacks: Value = NONE,
    *rest: Value,
    **others: Value,
) -> Value:
    use(ctx, self, x)
    call_back(ctx, self, callbacks)
    return ctx.lost("record of a training")
