"""flax: modules, which are data classes that are initialized and applied, and their layers."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Function, Lost, Method, Ref, Seq, Value, as_size, as_str
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.jax.flax_collections import checked, has_key, has_statistics, offer_of, offering
from shapecheck.models.jax.weights import compare, during, made, note, recorded
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Blind,
    Context,
    Size,
    Sizes,
    Tensor,
    base,
    behaviour,
    everywhere,
    op,
)
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.constraints import Need, Refused, equal
from shapecheck.models.lang.refused_dtypes import kind
from shapecheck.models.lang.registry import layer
from shapecheck.models.lang.window import slid, unslid
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import maximum

MODULE = "flax.linen.Module"
BASES = (MODULE,)
ONE = everywhere(1)
SAME = Const("SAME")
VALID = Const("VALID")
ZERO, NOTHING, LAST = Const(0), Seq("tuple", ()), everywhere(-1)

base(MODULE, "object")


# Modules -------------------------------------------------------------------------------------------------------------


@behaviour(f"{MODULE}.__post_init__")
def set_up(ctx: Context, self: Value) -> Value:
    """Run `setup`, which a module does before it is first used."""
    setup = ctx.get(self, "setup")
    if isinstance(setup, (Method, Function)):
        ctx.call(setup, [])
    return NONE


@behaviour(f"{MODULE}.{{init,lazy_init}}")
def init(ctx: Context, self: Value, rngs: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    """Call the module, which makes its weights."""
    if "method" in keywords:
        return ctx.lost("weights")
    return made(ctx, during(ctx, lambda: _run(ctx, self, args, keywords, NONE))[1])


@behaviour(f"{MODULE}.init_with_output")
def init_with_output(ctx: Context, self: Value, rngs: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    result, record = during(ctx, lambda: _run(ctx, self, args, keywords, NONE))
    return Seq("tuple", (result, ctx.lost("weights") if "method" in keywords else made(ctx, record)))


@behaviour(f"{MODULE}.apply")
def apply(ctx: Context, self: Value, variables: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    """Return the result of the module, and, where some may change, the variables."""
    offer = offer_of(ctx, variables, keywords)
    result, record = during(ctx, lambda: _run(ctx, self, args, keywords, offer))
    if "method" not in keywords:
        compare(ctx, variables, record)
    mutable = keywords.get("mutable", FALSE)
    if mutable == FALSE:
        return result
    return ctx.lost("variables") if isinstance(mutable, Lost) else Seq("tuple", (result, ctx.lost("variables")))


_ASIDE = ("rngs", "mutable", "capture_intermediates")


def _run(ctx: Context, self: Value, args: tuple[Value, ...], keywords: dict[str, Value], offer: Value) -> Value:
    """Return the result of a call of the module, or of the method that is asked for."""
    given = {name: value for name, value in keywords.items() if name not in _ASIDE}
    method = given.pop("method", NONE)
    if method == NONE:
        return ctx.freeze(offering(ctx, offer, lambda: ctx.call(self, list(args), given)))
    name = as_str(method)
    found = ctx.get(self, name) if name is not None else None
    if found is None:
        return ctx.lost("a method of a module")
    return ctx.freeze(offering(ctx, offer, lambda: ctx.call(found, list(args), given)))


@behaviour(f"{MODULE}.param")
def param(ctx: Context, self: Value, name: Value, init_fn: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return what an initializer makes, which is given a key first."""
    weight = ctx.freeze(ctx.call(init_fn, [ctx.lost("a key"), *args]))
    sizes = weight.shape.head if isinstance(weight, TensorValue) and weight.shape.tail is None else ()
    note(ctx, f"param.{as_str(name)}", sizes)
    return weight


