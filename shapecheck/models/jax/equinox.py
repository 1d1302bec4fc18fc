"""equinox: modules are data classes whose layers take one sample, without a batch."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Dict, Library, Lost, Partial, Ref, Seq, Value, as_size
from shapecheck.domain.values import Tensor as Array
from shapecheck.models.jax import transforms
from shapecheck.models.jax.weights import NETWORKS
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Blind,
    Context,
    Dimensions,
    Flag,
    Need,
    ShapeArg,
    Size,
    Sizes,
    Tensor,
    base,
    behaviour,
    equal,
    everywhere,
)
from shapecheck.models.lang.constraints import Refused
from shapecheck.models.lang.registry import layer, lookup
from shapecheck.models.lang.window import slid
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

MODULE = "equinox.Module"
BASES = (MODULE,)
Windows = tuple[Sequence[AnySize], Sequence[AnySize], Value, Sequence[AnySize]]
ONE, NO_PADDING, NUMBER = everywhere(1), Const(0), Const("scalar")
base(MODULE, "object")
IF_ARRAY = Library("equinox.if_array")
FIRST_OF_ARRAYS = Partial(IF_ARRAY, (Const(0),))
OF_FLOATS = ("filter_grad", "filter_value_and_grad")
WRAPPERS = {
    "filter_jit": "jax.named_call",
    "filter_grad": "jax.grad",
    "filter_value_and_grad": "jax.value_and_grad",
    "filter_checkpoint": "jax.named_call",
}


def _register(name: str, of: str) -> None:
    def wrap(ctx: Context, *args: Value, **options: Value) -> Value:
        model = lookup(of)
        made = ctx.lost("a wrapper") if model is None else model.run(ctx, args, options)
        return Partial(Library("equinox.filtered"), (made,), ()) if name in OF_FLOATS else made

    wrap.__module__ = __name__
    behaviour(f"equinox.{name}")(wrap)


@behaviour("equinox.filtered")
def of_floats(ctx: Context, fun: Value, *args: Value, **keywords: Value) -> Value:
    """Call a function of derivatives that leaves out what is no float."""
    before = ctx.get(NETWORKS, transforms.OF_FLOATS) or FALSE
    ctx.set(NETWORKS, transforms.OF_FLOATS, TRUE)
    result = ctx.call(fun, list(args), keywords)
    ctx.set(NETWORKS, transforms.OF_FLOATS, before)
    return result


for _name, _of in WRAPPERS.items():
    _register(_name, _of)


@behaviour("equinox.filter_vmap")
def filter_vmap(ctx: Context, fun: Value = NONE, **options: Value) -> Value:
    """Return the function of batches; called with options alone, a decorator."""
    if fun == NONE:
        return Partial(Library("equinox.filter_vmap"), (), tuple(options.items()))
    if not isinstance(fun, (*transforms.CALLABLE, Ref)):
        return ctx.lost("a function of batches")
    axes, of_results = (ctx.freeze(options.get(name, FIRST_OF_ARRAYS)) for name in ("in_axes", "out_axes"))
    return Partial(Library("equinox.vmapped"), (fun, axes, of_results, options.get("axis_size", NONE)))


@behaviour("equinox.if_array")
def if_array(ctx: Context, axis: Value, *leaf: Value) -> Value:
    """Return what tells the axis of each array."""
    return ctx.lost("an axis of a batch") if leaf else Partial(IF_ARRAY, (axis,))


@behaviour("equinox.vmapped")
def vmapped(ctx: Context, fun: Value, in_axes: Value, out_axes: Value, size: Value, *args: Value) -> Value:
    """Call a function with one item of each batch; what is no array is the same for all items."""
    given = [ctx.freeze(argument) for argument in args]
    specs = in_axes.items if isinstance(in_axes, Seq) else [in_axes] * len(given)
    if len(specs) == len(given):
        in_axes = Seq("tuple", tuple(_axes(spec, argument) for spec, argument in zip(specs, given, strict=True)))
    return transforms.batched(ctx, fun, in_axes, out_axes, size, *given)


def _axes(spec: Value, argument: Value) -> Value:
    """Return the axes of the batches in an argument."""
    if not isinstance(spec, Partial) or spec.function != IF_ARRAY:
        return spec
    match argument:
        case Seq(items=items):
            return Seq("tuple", tuple(_axes(spec, item) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, _axes(spec, item)) for key, item in pairs))
        case Array() | Ref() | Lost():
            return spec.args[0]
    return NONE


def _of_one_sample(x: Tensor, wanted: AnySize | None) -> list[Need]:
    if x.rank not in (None, 1):
        raise Refused(ClashKind.RANK, f"{x.name} has rank {x.rank}, the layer takes one sample without a batch")
    have = x.shape.size(0)
    said = f"{x.name} has {have} features, the layer takes {wanted}"
    return [] if have is None or wanted in (None, have) else [equal(ClashKind.AXIS, have, wanted or 0, said)]


@layer("equinox.nn.Linear", dtype="?", bases=BASES)
def linear(x: Tensor, in_features: AnyValue, out_features: AnyValue) -> Answer:
    return _dense(x, in_features, out_features)


@layer("equinox.nn.MLP", dtype="?", bases=BASES)
def mlp(x: Tensor, in_size: AnyValue, out_size: AnyValue) -> Answer:
    return _dense(x, in_size, out_size)


def _dense(x: Tensor, inside: Value, outside: Value) -> Answer:
    """Return a row of results; a layer may be made for a number, or for one as the result."""
    out = as_size(outside)
    made = SCALAR if outside == NUMBER else UNRANKED if out is None else Shape((out,))
    if inside != NUMBER:
        return made, *_of_one_sample(x, as_size(inside))
    if x.shape.known:
        raise Refused(ClashKind.RANK, f"{x.name} has shape {x.shape}, the layer takes one number")
    return made


@layer("equinox.nn.Conv{1,2,3}d", dtype="?", bases=BASES)
def conv(
    axes: Dimensions,
    x: Tensor,
    in_channels: Size,
    out_channels: Size,
    kernel_size: Sizes,
    stride: Sizes = ONE,
    padding: AnyValue = NO_PADDING,
    dilation: Sizes = ONE,
) -> Answer:
    """Channels come first, and there is no batch."""
    each = (kernel_size.spread(axes), stride.spread(axes), padding, dilation.spread(axes))
    return _convolved(x, axes, in_channels, out_channels, each)


def _convolved(x: Tensor, axes: int, inside: AnySize, outside: AnySize, windows: Windows) -> Answer:
    if x.rank is None:
        return UNRANKED
    _refuse_batch(x, axes)
    said = f"{x.name} has {x.shape.head[0]} channels, the layer takes {inside}"
    need = equal(ClashKind.AXIS, x.shape.head[0], inside, said)
    sizes = _slid(x, *windows)
    return (UNRANKED if sizes is None else Shape((outside, *sizes))), need


@layer("equinox.nn.{Max,Avg}Pool{1,2,3}d", dtype="?", bases=BASES)
def pool(
    axes: Dimensions,
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes = ONE,
    padding: AnyValue = NO_PADDING,
    use_ceil: Flag = False,
) -> Answer:
    if use_ceil:
        raise Blind("windows beyond the end")
    each = (kernel_size.spread(axes), stride.spread(axes), padding, (1,) * axes)
    return UNRANKED if x.rank is None else _pooled(x, axes, each)


def _pooled(x: Tensor, axes: int, windows: Windows) -> Shape:
    _refuse_batch(x, axes)
    sizes = _slid(x, *windows)
    return UNRANKED if sizes is None else Shape((x.shape.head[0], *sizes))


def _refuse_batch(x: Tensor, axes: int) -> None:
    if x.rank != axes + 1:
        raise Refused(ClashKind.RANK, f"{x.name} has rank {x.rank}, not {axes + 1}: the layer takes one sample")


def _slid(
    x: Tensor, kernel: Sequence[AnySize], stride: Sequence[AnySize], padding: Value, dilation: Sequence[AnySize]
) -> list[AnySize] | None:
    """Return the sizes after the channels; None unless the padding is one number."""
    around = as_size(padding)
    if around is None:
        return None
    each = zip(x.shape.head[1:], kernel, stride, dilation, strict=True)
    return [slid(size + 2 * around, one, step, "VALID", gap) for size, one, step, gap in each]


@layer("equinox.nn.{Dropout,Identity}", bases=BASES)
def kept(x: Tensor) -> Answer:
    return "*S -> *S"


@layer("equinox.nn.{LayerNorm,RMSNorm}", bases=BASES)
def normalised(x: Tensor, shape: ShapeArg) -> Answer:
    """The layer is made for arrays of one shape."""
    return x.shape, *_of_shape(x, shape)


def _of_shape(x: Tensor, shape: Shape) -> list[Need]:
    if x.rank is None or shape.tail is not None:
        return []
    said = f"{x.name} has shape {x.shape}, the layer is for arrays of shape {shape}"
    if x.rank != len(shape.head):
        raise Refused(ClashKind.RANK, said)
    pairs = zip(x.shape.head, shape.head, strict=True)
    return [equal(ClashKind.AXIS, have, wanted, said) for have, wanted in pairs if have != wanted]


@layer("equinox.nn.GroupNorm", bases=BASES)
def in_groups(x: Tensor, groups: Size, channels: Size | None = None) -> Answer:
    have = x.shape.size(0)
    said = f"{x.name} has {have} channels, the layer takes {channels}"
    return x.shape, *([] if None in (have, channels) else [equal(ClashKind.AXIS, have, channels, said)])  # type: ignore[arg-type]


@layer("equinox.nn.Embedding", dtype="?", bases=BASES)
def embedding(x: Tensor, num_embeddings: Size, embedding_size: Size) -> Answer:
    if x.shape.known:
        raise Refused(ClashKind.RANK, f"{x.name} has shape {x.shape}, the layer takes one number")
    return Shape((embedding_size,)) if x.rank == 0 else UNRANKED


@layer("equinox.nn.GRUCell", dtype="?", bases=BASES)
def gru_cell(input: Tensor, hidden: Tensor, input_size: Size, hidden_size: Size) -> Answer:
    return Shape((hidden_size,)), *_of_one_sample(input, input_size), *_of_one_sample(hidden, hidden_size)


@behaviour("equinox.nn.LSTMCell")
def lstm_cell(ctx: Context, input_size: Value, hidden_size: Value, *rest: Value, **options: Value) -> Value:
    gru = ctx.apply("equinox.nn.GRUCell", input_size, hidden_size)
    return ctx.new("equinox.nn.LSTMCell", _cell=gru)


@behaviour("equinox.nn.LSTMCell.__call__")
def call_lstm(ctx: Context, self: Ref, input: Value, hidden: Value, **options: Value) -> Value:
    """The state has two parts, each of which is like that of a GRU."""
    state = ctx.freeze(hidden)
    if isinstance(state, Array):
        ctx.require(ClashKind.UNPACK, NEVER, "the state is one array, not a pair", state)
    if not isinstance(state, Seq) or len(state.items) != 2:
        return ctx.lost("the state of a cell")
    made = ctx.call(ctx.get(self, "_cell") or NONE, [input, state.items[0]])
    return Seq("tuple", (made, made))


@layer("equinox.nn.MultiheadAttention", dtype="?", bases=BASES)
def attention(
    query: Tensor,
    key_: Tensor,
    num_heads: Size,
    query_size: Size,
    key_size: Size | None = None,
    output_size: Size | None = None,
) -> Answer:
    wanted, out = (query_size if each is None else each for each in (key_size, output_size))
    return _attended(query, key_, query_size, wanted, out)


def _attended(query: Tensor, key: Tensor, wanted: AnySize, of_keys: AnySize, out: AnySize) -> Answer:
    needs = []
    for each, size in ((query, wanted), (key, of_keys)):
        if each.rank not in (None, 2):
            raise Refused(ClashKind.RANK, f"{each.name} has rank {each.rank}, not 2: the layer takes one sequence")
        have, said = each.shape.size(-1), f"{each.name} has {each.shape.size(-1)} features, the layer takes {size}"
        needs += [] if have is None else [equal(ClashKind.AXIS, have, size, said)]
    length = query.shape.size(0) if query.rank == 2 else None
    return (UNRANKED if length is None else Shape((length, out))), *needs


@behaviour("equinox.nn.Sequential")
def sequential(ctx: Context, layers: Value = NONE, **options: Value) -> Value:
    return ctx.apply("flax.linen.Sequential", layers)


@behaviour("equinox.nn.Lambda")
def wrapped(ctx: Context, fn: Value) -> Value:
    return fn


@layer("equinox.nn.ConvTranspose{1,2,3}d", dtype="?", bases=BASES)
def conv_transpose(
    axes: Dimensions,
    x: Tensor,
    in_channels: Size,
    out_channels: Size,
    kernel_size: Sizes,
    stride: Sizes = ONE,
    output_padding: AnyValue = NO_PADDING,
    padding: AnyValue = NO_PADDING,
    dilation: Sizes = ONE,
) -> Answer:
    """The windows of all positions lie one after the other, without what the padding takes off."""
    around, more = as_size(padding), as_size(output_padding)
    kernel = [gap * (size - 1) + 1 for size, gap in zip(kernel_size.spread(axes), dilation.spread(axes), strict=True)]
    windows = kernel, stride.spread(axes), (around, more)
    return _unslid(x, axes, (in_channels, out_channels), *windows)


def _unslid(
    x: Tensor,
    axes: int,
    channels: tuple[AnySize, AnySize],
    kernel: Sequence[AnySize],
    stride: Sequence[AnySize],
    paddings: tuple[AnySize | None, AnySize | None],
) -> Answer:
    around, more = paddings
    if x.rank is None or around is None or more is None:
        return UNRANKED
    _refuse_batch(x, axes)
    said = f"{x.name} has {x.shape.head[0]} channels, the layer takes {channels[0]}"
    each = zip(x.shape.head[1:], kernel, stride, strict=True)
    sizes = [(size - 1) * step + one + more - 2 * around for size, one, step in each]
    return Shape((channels[1], *sizes)), equal(ClashKind.AXIS, x.shape.head[0], channels[0], said)


@behaviour("equinox.apply_updates")
def updated(ctx: Context, model: Value, updates: Value) -> Value:
    return model


@behaviour("equinox.filter")
def filtered(ctx: Context, pytree: Value, filter_spec: Value = NONE, **options: Value) -> Value:
    return _those_of(ctx, pytree, filter_spec)


def _those_of(ctx: Context, pytree: Value, spec: Value) -> Value:
    """Return a tree without the leaves that a filter refuses; an object keeps them out of sight."""
    match pytree:
        case Seq(kind="list" | "tuple" as kind, items=items):
            return Seq(kind, tuple(_those_of(ctx, item, spec) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, _those_of(ctx, item, spec)) for key, item in pairs))
        case Ref() | Lost() | Const(value=None):
            return pytree
    is_kept = _is_of(pytree, spec)
    return ctx.lost("a leaf that a filter may refuse") if is_kept is None else pytree if is_kept else NONE


def _is_of(leaf: Value, spec: Value) -> bool | None:
    """Return whether a filter that asks for arrays, or for those with fractions, takes a leaf."""
    asked = spec.name.removeprefix("equinox.") if isinstance(spec, Library) else ""
    if asked not in ("is_array", "is_inexact_array"):
        return None
    if not isinstance(leaf, Array) or asked == "is_array":
        return isinstance(leaf, Array)
    return None if leaf.dtype is None else leaf.dtype.startswith(("float", "bfloat", "complex"))


@behaviour("equinox.combine")
def combined(ctx: Context, *pytrees: Value, **options: Value) -> Value:
    """Filters leave objects whole here, so that the tree that is known has everything but the leaves it lacks."""
    known = [each for each in pytrees if not isinstance(each, Lost)]
    return _filled(ctx, known[0]) if known else ctx.lost("a tree")


def _filled(ctx: Context, pytree: Value) -> Value:
    match pytree:
        case Seq(kind="list" | "tuple" as kind, items=items):
            return Seq(kind, tuple(_filled(ctx, item) for item in items))
        case Dict(items=pairs, rest=None):
            return Dict(tuple((key, _filled(ctx, item)) for key, item in pairs))
    return ctx.lost("a leaf of another tree") if pytree == NONE else pytree


@behaviour("equinox.partition")
def parted(ctx: Context, pytree: Value, filter_spec: Value = NONE, **options: Value) -> Value:
    return Seq("tuple", (_those_of(ctx, pytree, filter_spec), ctx.lost("what is left of a tree")))
