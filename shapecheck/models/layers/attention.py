"""Attention layers."""

from __future__ import annotations

from typing import cast

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Ref, Seq, Value, as_size, as_sizes
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang.answer import Answer, result
from shapecheck.models.lang.constraints import Need, equal, equal_ranks
from shapecheck.models.lang.context import Context, Target
from shapecheck.models.lang.parameter_kinds import AnyValue, Blind, Size, Tensor, Tensors
from shapecheck.models.lang.registry import REGISTRY, behaviour
from shapecheck.models.lang.suspicious import is_batch
from shapecheck.models.layers.base_layer import keras_layer
from shapecheck.models.layers.structure import like
from shapecheck.shapes.facts import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape


@keras_layer("keras.layers.MultiHeadAttention", was={"output_shape": "projected"})
def multi_head(
    query: Tensor,
    value: Tensor,
    num_heads: Size,
    key_dim: Size,
    key: Tensor | None = None,
    projected: AnyValue = NONE,
    attention_axes: AnyValue = NONE,
) -> Answer:
    """Return a result as wide as the query, or as projected. The axes that are not attended to are the same in both."""
    equal_ranks(query, value)
    wide, sizes = _projected(projected)
    keys = "" if key is None else ", b *S @k"
    return f"b t *Q @q, b *S @v{keys} -> b t *Q {wide}", sizes, *_beside_attended(query, value, attention_axes)


def _beside_attended(query: Tensor, value: Tensor, told: Value) -> list[Need]:
    single = as_size(told)
    attended = as_sizes(told) if single is None else (single,)
    if not attended or query.rank is None or value.rank is None or not all(isinstance(at, int) for at in attended):
        return []
    beside = set(range(1, query.rank - 1)) - {cast("int", at) % query.rank for at in attended}
    sizes = {at: (query.shape.head[at], value.shape.head[at]) for at in sorted(beside)}
    return [equal(ClashKind.AXIS, a, b, f"query has {a} on axis {at}, value has {b}") for at, (a, b) in sizes.items()]


def _projected(told: Value) -> tuple[str, dict[str, Shape]]:
    """Return the pattern of the last axes, and their sizes."""
    if told == NONE:
        return "@q", {}
    single = as_size(told)
    sizes = as_sizes(told) if single is None else (single,)
    if not sizes:
        raise Blind("output_shape")
    return "*O", {"O": Shape(sizes)}


_multi_head = REGISTRY["keras.layers.MultiHeadAttention.__call__"].definition.function


@behaviour("keras.layers.MultiHeadAttention.__call__", anew=True)
def call_multi_head(
    ctx: Context,
    self: Ref,
    query: Value = NONE,
    value: Value = NONE,
    key: Value = NONE,
    *rest: Value,
    return_attention_scores: Value = FALSE,
    **others: Value,
) -> Value:
    keywords = {} if key == NONE else {"key": key}
    output: Value = _multi_head(ctx, self, query, value, **keywords)
    mask = others.get("attention_mask", NONE)
    _notice_mask(ctx, query, mask)
    if ctx.get(self, "attention_axes") in (None, NONE):
        _fits_mask(ctx, query, value, mask)
    return _beside(ctx, output, return_attention_scores, _scores(ctx, self, query, value))


def _notice_mask(ctx: Context, query: Value, mask: Value) -> None:
    """Notice a mask of two axes: it holds positions for the whole batch, and its first axis is not the samples."""
    if not isinstance(query, TensorValue) or not isinstance(mask, TensorValue) or mask.shape.rank != 2:
        return
    (rows, _), steps = mask.shape.head, query.shape.size(1)
    same = query.shape.rank == 3 and (rows == query.shape.size(0) or is_batch(rows))
    if same and is_batch(query.shape.size(0)) and rows != steps:
        said = f"attention_mask {mask.shape} is read as query x key, not as batch x key"
        ctx.notice(ClashKind.BATCH_CROSSED, said, query, mask)


