"""Attention and transformers: widths, heads, and masks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Lost, Ref, Seq, Tensor, Value, as_bool, as_size
from shapecheck.models.lang import Answer, AnyValue, Context, Need, attribute, base, behaviour, op
from shapecheck.models.lang import Tensor as Operand
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.bind import real_parameters
from shapecheck.models.torch.batch_axis import notice_other_axis
from shapecheck.models.torch.layer import derivable, layer_size
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.claims import Divides, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size

ATTENTION = "torch.nn.MultiheadAttention"
FAILS = "a call that fails"


def _steps(ctx: Context, given: Value, width: Size | None) -> Tensor | None:
    """Return what is given as steps of a width, also if it is unknown; None for what is no tensor."""
    if not isinstance(given, (Tensor, Lost)):
        return None
    tensor = replace(as_tensor(given, ctx), library="torch")
    if tensor.shape.size(-1) is not None or width is None:
        return tensor
    steps = ctx.fresh("n", Kind.LOST, "steps of sequences of unknown rank")
    return replace(tensor, shape=Shape((steps,), (width,)))


def _divided(ctx: Context, width: Value, heads: Value) -> None:
    """State that a width can be divided into heads."""
    size, parts = as_size(width), as_size(heads)
    if isinstance(size, int) and isinstance(parts, int) and parts and size % parts:
        ctx.require(ClashKind.AXIS, Divides(parts, size), f"embed_dim {size} cannot be divided into {parts} heads")


def _has_width(ctx: Context, tensor: Value, name: str, width: Size | None) -> bool:
    """State that the last axis of a tensor with 2 or 3 axes has a width; return whether that is possible."""
    if not isinstance(tensor, Tensor):
        return True
    if tensor.shape.rank not in (2, 3, None):
        ctx.require(ClashKind.RANK, IMPOSSIBLE, f"{name} has rank {tensor.shape.rank}, not 2 or 3", tensor)
        return False
    size = tensor.shape.size(-1)
    if width is not None and size is not None and size != width:
        ctx.require(ClashKind.AXIS, Equal(size, width), f"{name} has {size} on its last axis, not {width}", tensor)
    return True


# Attention -----------------------------------------------------------------------------------------------------------

base(ATTENTION, "torch.nn.Module")
ORDER = ("dropout", "bias", "add_bias_kv", "add_zero_attn", "kdim", "vdim", "batch_first")


@behaviour(ATTENTION)
def attention(ctx: Context, embed_dim: Value, num_heads: Value, *rest: Value, **options: Value) -> Value:
    _divided(ctx, embed_dim, num_heads)
    given = dict(zip(ORDER, rest, strict=False)) | options
    return ctx.new(ATTENTION, embed_dim=ctx.as_layer_size(embed_dim), num_heads=num_heads, **given)


def attend(
    ctx: Context,
    self: Ref,
    query: Value = NONE,
    key: Value = NONE,
    value: Value = NONE,
    key_padding_mask: Value = NONE,
    need_weights: Value = TRUE,
    attn_mask: Value = NONE,
    average_attn_weights: Value = TRUE,
    **options: Value,
) -> Value:
    """Return the attended values, and the weights averaged over the heads unless options say otherwise."""
    held, taken = ctx.freeze(key), ctx.freeze(value)
    width, first = layer_size(ctx, self, "embed_dim"), as_bool(ctx.get(self, "batch_first") or FALSE)
    asked = _steps(ctx, ctx.freeze(query), width)
    if asked is None or first is None:
        return ctx.lost("outputs of attention")
    for name, tensor, option in (("query", asked, ""), ("key", held, "kdim"), ("value", taken, "vdim")):
        said = ctx.get(self, option) if option else None
        own = width if said is None or said == NONE else as_size(said)
        if not _has_width(ctx, tensor, name, own):
            return ctx.lost(FAILS)
    notice_other_axis(ctx, self, ctx.freeze(query))
    lengths = _lengths(asked, held, first)
    if lengths is not None:
        _check_masks(ctx, ctx.freeze(attn_mask), ctx.freeze(key_padding_mask), lengths)
    weights: Value = ctx.lost("weights of attention")
    if need_weights == FALSE:
        weights = NONE
    elif lengths is not None and (need_weights, average_attn_weights) == (TRUE, TRUE):
        weights = Tensor(Shape(lengths), asked.dtype, "torch")
    return Seq("tuple", (asked, weights))


def _lengths(query: Tensor, key: Value, first: bool) -> tuple[Size, ...] | None:
    """Return the rows of a batch if there are any, and the steps of the query and of the key."""
    if not isinstance(key, Tensor) or key.shape.rank != query.shape.rank or query.shape.rank is None:
        return None
    q, k = query.shape.head, key.shape.head
    if len(q) == 2:
        return q[0], k[0]
    return (q[0], q[1], k[1]) if first else (q[1], q[0], k[0])


def _check_masks(ctx: Context, mask: Value, padding: Value, lengths: Sequence[Size]) -> None:
    """State that masks have their shapes: one for the steps of query and key, one for the steps of each key."""
    steps, rows = tuple(lengths[-2:]), (*lengths[:-2], lengths[-1])
    for given, name, wanted in ((mask, "attn_mask", steps), (padding, "key_padding_mask", rows)):
        if not isinstance(given, Tensor) or given.shape.rank is None:
            continue
        said = f"{name} has shape {given.shape.map(ctx.resolve)}, not {Shape(wanted).map(ctx.resolve)}"
        if given.shape.rank < len(wanted):
            ctx.require(ClashKind.RANK, IMPOSSIBLE, said, given)
            continue
        for one, other in zip(
            given.shape.head[-len(wanted) :], wanted, strict=True
        ):  # before them is one for each head
            if one != other:
                ctx.require(ClashKind.AXIS, Equal(one, other), said, given)


@behaviour("torch.nn.functional.multi_head_attention_forward")
def attend_with_weights(ctx: Context, query: Value, *rest: Value, **options: Value) -> Value:
    """Return what is attended to, which is like the query, and the weights."""
    return Seq("tuple", (query, ctx.lost("weights of attention")))


@op("torch.nn.functional.scaled_dot_product_attention")
def scaled(query: Operand, key: Operand, value: Operand, attn_mask: AnyValue = NONE) -> Answer:
    return "~B l e, ~B s e, ~B s v -> ~B l v", *_masked(query.shape, key.shape, attn_mask)


def _masked(query: Shape, key: Shape, mask: Value) -> list[Need]:
    """Return the constraint that a mask broadcasts with the scores of all pairs of steps."""
    if not isinstance(mask, Tensor) or None in (mask.shape.rank, query.rank, key.rank) or not mask.shape.head:
        return []
    if min(len(query.head), len(key.head)) < 2:
        return []
    batch, _ = together([Shape(query.head[:-2]), Shape(key.head[:-2])])
    scores = Shape((*batch.head, query.head[-2], key.head[-2]), batch.tail)
    said = f"attn_mask {mask.shape} does not broadcast with the scores {scores}"
    return together([scores, mask.shape], said)[1]


# Transformers --------------------------------------------------------------------------------------------------------

LAYERS = ("torch.nn.TransformerEncoderLayer", "torch.nn.TransformerDecoderLayer")
STACKS = ("torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder")
WHOLE = "torch.nn.Transformer"
KEPT = ("d_model", "batch_first")
for _name in (*LAYERS, *STACKS, WHOLE):
    base(_name, "torch.nn.Module")


Masks = Mapping[str, Value]


def _register(cls: str, masks: Sequence[str], compute: Callable[..., Value]) -> None:
    """Register a layer, or the whole, by its width, and what it computes with masks."""

    def layer(ctx: Context, d_model: Value = NONE, nhead: Value = NONE, *rest: Value, **options: Value) -> Value:
        _divided(ctx, d_model, nhead)
        given = dict(zip((real_parameters(cls) or ())[2:], rest, strict=False)) | options
        width = given.get("dim_feedforward", Const(2048))
        first = given.get("batch_first", FALSE)
        return ctx.new(cls, d_model=ctx.as_layer_size(d_model), nhead=nhead, dim_feedforward=width, batch_first=first)

    layer.__module__ = __name__
    behaviour(cls)(layer)
    derivable(cls, _with_masks(masks, compute), __name__)


def _register_parts(cls: str, attentions: Sequence[str]) -> None:
    """Register what a layer consists of, which the `forward` of a derived class may use."""
    makers: dict[str, tuple[str, ...]] = dict.fromkeys(attentions, (ATTENTION, "d_model", "nhead"))
    makers |= {"linear1": ("torch.nn.Linear", "d_model", "dim_feedforward")}
    makers |= {"linear2": ("torch.nn.Linear", "dim_feedforward", "d_model")}
    makers |= {f"norm{at}": ("torch.nn.LayerNorm", "d_model") for at in (1, 2, 3)}
    makers |= {f"dropout{at}": ("torch.nn.Dropout",) for at in ("", 1, 2, 3)}
    for name, (maker, *sizes) in makers.items():

        def part(ctx: Context, self: Ref, *, maker: str = maker, sizes: Sequence[str] = sizes) -> Value:
            options = {"batch_first": ctx.get(self, "batch_first") or FALSE} if maker == ATTENTION else {}
            return ctx.apply(
                maker, *(ctx.get(self, size) or ctx.lost("a size of a layer") for size in sizes), **options
            )

        part.__module__ = __name__
        attribute(f"{cls}.{name}")(part)


def _register_stack(cls: str, name: str, masks: Sequence[str], compute: Callable[..., Value]) -> None:
    def stack(ctx: Context, first: Value = NONE, *rest: Value, **options: Value) -> Value:
        each = options.get(name, first)
        known = {kept: ctx.get(each, kept) if isinstance(each, Ref) else None for kept in KEPT}
        return ctx.new(cls, **{kept: NONE if value is None else value for kept, value in known.items()})

    stack.__module__ = __name__
    behaviour(cls)(stack)
    derivable(cls, _with_masks(masks, compute), __name__, KEPT)


def _with_masks(names: Sequence[str], compute: Callable[..., Value]) -> Callable[..., Value]:
    """Return a method whose masks have these names, and come after the other arguments in this order."""
    count = 1 if compute is encode else 2

    def run(ctx: Context, self: Ref, *args: Value, **options: Value) -> Value:
        given = dict(zip(names, args[count:], strict=False)) | {
            name: options.pop(name) for name in names if name in options
        }
        masks = {name.replace("src_mask", "mask"): ctx.freeze(value) for name, value in given.items()}
        others = {name: value for name, value in options.items() if not name.endswith("is_causal")}
        return compute(ctx, self, masks, *args[:count], **others)

    return run


def encode(ctx: Context, self: Ref, masks: Masks, src: Value = NONE) -> Value:
    """Return the encoded steps, whose shape is that of the input."""
    width = layer_size(ctx, self, "d_model")
    given = _steps(ctx, ctx.freeze(src), width)
    if given is None or not _has_width(ctx, given, "src", width):
        return ctx.lost("encoded steps")
    notice_other_axis(ctx, self, ctx.freeze(src))
    _fit(ctx, self, given, given, masks.get("mask"), masks.get("src_key_padding_mask"))
    return Tensor(given.shape, given.dtype, "torch")


def decode(ctx: Context, self: Ref, masks: Masks, tgt: Value = NONE, memory: Value = NONE) -> Value:
    """Return the decoded steps, whose shape is that of the target."""
    width = layer_size(ctx, self, "d_model")
    given, held = _steps(ctx, ctx.freeze(tgt), width), ctx.freeze(memory)
    if given is None or not _has_width(ctx, given, "tgt", width):
        return ctx.lost("decoded steps")
    if not _has_width(ctx, held, "memory", width):
        return ctx.lost(FAILS)
    notice_other_axis(ctx, self, ctx.freeze(tgt))
    _fit(ctx, self, given, given, masks.get("tgt_mask"), masks.get("tgt_key_padding_mask"))
    _fit(ctx, self, given, held, masks.get("memory_mask"), masks.get("memory_key_padding_mask"))
    _have_same_batch(ctx, self, given, held)
    return Tensor(given.shape, given.dtype, "torch")


def translate(ctx: Context, self: Ref, masks: Masks, src: Value = NONE, tgt: Value = NONE) -> Value:
    """Return the decoded steps of the target, which attend to the encoded source."""
    given = ctx.freeze(src)
    if not _has_width(ctx, given, "src", layer_size(ctx, self, "d_model")):
        return ctx.lost(FAILS)
    if isinstance(given, Tensor):
        _fit(ctx, self, given, given, masks.get("mask"), masks.get("src_key_padding_mask"))
    return decode(ctx, self, masks, tgt, given)


def _fit(ctx: Context, self: Ref, query: Tensor, key: Value, mask: Value | None, padding: Value | None) -> None:
    """State that masks have the shapes that attention of one sequence to another needs."""
    first = as_bool(ctx.get(self, "batch_first") or FALSE)
    lengths = None if first is None else _lengths(query, key, first)
    if lengths is not None:
        _check_masks(ctx, mask or NONE, padding or NONE, lengths)


def _have_same_batch(ctx: Context, self: Ref, target: Tensor, memory: Value) -> None:
    """State that there are as many targets as sequences that they attend to."""
    first = as_bool(ctx.get(self, "batch_first") or FALSE)
    if first is None or target.shape.rank != 3 or not isinstance(memory, Tensor) or memory.shape.rank != 3:
        return
    one, other = (tensor.shape.head[0 if first else 1] for tensor in (target, memory))
    if one != other:
        said = f"the target has a batch of {one}, what it attends to has one of {other}"
        ctx.require(ClashKind.AXIS, Equal(one, other), said, target, memory)


@behaviour(f"{WHOLE}.generate_square_subsequent_mask")
def mask_of_steps(ctx: Context, *args: Value, **options: Value) -> Value:
    """Return the mask that hides later steps."""
    size = next((found for each in (*args[::-1], *options.values()) if (found := as_size(each)) is not None), None)
    return ctx.lost("a mask") if size is None else Tensor(Shape((size, size)), "float32", "torch")


PADDING = ("tgt_key_padding_mask", "memory_key_padding_mask")
OF_DECODER = ("tgt_mask", "memory_mask", *PADDING)
derivable(ATTENTION, attend, __name__)
_register(LAYERS[0], ("src_mask", "src_key_padding_mask"), encode)
_register(LAYERS[1], OF_DECODER, decode)
_register_parts(LAYERS[0], ("self_attn",))
_register_parts(LAYERS[1], ("self_attn", "multihead_attn"))
_register_stack(STACKS[0], "encoder_layer", ("mask", "src_key_padding_mask"), encode)
_register_stack(STACKS[1], "decoder_layer", OF_DECODER, decode)
_register(WHOLE, ("src_mask", "tgt_mask", "memory_mask", "src_key_padding_mask", *PADDING), translate)
