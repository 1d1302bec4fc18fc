"""flax: modules, which are data classes that are initialized and applied, and their layers."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Function, Lost, Method, Ref, Seq, Value, as_size, as_str
from shapecheck.domain.values import Tensor as TensorValue
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
from shapecheck.models.lang.constraints import Need, Refused, equal
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
    return made(ctx, during(ctx, lambda: _run(ctx, self, args, keywords))[1])


@behaviour(f"{MODULE}.init_with_output")
def init_with_output(ctx: Context, self: Value, rngs: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    result, record = during(ctx, lambda: _run(ctx, self, args, keywords))
    return Seq("tuple", (result, ctx.lost("weights") if "method" in keywords else made(ctx, record)))


@behaviour(f"{MODULE}.apply")
def apply(ctx: Context, self: Value, variables: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    """Return the result of the module, and, where some may change, the variables."""
    result, record = during(ctx, lambda: _run(ctx, self, args, keywords))
    if "method" not in keywords:
        compare(ctx, variables, record)
    mutable = keywords.get("mutable", FALSE)
    if mutable == FALSE:
        return result
    return ctx.lost("variables") if isinstance(mutable, Lost) else Seq("tuple", (result, ctx.lost("variables")))


_ASIDE = ("rngs", "mutable", "capture_intermediates")


def _run(ctx: Context, self: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    """Return the result of a call of the module, or of the method that is asked for."""
    given = {name: value for name, value in keywords.items() if name not in _ASIDE}
    method = given.pop("method", NONE)
    if method == NONE:
        return ctx.freeze(ctx.call(self, list(args), given))
    name = as_str(method)
    found = ctx.get(self, name) if name is not None else None
    return ctx.lost("a method of a module") if found is None else ctx.freeze(ctx.call(found, list(args), given))


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


@behaviour(f"{MODULE}.{{variable,make_rng,is_initializing,has_variable,sow,perturb,tabulate,get_variable}}")
def other(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return ctx.lost("a variable of a module")


# Layers --------------------------------------------------------------------------------------------------------------


@layer("flax.linen.Dense", dtype="?", bases=BASES)
def dense(inputs: Tensor, features: Size) -> Answer:
    if inputs.rank == 0:
        raise Refused(ClashKind.RANK, f"{inputs.name} is a number, which has no features")
    return "*S i -> *S {features}"


@layer("flax.linen.Embed", dtype="?", bases=BASES)
def embed(inputs: Tensor, num_embeddings: Size, features: Size) -> Answer:
    return "*S -> *S {features}"


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
    inputs: Tensor, features: AnySize, kernel_size: Sizes, strides: Sizes, padding: Value, dilation: Sizes = ONE
) -> Answer:
    """Return the shape of a convolution over the axes before the last one; others before these are batches."""
    said = (as_str(padding) or "").upper()
    if kernel_size.known is None or kernel_size.is_single or said not in ("SAME", "VALID") or inputs.rank is None:
        return UNRANKED
    axes, head = len(kernel_size.known), inputs.shape.head
    _refuse_low_rank(inputs, axes)
    each = zip(head[-axes - 1 : -1], kernel_size.known, strides.spread(axes), dilation.spread(axes), strict=True)
    sizes = [maximum(slid(size, kernel, step, said, gap), 0) for size, kernel, step, gap in each]
    return Shape((*head[: -axes - 1], *sizes, features))


@op("flax.{linen,nnx}.{avg_pool,max_pool,min_pool}", dtype="first", oracle="none: takes one step at a time")
def pool(inputs: Tensor, window_shape: Sizes, strides: Sizes = ONE, padding: AnyValue = VALID) -> Answer:
    """Without strides, windows are at each position."""
    channels = inputs.shape.size(-1)
    if channels is None or inputs.rank is None or window_shape.known is None:
        return UNRANKED
    return convolved(inputs, channels, window_shape, strides, padding)


@layer("flax.linen.{MultiHeadDotProductAttention,MultiHeadAttention,SelfAttention}", dtype="?", bases=BASES)
def attention(
    inputs_q: Tensor, num_heads: Size, qkv_features: AnyValue = NONE, out_features: Size | None = None
) -> Answer:
    _divide(inputs_q.shape.size(-1) if qkv_features == NONE else as_size(qkv_features), num_heads)
    if out_features is None:
        return "*S -> *S"
    return "*S i -> *S {out_features}"


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


@layer("flax.nnx.Linear", dtype="?", bases=("flax.nnx.Module",))
def linear(inputs: Tensor, in_features: Size, out_features: Size) -> Answer:
    return "*S i -> *S {out_features}", *_takes(inputs, in_features, "features")


@layer("flax.nnx.{BatchNorm,LayerNorm,RMSNorm,Dropout}", dtype="?", bases=("flax.nnx.Module",))
def kept_in_nnx(inputs: Tensor) -> Answer:
    return "*S -> *S"


@layer("flax.nnx.Embed", dtype="?", bases=("flax.nnx.Module",))
def embed_in_nnx(inputs: Tensor, num_embeddings: Size, features: Size) -> Answer:
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
