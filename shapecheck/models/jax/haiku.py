"""haiku: functions that make modules, transformed to a pair of functions, and its layers."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Ref, Seq, Value, as_size
from shapecheck.domain.values import Tensor as Array
from shapecheck.models.jax.flax import convolved
from shapecheck.models.jax.weights import compare, during, made, recorded
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Context,
    Dimensions,
    Size,
    Sizes,
    Tensor,
    Text,
    base,
    behaviour,
    everywhere,
    op,
)
from shapecheck.models.lang.maps import Maps
from shapecheck.models.lang.refused_dtypes import kind
from shapecheck.models.lang.registry import layer
from shapecheck.models.lang.window import slid
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.shape import UNRANKED, Shape

MODULE = "haiku.Module"
BASES = (MODULE,)
TRANSFORMED = "haiku.Transformed"
ONE, SAME, ONE_AXIS, LAST = everywhere(1), Const("SAME"), Const(1), Const(-1)
base(MODULE, "object")


@behaviour(f"{MODULE}.__init__")
def initialise(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


# Transformed functions -----------------------------------------------------------------------------------------------


@behaviour("haiku.transform")
def transform(ctx: Context, f: Value = NONE, **options: Value) -> Value:
    return ctx.new(TRANSFORMED, f=f, has_state=FALSE, takes_key=Const(True))


@behaviour("haiku.transform_with_state")
def transform_with_state(ctx: Context, f: Value = NONE, **options: Value) -> Value:
    return ctx.new(TRANSFORMED, f=f, has_state=Const(True), takes_key=Const(True))


@behaviour("haiku.without_apply_rng")
def without_key(ctx: Context, f: Value) -> Value:
    """`apply` takes no key any more."""
    if not isinstance(f, Ref) or f.cls != TRANSFORMED:
        return ctx.lost("a transformed function")
    kept = {name: ctx.get(f, name) or NONE for name in ("f", "has_state")}
    return ctx.new(TRANSFORMED, takes_key=FALSE, **kept)


@behaviour(f"{TRANSFORMED}.init")
def init(ctx: Context, self: Value, rng: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    """Call the function, which makes its weights."""
    record = during(ctx, lambda: ctx.call(ctx.get(self, "f") or NONE, list(args), keywords))[1]
    weights = made(ctx, record)
    return weights if ctx.get(self, "has_state") == FALSE else Seq("tuple", (weights, ctx.lost("a state")))


def _is_key(ctx: Context, rng: Value) -> bool:
    """Return whether an array may be a key; state that floats, and arrays of several axes, are none."""
    if not isinstance(rng, Array) or (kind(rng.dtype or "") != "float" and (rng.shape.rank or 0) <= 1):
        return True
    said = f"a key comes before the arguments of the function, an array of shape {rng.shape} is given for it"
    ctx.require(ClashKind.SIGNATURE, NEVER, said, rng)
    return False


@behaviour(f"{TRANSFORMED}.apply")
def apply(ctx: Context, self: Value, params: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    """Return what the function returns, and the state if there is one."""
    has_state, takes_key = (ctx.get(self, name) != FALSE for name in ("has_state", "takes_key"))
    named = {name for name in ("rng", "state") if name in keywords}
    given_apart = max(has_state + takes_key - len(named), 0)
    rest = args[given_apart:]
    has_key = takes_key and "rng" not in named and len(args) >= given_apart
    if has_key and not _is_key(ctx, ctx.freeze(args[given_apart - 1])):
        return ctx.lost("the result of a call that fails")
    given = {name: value for name, value in keywords.items() if name not in named}
    result, record = during(ctx, lambda: ctx.freeze(ctx.call(ctx.get(self, "f") or NONE, list(rest), given)))
    compare(ctx, params, record)
    return Seq("tuple", (result, ctx.lost("a state"))) if has_state else result


@behaviour("haiku.get_parameter")
def parameter(ctx: Context, name: Value = NONE, shape: Value = NONE, *rest: Value, **options: Value) -> Value:
    return ctx.apply("jax.numpy.zeros", shape) if shape != NONE else ctx.lost("a weight")


# Layers --------------------------------------------------------------------------------------------------------------


@layer("haiku.Linear", dtype="?", bases=BASES)
def linear(inputs: Tensor, output_size: Size) -> Answer:
    return "*S i -> *S {output_size}"


@layer("haiku.Embed", dtype="?", bases=BASES)
def embed(ids: Tensor, vocab_size: Size, embed_dim: Size) -> Answer:
    return "*S -> *S {embed_dim}"


@layer("haiku.{LayerNorm,RMSNorm,GroupNorm,InstanceNorm,BatchNorm}", dtype="?", bases=BASES)
def normalised(inputs: Tensor) -> Answer:
    return "*S -> *S"


@layer("haiku.Flatten", bases=BASES)
def flatten(inputs: Tensor, preserve_dims: AnyValue = ONE_AXIS) -> Answer:
    return ("b *S -> b {n}", {"n": "prod(S)"}) if preserve_dims == ONE_AXIS else UNRANKED


@layer("haiku.Conv{1,2,3}D", dtype="?", bases=BASES)
def conv(
    axes: Dimensions,
    inputs: Tensor,
    output_channels: Size,
    kernel_shape: Sizes,
    stride: Sizes = ONE,
    padding: AnyValue = SAME,
    rate: Sizes = ONE,
    data_format: AnyValue = NONE,
) -> Answer:
    kernel = replace(kernel_shape, known=kernel_shape.spread(axes), is_single=False)
    maps = Maps.of(axes, None if data_format == NONE else data_format)
    return convolved(inputs, output_channels, kernel, stride, padding, rate, maps.first)


recorded("haiku.Linear", *(f"haiku.Conv{axes}D" for axes in (1, 2, 3)))


@behaviour("haiku.Sequential")
def sequential(ctx: Context, layers: Value = NONE, **options: Value) -> Value:
    return ctx.apply("flax.linen.Sequential", layers)


@behaviour("haiku.nets.MLP")
def mlp(ctx: Context, output_sizes: Value = NONE, *rest: Value, **options: Value) -> Value:
    """The last size is that of the output."""
    sizes = ctx.elements(output_sizes)
    return ctx.new("haiku.Linear", output_size=sizes[-1]) if sizes else ctx.lost("a network")


@layer("haiku.MultiHeadAttention", dtype="?", bases=BASES)
def attention(
    query: Tensor, num_heads: Size, key_size: Size, value_size: Size | None = None, model_size: Size | None = None
) -> Answer:
    """Without a size of the model, that is the one of all heads together."""
    features = num_heads * key_size if model_size is None else model_size
    return "*S i -> *S {features}", {"features": features}


@layer("haiku.{Max,Avg}Pool", dtype="?", bases=BASES)
@op("haiku.{max_pool,avg_pool}", dtype="first", oracle="none: a number is one for each axis but the batch")
def pool(value: Tensor, window_shape: Sizes, strides: Sizes, padding: Text, channel_axis: AnyValue = LAST) -> Answer:
    """A number stands for windows over all axes but the batch and the channels; tuples are those of the last axes."""
    return _pooled(value, window_shape, strides, padding.upper(), channel_axis)


def _pooled(value: Tensor, window_shape: Sizes, strides: Sizes, padding: str, channel_axis: Value) -> Shape:
    if value.rank is None or window_shape.known is None or strides.known is None or padding not in ("SAME", "VALID"):
        return UNRANKED
    if window_shape.is_single != strides.is_single or value.rank < (2 if window_shape.is_single else 1):
        return UNRANKED
    channel = as_size(channel_axis)
    if window_shape.is_single and channel_axis != NONE and not isinstance(channel, int):
        return UNRANKED
    sizes = list(value.shape.head)
    axes = [*range(len(sizes))][1 if window_shape.is_single else -len(window_shape.known) :]
    if window_shape.is_single and isinstance(channel, int):
        axes.remove(channel % len(sizes))
    for axis, kernel, step in zip(axes, window_shape.spread(len(axes)), strides.spread(len(axes)), strict=True):
        sizes[axis] = slid(sizes[axis], kernel, step, padding, 1)
    return Shape(tuple(sizes))
