"""Functions of parts of arrays: kernels of Pallas, whose results are declared, and what runs on several devices."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Library, Partial, Tensor, Value, as_size, of_size
from shapecheck.models.jax.trees import anew, each_leaf
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.shape import SCALAR

PALLAS, SPECIFICATION, CALLED = "jax.experimental.pallas", "jax.experimental.pallas.BlockSpec", "pallas_call.called"
base(SPECIFICATION, "builtins.object")


@behaviour(SPECIFICATION, f"{PALLAS}.{{GridSpec,ds,dslice}}")
@behaviour(f"{PALLAS}.{{triton.CompilerParams,tpu.CompilerParams,tpu.VMEM,tpu.PrefetchScalarGridSpec}}")
def specified(ctx: Context, *args: Value, **options: Value) -> Value:
    """Return what tells which parts of arrays a kernel is given."""
    return ctx.new(SPECIFICATION)


@behaviour(f"{PALLAS}.cdiv")
def parts(ctx: Context, a: Value, b: Value) -> Value:
    """Return how many parts of a size an axis has, the last of which may be shorter."""
    whole, part = as_size(a), as_size(b)
    if whole is None or not isinstance(part, int) or part < 1:
        return ctx.lost("a number of parts")
    return of_size((whole + part - 1) // part)


@behaviour(f"{PALLAS}.{{program_id,num_programs}}")
def place(ctx: Context, axis: Value) -> Value:
    return Tensor(SCALAR, "int32", "jax")


@behaviour(f"{PALLAS}.pallas_call")
def kernel(ctx: Context, kernel: Value, out_shape: Value = NONE, **options: Value) -> Value:
    """Return the function of whole arrays, whose results are declared."""
    return Partial(Library(f"{PALLAS}.{CALLED}"), (out_shape,), ())


@behaviour(f"{PALLAS}.{CALLED}")
def called(ctx: Context, out_shape: Value, *args: Value) -> Value:
    return each_leaf(ctx, out_shape, lambda leaf: anew(as_tensor(leaf, ctx)))


@behaviour("jax.{shard_map,smap}", "jax.experimental.shard_map.shard_map")
def on_devices(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a function on several devices")
