"""Functions that transform a whole dataset, for `dataset.apply(…)`: most were methods later."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Library, Partial, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.tf_data.dataset import DATASET

SPACES = "tf.data{,.experimental}"
"""`tf.contrib.data` is `tf.data` here."""


def _method(name: str, **keywords: Value) -> Value:
    """Return a function that calls a method of the dataset that it is given."""
    return Partial(Library(f"{DATASET}.{name}"), (), tuple(keywords.items()))


@behaviour(f"{SPACES}.{{ignore_errors,copy_to_device,prefetch_to_device}}")
def same(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return _method("prefetch")


@behaviour(f"{SPACES}.batch_and_drop_remainder")
def full_batches(ctx: Context, batch_size: Value) -> Value:
    return _method("batch", batch_size=batch_size, drop_remainder=TRUE)


@behaviour(f"{SPACES}.padded_batch_and_drop_remainder")
def full_padded_batches(ctx: Context, batch_size: Value, padded_shapes: Value, padding_values: Value = NONE) -> Value:
    return _method("padded_batch", batch_size=batch_size, padded_shapes=padded_shapes, drop_remainder=TRUE)


@behaviour(f"{SPACES}.unbatch")
def unbatch(ctx: Context) -> Value:
    return _method("unbatch")


@behaviour(f"{SPACES}.enumerate_dataset")
def enumerate_dataset(ctx: Context, start: Value = Const(0)) -> Value:
    return _method("enumerate", start=start)


@behaviour(f"{SPACES}.unique")
def unique(ctx: Context) -> Value:
    return _method("unique")


@behaviour(f"{SPACES}.take_while")
def take_while(ctx: Context, predicate: Value) -> Value:
    return _method("take_while", predicate=predicate)


@behaviour(f"{SPACES}.scan")
def scan(ctx: Context, initial_state: Value, scan_func: Value) -> Value:
    return _method("scan", initial_state=initial_state, scan_func=scan_func)


@behaviour(f"{SPACES}.{{parallel,sloppy}}_interleave")
def parallel_interleave(ctx: Context, map_func: Value, *args: Value, **keywords: Value) -> Value:
    return _method("interleave", map_func=map_func)


@behaviour(f"{SPACES}.shuffle_and_repeat")
def shuffle_and_repeat(ctx: Context, buffer_size: Value, count: Value = NONE, seed: Value = NONE) -> Value:
    return _method("repeat", count=count)


@behaviour(f"{SPACES}.map_and_batch")
def map_and_batch(
    ctx: Context,
    map_func: Value,
    batch_size: Value,
    num_parallel_batches: Value = NONE,
    drop_remainder: Value = FALSE,
    num_parallel_calls: Value = NONE,
) -> Value:
    return Partial(Library("tf.data.map_and_batch.apply"), (map_func, batch_size, drop_remainder))


@behaviour("tf.data.map_and_batch.apply")
def map_then_batch(ctx: Context, map_func: Value, batch_size: Value, drop_remainder: Value, dataset: Value) -> Value:
    mapped = ctx.call(Library(f"{DATASET}.map"), [dataset, map_func])
    return ctx.call(Library(f"{DATASET}.batch"), [mapped, batch_size, drop_remainder])
