"""flax: modules, which are data classes that are initialized and applied, and their layers."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Function, Lost, Method, Ref, Seq, Value, as_str
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
from shapecheck.models.lang.window import slid
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
    if "method" not in keywords:
        _run(ctx, self, args, keywords)
    return ctx.lost("weights")


@behaviour(f"{MODULE}.init_with_output")
def init_with_output(ctx: Context, self: Value, rngs: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    return Seq("tuple", (_run(ctx, self, args, keywords), ctx.lost("weights")))


@behaviour(f"{MODULE}.apply")
def apply(ctx: Context, self: Value, variables: Value = NONE, /, *args: Value, **keywords: Value) -> Value:
    """Return the result of the module, and, where some may change, the variables."""
    result = _run(ctx, self, args, keywords)
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
    return ctx.call(init_fn, [ctx.lost("a key"), *args])


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
    if len(head) < axes + 1:
        raise Refused(ClashKind.RANK, f"{inputs.name} has rank {len(head)}, a kernel of {axes} axes needs {axes + 1}")
    each = zip(head[-axes - 1 : -1], kernel_size.known, strides.spread(axes), dilation.spread(axes), strict=True)
    sizes = [maximum(slid(size, kernel, step, said, gap), 0) for size, kernel, step, gap in each]
    return Shape((*head[: -axes - 1], *sizes, features))


@op("flax.linen.{avg_pool,max_pool,min_pool}", dtype="first", oracle="none: takes one step at a time")
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
    if out_features is None:
        return "*S -> *S"
    return "*S i -> *S {out_features}"


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