@behaviour(f"{MODULE}.{{bind,clone,copy}}")
def bound(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return self


@behaviour(f"{MODULE}.{{variable,make_rng,is_initializing,has_variable,sow,tabulate,get_variable}}")
def other(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return ctx.lost("a variable of a module")


@behaviour(f"{MODULE}.perturb", "flax.nnx.Module.perturb")
def perturbed(ctx: Context, self: Value, name: Value, value: Value, *rest: Value, **options: Value) -> Value:
    """Return the array, to which something is added while derivatives are taken."""
    return value


# Layers --------------------------------------------------------------------------------------------------------------


@layer("flax.linen.Dense", dtype="?", bases=BASES)
def dense(inputs: Tensor, features: Size) -> Answer:
    if inputs.rank == 0:
        raise Refused(ClashKind.RANK, f"{inputs.name} is a number, which has no features")
    return "*S i -> *S {features}"


@layer("flax.linen.Embed", dtype="?", bases=BASES)
def embed(inputs: Tensor, num_embeddings: Size, features: Size) -> Answer:
    _refuse_floats(inputs)
    return "*S -> *S {features}"


def _refuse_floats(inputs: Tensor) -> None:
    """Refuse what cannot be the numbers of words."""
    if inputs.dtype is not None and kind(inputs.dtype) not in ("int", ""):
        raise Refused(ClashKind.DTYPE, f"{inputs.name} is {inputs.dtype}, and integers are taken")


@layer("flax.linen.{LayerNorm,RMSNorm,GroupNorm,InstanceNorm,BatchNorm,Dropout}", dtype="?", bases=BASES)
def kept(inputs: Tensor) -> Answer:
    return "*S -> *S"


@layer("flax.linen.Conv", dtype="?", bases=BASES)
def conv(
    inputs: Tensor,
    features: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: AnyValue = SAME,
    input_dilation: AnyValue = NONE,
    kernel_dilation: Sizes = ONE,
) -> Answer:
    if input_dilation not in (NONE, Const(1)):
        raise Blind("dilated inputs")
    return convolved(inputs, features, kernel_size, strides, padding, kernel_dilation)


def convolved(
    inputs: Tensor,
    features: AnySize,
    kernel_size: Sizes,
    strides: Sizes,
    padding: Value,
    dilation: Sizes = ONE,
    channels_first: bool = False,
) -> Answer:
    """Return the shape of a convolution over the axes before the channels, or after them; others are batches."""
    said = (as_str(padding) or "").upper()
    if kernel_size.known is None or said not in ("SAME", "VALID") or inputs.rank is None:
        return UNRANKED
    axes, head = len(kernel_size.known), inputs.shape.head
    _refuse_low_rank(inputs, axes)
    spatial = head[-axes:] if channels_first else head[-axes - 1 : -1]
    each = zip(spatial, kernel_size.known, strides.spread(axes), dilation.spread(axes), strict=True)
    sizes = [maximum(slid(size, kernel, step, said, gap), 0) for size, kernel, step, gap in each]
    return Shape((*head[: -axes - 1], *([features, *sizes] if channels_first else [*sizes, features])))


@op("flax.{linen,nnx}.{avg_pool,max_pool,min_pool}", dtype="first", oracle="none: takes one step at a time")
def pool(inputs: Tensor, window_shape: Sizes, strides: Sizes | None = None, padding: AnyValue = VALID) -> Answer:
    """Without strides, windows are at each position."""
    _refuse_single(window_shape=window_shape, strides=strides)
    channels = inputs.shape.size(-1)
    return UNRANKED if channels is None else convolved(inputs, channels, window_shape, strides or ONE, padding)


def _refuse_single(**given: Sizes | None) -> None:
    """Refuse a number where there must be one for each axis."""
    for name, each in given.items():
        if each is not None and each.is_single:
            raise Refused(ClashKind.RANK, f"{name} is one number, and one for each axis is taken")


@layer("flax.linen.{MultiHeadDotProductAttention,MultiHeadAttention}", dtype="?", bases=BASES)
def attention(
    inputs_q: Tensor,
    num_heads: Size,
    inputs_k: Tensor | None = None,
    inputs_v: Tensor | None = None,
    mask: Tensor | None = None,
    qkv_features: AnyValue = NONE,
    out_features: Size | None = None,
) -> Answer:
    _divide(inputs_q.shape.size(-1) if qkv_features == NONE else as_size(qkv_features), num_heads)
    return _attended(inputs_q, out_features), *_masked(inputs_q, inputs_k or inputs_q, num_heads, mask)


@layer("flax.linen.SelfAttention", dtype="?", bases=BASES)
def self_attention(
    inputs_q: Tensor,
    num_heads: Size,
    mask: Tensor | None = None,
    qkv_features: AnyValue = NONE,
    out_features: Size | None = None,
) -> Answer:
    return attention(inputs_q, num_heads, None, None, mask, qkv_features, out_features)


@layer("flax.nnx.MultiHeadAttention", dtype="?", bases=("flax.nnx.Module",))
def attention_in_nnx(
    inputs_q: Tensor,
    num_heads: Size,
    in_features: Size,
    inputs_k: Tensor | None = None,
    inputs_v: Tensor | None = None,
    mask: Tensor | None = None,
    qkv_features: AnyValue = NONE,
    out_features: Size | None = None,
) -> Answer:
    _divide(in_features if qkv_features == NONE else as_size(qkv_features), num_heads)
    needs = _masked(inputs_q, inputs_k or inputs_q, num_heads, mask)
    return _attended(inputs_q, out_features), *needs, *_takes(inputs_q, in_features, "features")


def _attended(queries: Tensor, features: AnySize | None) -> Shape:
    if features is None or queries.shape.tail is not None or not queries.shape.head:
        return queries.shape if features is None else UNRANKED
    return Shape((*queries.shape.head[:-1], features))


def _masked(queries: Tensor, keys: Tensor, heads: AnySize, mask: Tensor | None) -> list[Need]:
    """Return the constraints for a mask to go with the weights of all heads, queries and keys."""
    if mask is None or not queries.rank or not keys.rank or queries.rank < 2 or keys.rank < 2:
        return []
    *batch, length, _ = queries.shape.head
    scores = Shape((*batch, heads, length, keys.shape.head[-2]))
    return together([mask.shape, scores], f"{mask.name} has shape {mask.shape}, the weights have shape {scores}")[1]


@op("flax.linen.make_causal_mask", dtype="float32", oracle="none: a dtype of its own")
def causal_mask(x: Tensor, extra_batch_dims: AnyValue = ZERO) -> Answer:
    return UNRANKED if extra_batch_dims != ZERO else "*B n -> *B 1 n n"


@op("flax.linen.make_attention_mask", dtype="?", oracle="none: a function is among its arguments")
def attention_mask(query_input: Tensor, key_input: Tensor) -> Answer:
    return "*B q, *B k -> *B 1 q k"


@op("flax.linen.combine_masks", dtype="?", oracle="none: masks or None")
def combined_masks(*masks: Tensor) -> Answer:
    return UNRANKED


@op("{flax.linen,flax.nnx}.dot_product_attention", dtype="?", oracle="none: asserts")
@op("jax.nn.dot_product_attention", dtype="first", oracle="none: no batch may be missing")
def scaled_products(query: Tensor, key: Tensor, value: Tensor) -> Answer:
    """Heads come after the length; there may be fewer heads of keys."""
    if query.rank is None or not value.rank:
        return UNRANKED
    return Shape((*query.shape.head[:-1], value.shape.head[-1])), *_of_equal_depth(query, key)


def _of_equal_depth(query: Tensor, key: Tensor) -> list[Need]:
    have, wanted = query.shape.size(-1), key.shape.size(-1)
    said = f"{query.name} has depth {have}, {key.name} has depth {wanted}"
    return [] if have is None or wanted is None else [equal(ClashKind.AXIS, have, wanted, said)]


def _divide(width: AnySize | None, heads: AnySize) -> None:
    if isinstance(width, int) and isinstance(heads, int) and heads and width % heads:
        raise Refused(ClashKind.AXIS, f"{width} features cannot be divided into {heads} heads")


@layer("flax.linen.ConvTranspose", dtype="?", bases=BASES)
def conv_transpose(
    inputs: Tensor,
    features: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: AnyValue = SAME,
    kernel_dilation: AnyValue = NONE,
) -> Answer:
    """Each axis is as much longer as the strides say; without padding, the windows of the ends are added."""
    said = (as_str(padding) or "").upper()
    is_known = said in ("SAME", "VALID") and inputs.rank is not None and kernel_dilation in (NONE, Const(1))
    return _unconvolved(inputs, features, kernel_size, strides, said) if is_known else UNRANKED


def _unconvolved(inputs: Tensor, features: AnySize, kernel_size: Sizes, strides: Sizes, padding: str) -> Shape:
    if kernel_size.known is None or kernel_size.is_single:
        return UNRANKED
    axes, head = len(kernel_size.known), inputs.shape.head
    _refuse_low_rank(inputs, axes)
    each = zip(head[-axes - 1 : -1], kernel_size.known, strides.spread(axes), strict=True)
    sizes = [unslid(size, kernel, step, padding) for size, kernel, step in each]
    return Shape((*head[: -axes - 1], *sizes, features))


def _refuse_low_rank(inputs: Tensor, axes: int) -> None:
    if len(inputs.shape.head) < axes + 1:
        said = f"{inputs.name} has rank {inputs.rank}, a kernel of {axes} axes needs {axes + 1}"
        raise Refused(ClashKind.RANK, said)


recorded(*(f"flax.linen.{name}" for name in ("Dense", "Conv", "ConvTranspose", "LayerNorm", "BatchNorm", "RMSNorm")))
checked("flax.linen.BatchNorm", has_statistics)
checked("flax.linen.Dropout", has_key)


@layer("flax.nnx.Linear", dtype="?", bases=("flax.nnx.Module",))
def linear(inputs: Tensor, in_features: Size, out_features: Size) -> Answer:
    return "*S i -> *S {out_features}", *_takes(inputs, in_features, "features")


@layer("flax.nnx.Dropout", dtype="?", bases=("flax.nnx.Module",))
def kept_in_nnx(inputs: Tensor, rate: AnyValue = NONE) -> Answer:
    return "*S -> *S"


@layer("flax.nnx.{LayerNorm,RMSNorm,GroupNorm,InstanceNorm}", dtype="?", bases=("flax.nnx.Module",))
def normalised(inputs: Tensor, num_features: Size) -> Answer:
    return inputs.shape, *_takes(inputs, num_features, "features")


@layer("flax.nnx.BatchNorm", dtype="?", bases=("flax.nnx.Module",))
def batch_norm(inputs: Tensor, num_features: Size) -> Answer:
    """A single feature broadcasts."""
    is_single = 1 in (inputs.shape.size(-1), num_features)
    return inputs.shape, *([] if is_single else _takes(inputs, num_features, "features"))


@layer("flax.nnx.Embed", dtype="?", bases=("flax.nnx.Module",))
def embed_in_nnx(inputs: Tensor, num_embeddings: Size, features: Size) -> Answer:
    _refuse_floats(inputs)
    return "*S -> *S {features}"


@layer("flax.nnx.Conv", dtype="?", bases=("flax.nnx.Module",))
def conv_in_nnx(
    inputs: Tensor,
    in_features: Size,
    out_features: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: AnyValue = SAME,
    input_dilation: AnyValue = NONE,
    kernel_dilation: Sizes = ONE,
    feature_group_count: AnyValue = Const(1),
) -> Answer:
    shape = conv(inputs, out_features, kernel_size, strides, padding, input_dilation, kernel_dilation)
    return (shape, *_takes(inputs, in_features, "channels")) if feature_group_count == Const(1) else shape


@layer("flax.nnx.ConvTranspose", dtype="?", bases=("flax.nnx.Module",))
def conv_transpose_in_nnx(
    inputs: Tensor,
    in_features: Size,
    out_features: Size,
    kernel_size: Sizes,
    strides: Sizes = ONE,
    padding: AnyValue = SAME,
    kernel_dilation: AnyValue = NONE,
) -> Answer:
    shape = conv_transpose(inputs, out_features, kernel_size, strides, padding, kernel_dilation)
    return shape, *_takes(inputs, in_features, "channels")


@layer("flax.linen.DenseGeneral", dtype="?", bases=BASES)
def dense_general(inputs: Tensor, features: Sizes, axis: Sizes = LAST, batch_dims: AnyValue = NOTHING) -> Answer:
    return _projected(inputs, features, axis) if batch_dims == NOTHING else UNRANKED


def _projected(inputs: Tensor, features: Sizes, axis: Sizes) -> Shape:
    """Return the shape after some of the last axes have become others."""
    count = len(axis.known or ())
    if (
        inputs.rank is None
        or features.known is None
        or sorted(map(str, axis.known or ())) != sorted(str(-place) for place in range(1, count + 1))
    ):
        return UNRANKED
    return Shape((*inputs.shape.head[: inputs.rank - count], *features.known))


def _takes(inputs: Tensor, wanted: AnySize, what: str) -> list[Need]:
    """Return the constraint for the last axis of the inputs."""
    have = inputs.shape.size(-1)
    said = f"{inputs.name} has {have} {what}, the layer takes {wanted}"
    return [] if have is None else [equal(ClashKind.AXIS, have, wanted, said)]


@behaviour("flax.linen.Sequential", "flax.nnx.Sequential")
def sequential(ctx: Context, layers: Value = NONE, *more: Value, **options: Value) -> Value:
    found = ctx.elements(layers) if not isinstance(layers, Ref) or layers.cls == "list" else (layers,)
    return (
        ctx.lost("layers") if found is None else ctx.new("flax.linen.Sequential", layers=Seq("tuple", (*found, *more)))
    )


@behaviour("flax.linen.Sequential.__call__")
def call_sequential(ctx: Context, self: Value, /, *args: Value, **keywords: Value) -> Value:
    layers = ctx.get(self, "layers")
    result: Value = args[0] if len(args) == 1 else ctx.lost("several inputs")
    for each in layers.items if isinstance(layers, Seq) else ():
        result = ctx.freeze(ctx.call(each, [result]))
    return result


base("flax.linen.Sequential", MODULE)
