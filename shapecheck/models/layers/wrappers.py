"""Layers that wrap layers: Bidirectional, TimeDistributed, SpectralNormalization."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Ref, Seq, Tensor, Value, as_str, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import behaviour
from shapecheck.models.layers.base_layer import declared_apart, remember
from shapecheck.models.layers.compute_dtype import taken
from shapecheck.models.layers.structure import change
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

BACKWARDS = "go_backwards"


@behaviour("keras.layers.Bidirectional")
def bidirectional(
    ctx: Context, layer: Value = NONE, merge_mode: Value = Const("concat"), *rest: Value, **others: Value
) -> Value:
    return ctx.new("keras.layers.Bidirectional", layer=layer, merge_mode=merge_mode, **declared_apart(others))


@behaviour("keras.layers.Bidirectional.__call__")
def call_bidirectional(
    ctx: Context, self: Ref, inputs: Value = NONE, initial_state: Value = NONE, **others: Value
) -> Value:
    given = taken(ctx, self, inputs)
    layer = ctx.get(self, "layer") or NONE
    keywords = {}
    states = items_of(ctx.freeze(initial_state))
    if states and len(states) % 2 == 0:
        keywords["initial_state"] = Seq("list", states[: len(states) // 2])
    result = _merged(ctx, ctx.get(self, "merge_mode") or NONE, ctx.freeze(ctx.call(layer, [given], keywords)))
    if isinstance(layer, Ref) and layer.cls == "user" and ctx.get(layer, BACKWARDS) == Const(False):
        ctx.set(layer, BACKWARDS, Const(True))  # the other direction is a layer of the same configuration
        ctx.call(layer, [given])
        ctx.set(layer, BACKWARDS, Const(False))
    remember(ctx, self, given, result)
    return result


def _merged(ctx: Context, mode: Value, result: Value) -> Value:
    """Return both directions merged; states are listed one direction after the other."""
    items = items_of(result) if isinstance(result, Seq) else (result,)
    if not items or not isinstance(items[0], Tensor):
        return ctx.lost("result of a wrapped layer")
    output, states = _fresh(items[0]), tuple(_fresh(item) if isinstance(item, Tensor) else item for item in items[1:])
    outputs: tuple[Value, ...] = (output,)
    name = as_str(mode)
    if name == "concat":
        outputs = (output.with_shape(_doubled(output.shape)),)
    elif mode == NONE:
        outputs = (output, output)
    elif name not in ("sum", "mul", "ave"):
        outputs = (output.with_shape(UNRANKED),)
    together = (*outputs, *states, *states)
    return together[0] if len(together) == 1 else Seq("list", together)


def _fresh(tensor: Tensor) -> Tensor:
    return replace(tensor, step=0, output=0)


def _doubled(shape: Shape) -> Shape:
    if shape.tail is None:
        return Shape((*shape.head[:-1], shape.head[-1] * 2)) if shape.head else UNRANKED
    return Shape(shape.head, (*shape.tail[:-1], shape.tail[-1] * 2)) if shape.tail else shape


@behaviour("keras.layers.TimeDistributed")
def time_distributed(ctx: Context, layer: Value = NONE, *rest: Value, **others: Value) -> Value:
    return ctx.new("keras.layers.TimeDistributed", layer=layer, **declared_apart(others))


@behaviour("keras.layers.SpectralNormalization")
def spectral_normalization(ctx: Context, layer: Value = NONE, *rest: Value, **others: Value) -> Value:
    return layer


@behaviour("keras.layers.TimeDistributed.__call__")
def call_time_distributed(ctx: Context, self: Ref, inputs: Value = NONE, **others: Value) -> Value:
    given = taken(ctx, self, inputs)
    if not isinstance(given, Tensor) or (len(given.shape.head) < 2 and given.shape.tail is not None):
        return ctx.lost("input of a TimeDistributed")
    if given.shape.tail is None and len(given.shape.head) < 3:
        said = f"inputs has rank {len(given.shape.head)}, at least 3 is needed"
        ctx.require(ClashKind.RANK, FALSE, said, given)
        return ctx.lost("a call that fails")
    batch, steps, *rest = given.shape.head
    step = Tensor(Shape((batch, *rest), given.shape.tail), given.dtype, given.library)
    result = ctx.freeze(ctx.call(ctx.get(self, "layer") or NONE, [step]))
    result = change(result, lambda tensor: _in_time(tensor, steps))
    remember(ctx, self, given, result)
    return result


def _in_time(tensor: Tensor, steps: Size) -> Tensor:
    """Return one step's result for all steps."""
    shape = tensor.shape
    if not shape.head:
        return _fresh(tensor.with_shape(UNRANKED))
    return _fresh(tensor.with_shape(Shape((shape.head[0], steps, *shape.head[1:]), shape.tail)))
