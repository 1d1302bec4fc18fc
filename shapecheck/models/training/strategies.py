"""`tf.distribute`: strategies, which run a function once for each of several devices."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Dict, HomogeneousSeq, Int, Ref, Value, items_of
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.layers.shapeless_objects import plain_class
from shapecheck.models.layers.structure import change, with_batch
from shapecheck.models.tf_data.dataset import element_of, length_of, make
from shapecheck.shapes.size import Kind

STRATEGY = "tf.distribute.Strategy"
SCOPE = f"{STRATEGY}.scope"
MANAGER = "contextlib.AbstractContextManager"
NAMES = """Strategy MirroredStrategy MultiWorkerMirroredStrategy OneDeviceStrategy TPUStrategy ParameterServerStrategy
experimental.TPUStrategy experimental.ParameterServerStrategy experimental.CentralStorageStrategy get_strategy
experimental.MultiWorkerMirroredStrategy""".split()

for _name in NAMES:
    plain_class(f"tf.distribute.{_name}", STRATEGY, __name__)
base(SCOPE, MANAGER)


@behaviour(SCOPE)
def scope(ctx: Context, self: Value) -> Value:
    return ctx.new(SCOPE)


@behaviour(f"{STRATEGY}.{{run,experimental_run_v2}}")
def run(ctx: Context, self: Value, fn: Value, args: Value = NONE, kwargs: Value = NONE, options: Value = NONE) -> Value:
    """Return the result of one device."""
    given = ctx.freeze(kwargs)
    pairs = given.items if isinstance(given, Dict) else ()
    keywords = {key.value: value for key, value in pairs if isinstance(key, Const) and isinstance(key.value, str)}
    items = () if args == NONE else items_of(ctx.freeze(args))
    return ctx.lost("arguments of a strategy's run") if items is None else ctx.call(fn, items, keywords)


@behaviour(f"{STRATEGY}.reduce")
def reduce(ctx: Context, self: Value, reduce_op: Value, value: Value, axis: Value = NONE) -> Value:
    return ctx.freeze(value) if axis == NONE else ctx.lost("sum of what devices give, along an axis")


@behaviour(f"{STRATEGY}.{{experimental_local_results,unwrap}}")
def local_results(ctx: Context, self: Value, value: Value) -> Value:
    return HomogeneousSeq("tuple", ctx.freeze(value), ctx.fresh("devices", Kind.FREE, "number of devices", 1))


@attribute(f"{STRATEGY}.num_replicas_in_sync")
def replicas(ctx: Context, self: Value) -> Value:
    return Int(ctx.fresh("devices", Kind.FREE, "number of devices", 1))


@behaviour(f"{STRATEGY}.experimental_distribute_dataset")
def distribute(ctx: Context, self: Value, dataset: Value, options: Value = NONE) -> Value:
    """Batches are divided among the devices."""
    if not isinstance(dataset, Ref):
        return ctx.lost("dataset for several devices")
    rows = ctx.fresh("batch", Kind.DYNAMIC, "rows for one device")
    return make(ctx, change(element_of(ctx, dataset), lambda tensor: with_batch(tensor, rows)), length_of(ctx, dataset))


@behaviour(f"{STRATEGY}.{{distribute_datasets_from_function,experimental_distribute_datasets_from_function}}")
def distribute_made(ctx: Context, self: Value, dataset_fn: Value, options: Value = NONE) -> Value:
    return ctx.call(dataset_fn, [ctx.lost("context of an input pipeline")])
