"""Callbacks of the program, as `fit` calls them."""

from __future__ import annotations

from shapecheck.domain.values import Ref, Scalar, Value, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.model_files import keep_checkpoint
from shapecheck.models.layers.structure import is_written

BATCHES = ("on_train_batch_begin", "on_batch_begin", "on_train_batch_end", "on_batch_end")
HOOKS = ("on_train_begin", "on_epoch_begin", *BATCHES, "on_epoch_end", "on_train_end")


def call_back(ctx: Context, model: Ref, callbacks: Value) -> None:
    """Give each callback the model, and call its methods for the stages of a training."""
    given = ctx.freeze(callbacks)
    for callback in items_of(given) or (given,):
        if isinstance(callback, Ref):
            _begin(ctx, callback, model)
            if callback.cls == "keras.callbacks.ModelCheckpoint":
                keep_checkpoint(ctx, callback, model)
            for name in HOOKS:
                _call(ctx, callback, name)


def _begin(ctx: Context, callback: Ref, model: Ref) -> None:
    written = ctx.get(callback, "set_model")
    if is_written(written) and written is not None:
        ctx.call(written, [model])
    else:
        ctx.set(callback, "model", model)


def _call(ctx: Context, callback: Ref, name: str) -> None:
    """Call a method: a training begins and ends once; epochs and batches do so any number of times."""
    hook, figures = ctx.get(callback, name), ctx.lost("figures of a training")
    if not is_written(hook) or hook is None:
        return
    if name in ("on_train_begin", "on_train_end"):
        ctx.call(hook, [figures])
    else:
        ctx.repeat(hook, [Scalar("int"), figures])