def _fits_mask(ctx: Context, query: Value, value: Value, mask: Value) -> None:
    """State that the last axes of a mask are the query's steps and the value's steps, or 1."""
    if not (isinstance(query, TensorValue) and isinstance(value, TensorValue) and isinstance(mask, TensorValue)):
        return
    if query.shape.rank != 3 or value.shape.rank != 3 or mask.shape.rank not in (2, 3, 4):
        return
    steps = (query.shape.sizes[1], value.shape.sizes[1])
    for has, needed, what in zip(mask.shape.sizes[-2:], steps, ("query", "key"), strict=True):
        if has != needed:
            said = f"the mask has shape {mask.shape.map(ctx.resolve)}, the {what} has {ctx.resolve(needed)} steps"
            ctx.require(ClashKind.BROADCAST, AnyOf((Equal(has, needed), Equal(has, 1))), said, mask)


def _beside(ctx: Context, output: Value, wanted: Value, scores: Value) -> Value:
    """Return the output, with the attention scores where they are requested."""
    if wanted == TRUE:
        return Seq("tuple", (output, scores))
    return output if wanted in (FALSE, NONE) else ctx.lost("attention with or without scores")


def _scores(ctx: Context, self: Ref, query: Value, value: Value) -> Value:
    heads = as_size(ctx.get(self, "num_heads") or NONE)
    if not isinstance(query, TensorValue) or not isinstance(value, TensorValue) or heads is None:
        return ctx.lost("attention scores")
    if query.shape.rank != 3 or value.shape.rank != 3:
        return ctx.lost("attention scores")
    batch, steps, _ = query.shape.head
    return like(Shape((batch, heads, steps, value.shape.head[1])), query)


@keras_layer("keras.layers.Attention")
def attention(inputs: Tensors, target: Target = Target()) -> Answer:
    return dot_attention(inputs, target)


@keras_layer("keras.layers.AdditiveAttention")
def additive_attention(inputs: Tensors, target: Target = Target()) -> Answer:
    if len(inputs.items) in (2, 3) and any(item.shape.size(-1) == 1 for item in inputs.items):
        return result(UNRANKED)
    return dot_attention(inputs, target)


def dot_attention(inputs: Tensors, target: Target) -> Answer:
    """Return attention over queries and keys (equal last axes) and values (as many as keys)."""
    is_built = target.keras == 3 and any(item.is_symbolic for item in inputs.items)
    if is_built and len({item.rank for item in inputs.items}) > 1:
        return result(_foretold(inputs.items[0].shape, inputs.items[1].shape))
    if len(inputs.items) == 2:
        return "~B t d, ~B s d -> ~B t d"
    if len(inputs.items) == 3:
        return "~B t d, ~B s v, ~B s d -> ~B t v"
    return result(UNRANKED)


def _foretold(query: Shape, value: Shape) -> Shape:
    """Return the shape that Keras computes for the result in advance, which may differ from the actual one."""
    width = value.size(-1)
    return UNRANKED if query.tail is not None or width is None else Shape((*query.head[:-1], width))


@keras_layer("keras.layers.{GroupQueryAttention,GroupedQueryAttention}", oracle="none: heads are not drawn to divide")
def group_query(query: Tensor, value: Tensor, key: Tensor | None = None) -> Answer:
    if key is None:
        return "b t @q, b s @v -> b t @q"
    return "b t @q, b s @v, b s @k -> b t @q"


def _with_scores(name: str) -> None:
    run = REGISTRY[f"{name}.__call__"].definition.function

    def call(
        ctx: Context, self: Value, *inputs: Value, return_attention_scores: Value = FALSE, **others: Value
    ) -> Value:
        output: Value = run(ctx, self, *inputs, **others)
        return _beside(ctx, output, return_attention_scores, ctx.lost("attention scores"))

    call.__module__ = __name__
    behaviour(f"{name}.__call__", anew=True)(call)


for _name in ("Attention", "AdditiveAttention", "GroupQueryAttention", "GroupedQueryAttention"):
    _with_scores(f"keras.layers.{_name}")
