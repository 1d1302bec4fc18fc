"""`tf.distribute`: strategies, which run a function once for each of several devices."""

from __future__ import annotations

from shapecheck.domain.values import (
    NONE,
    Const,
    Dict,
    HomogeneousSeq,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    items_of,
    of_size,
)
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.settings import LAST_REPLICA, REPLICA, SETTINGS, SHARES, setting
from shapecheck.models.layers.shapeless_objects import plain_class
from shapecheck.models.layers.strategy_scopes import enter_scope, leave_scope
from shapecheck.models.layers.structure import change, with_batch
from shapecheck.models.tf_data.dataset import element_of, length_of, make
from shapecheck.models.training.replica_losses import OF_DEVICE, check_reduction, rows_of
from shapecheck.shapes.size import Kind, Size

STRATEGY = "tf.distribute.Strategy"
SCOPE = f"{STRATEGY}.scope"
MANAGER = "contextlib.AbstractContextManager"
NAMES = """Strategy MirroredStrategy MultiWorkerMirroredStrategy OneDeviceStrategy TPUStrategy ParameterServerStrategy
experimental.TPUStrategy experimental.ParameterServerStrategy experimental.CentralStorageStrategy get_strategy
experimental.MultiWorkerMirroredStrategy""".split()

MIRRORED = ("tf.distribute.MirroredStrategy", "tf.distribute.MultiWorkerMirroredStrategy", "tf.distribute.TPUStrategy")
"""Strategies with a replica for each of several devices, whose gradients are added."""

for _name in NAMES:
    plain_class(f"tf.distribute.{_name}", STRATEGY, __name__)
base(SCOPE, MANAGER)


def replicas_of(ctx: Context, strategy: Value) -> Size:
    """Return the number of replicas, which is the same each time that it is asked for."""
    known = as_size(ctx.get(strategy, "@replicas") or NONE)
    if known is not None:
        return known
    size = _device_count(ctx, strategy) or ctx.fresh("devices", Kind.FREE, "number of devices", 1)
    ctx.set(strategy, "@replicas", of_size(size))
    return size


def _device_count(ctx: Context, strategy: Value) -> int | None:
    """Return the number of devices that a mirrored strategy was made for, if it was given a list of them."""
    if not isinstance(strategy, Ref) or strategy.cls != MIRRORED[0]:
        return None
    first = (items_of(ctx.get(strategy, "_args") or NONE) or (ctx.get(strategy, "devices") or NONE,))[0]
    devices = items_of(ctx.freeze(first))
    return len(devices) if devices else None


@behaviour(SCOPE)
def scope(ctx: Context, self: Value) -> Value:
    return ctx.new(SCOPE, _strategy=self)


@behaviour(f"{SCOPE}.__enter__")
def enter(ctx: Context, self: Ref) -> Value:
    strategy = ctx.get(self, "_strategy")
    if isinstance(strategy, Ref) and strategy.cls in MIRRORED:
        enter_scope(ctx, self)
    return strategy or NONE


@behaviour(f"{SCOPE}.__exit__")
def leave(ctx: Context, self: Ref, *args: Value) -> Value:
    leave_scope(ctx, self)
    return NONE


@behaviour(f"{STRATEGY}.{{run,experimental_run_v2}}")
def run(ctx: Context, self: Value, fn: Value, args: Value = NONE, kwargs: Value = NONE, options: Value = NONE) -> Value:
    """Return the result of one device."""
    given = ctx.freeze(kwargs)
    pairs = given.items if isinstance(given, Dict) else ()
    keywords = {key.value: value for key, value in pairs if isinstance(key, Const) and isinstance(key.value, str)}
    items = () if args == NONE else items_of(ctx.freeze(args))
    if items is None:
        return ctx.lost("arguments of a strategy's run")
    before = setting(ctx, REPLICA)
    if isinstance(self, Ref) and self.cls in MIRRORED and replicas_of(ctx, self) != 1:
        ctx.set(SETTINGS, REPLICA, rows_of((*items, *keywords.values())))
    ctx.set(SETTINGS, LAST_REPLICA, setting(ctx, REPLICA) or NONE)
    result = ctx.call(fn, items, keywords)
    ctx.set(SETTINGS, REPLICA, before or NONE)
    return result


@behaviour(f"{STRATEGY}.reduce")
def reduce(ctx: Context, self: Value, reduce_op: Value, value: Value, axis: Value = NONE) -> Value:
    if isinstance(self, Ref) and self.cls in MIRRORED and replicas_of(ctx, self) != 1:
        check_reduction(ctx, reduce_op, ctx.freeze(value))
    return ctx.freeze(value) if axis == NONE else ctx.lost("sum of what devices give, along an axis")


@behaviour(f"{STRATEGY}.{{experimental_local_results,unwrap}}")
def local_results(ctx: Context, self: Value, value: Value) -> Value:
    return HomogeneousSeq("tuple", ctx.freeze(value), ctx.fresh("devices", Kind.FREE, "number of devices", 1))


@attribute(f"{STRATEGY}.num_replicas_in_sync")
def replicas(ctx: Context, self: Value) -> Value:
    return of_size(replicas_of(ctx, self))


@behaviour(f"{STRATEGY}.experimental_distribute_dataset")
def distribute(ctx: Context, self: Value, dataset: Value, options: Value = NONE) -> Value:
    """Batches are divided among the devices."""
    if not isinstance(dataset, Ref):
        return ctx.lost("dataset for several devices")
    count, rows = replicas_of(ctx, self), ctx.fresh("batch", Kind.DYNAMIC, OF_DEVICE)
    share = _share(as_size(ctx.get(dataset, "_batch") or NONE), count)
    if share is not None:
        known = items_of(setting(ctx, SHARES) or NONE) or ()
        ctx.set(SETTINGS, SHARES, Seq("tuple", tuple(dict.fromkeys((*known, of_size(share))))))

    def part(tensor: Tensor) -> Tensor:
        whole = tensor.shape.head[0] if tensor.shape.head else None
        even = _share(whole, count) if isinstance(whole, int) else None
        return with_batch(tensor, even if isinstance(even, int) else rows)

    return make(ctx, change(element_of(ctx, dataset), part), length_of(ctx, dataset))


def _share(whole: Size | None, count: Size) -> Size | None:
    """Return a part of a number of rows, if these are divided evenly."""
    part = None if whole is None else whole // count
    return part if part is not None and part * count == whole else None


@behaviour(f"{STRATEGY}.{{distribute_datasets_from_function,experimental_distribute_datasets_from_function}}")
def distribute_made(ctx: Context, self: Value, dataset_fn: Value, options: Value = NONE) -> Value:
    return ctx.call(dataset_fn, [ctx.lost("context of an input pipeline")])
