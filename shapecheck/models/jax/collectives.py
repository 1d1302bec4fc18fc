"""Trees of arrays on several devices: sums and permutations along a named axis, and copies."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import Const, Tensor, Value
from shapecheck.models.jax.creation import as_array
from shapecheck.models.jax.trees import each_leaf
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size


@behaviour("jax.lax.{psum,pmean,pmax,pmin}")
def over_devices(ctx: Context, x: Value, *rest: Value, **options: Value) -> Value:
    """Each leaf keeps its shape; whole numbers may become others."""
    return each_leaf(ctx, ctx.freeze(x), lambda leaf: _kept(as_array(ctx, leaf), same_dtype=False))


@behaviour("jax.lax.{ppermute,pshuffle,pbroadcast,pcast,pvary}")
def moved(ctx: Context, x: Value, *rest: Value, **options: Value) -> Value:
    return each_leaf(ctx, ctx.freeze(x), lambda leaf: _kept(as_array(ctx, leaf), same_dtype=True))


def _kept(leaf: Value, same_dtype: bool) -> Value:
    if not isinstance(leaf, Tensor):
        return leaf
    return replace(leaf, content=None, dtype=leaf.dtype if same_dtype else None)


@behaviour("jax.device_put_replicated", "flax.jax_utils.replicate")
def replicated(ctx: Context, x: Value, *rest: Value, **options: Value) -> Value:
    """Return the tree with a first axis for the devices."""
    devices = lost("number of devices")
    return each_leaf(ctx, ctx.freeze(x), lambda leaf: _stacked(as_array(ctx, leaf), devices))


@behaviour("flax.jax_utils.unreplicate")
def single(ctx: Context, tree: Value) -> Value:
    """Return the tree without the first axis."""
    return each_leaf(ctx, ctx.freeze(tree), lambda leaf: ctx.apply("jax.Array.__getitem__", leaf, Const(0)))


def _stacked(leaf: Value, devices: Size) -> Value:
    if not isinstance(leaf, Tensor):
        return leaf
    return replace(leaf, content=None, shape=Shape((devices, *leaf.shape.head), leaf.shape.tail))
