"""The layers that a model consists of, by position and by name."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Lost, Ref, Seq, Tensor, Value, as_str, items_of
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.registry import attribute, behaviour
from shapecheck.models.layers.structure import leaves, tensors
from shapecheck.shapes.size import Kind


def layers_of(ctx: Context, self: Value) -> tuple[Value, ...] | None:
    """Return the layers in order, including the inputs of a functional model; None where they are not known."""
    known = items_of(ctx.get(self, "@layers") or NONE)
    return known if known is not None or ctx.get(self, "@inputs") is None else _chain(ctx, self)


def called_layers(ctx: Context, self: Value) -> list[Ref]:
    """Return the layers that a functional model calls, in no order that Keras guarantees."""
    outputs = [output for output in leaves(ctx.get(self, "@outputs") or NONE) if isinstance(output, Tensor)]
    return [owner for owner, _ in ctx.producers(outputs)] if outputs else []


def _chain(ctx: Context, self: Value) -> tuple[Value, ...] | None:
    """Return the layers of a model in which each takes the output of the one before it."""
    inputs, outputs = (list(leaves(ctx.get(self, name) or NONE)) for name in ("@inputs", "@outputs"))
    if len(inputs) != 1 or len(outputs) != 1 or not isinstance(inputs[0], Tensor):
        return None
    current: Value = inputs[0]
    found: list[Value] = [ctx.new("keras.layers.InputLayer", **{"@input": current, "@output": current})]
    for owner, given in ctx.producers(outputs):
        if not _same(ctx.get(owner, "@input"), current) or len(ctx.results(owner)) != 1:
            return None
        found.append(owner)
        current = given
    return tuple(found) if _same(current, outputs[0]) else None


def _same(a: Value | None, b: Value) -> bool:
    """Return whether two values are the same tensor of the graph."""
    mine, other = [] if a is None else tensors(a), tensors(b)
    return len(mine) == len(other) == 1 and (mine[0].step, mine[0].output) == (other[0].step, other[0].output)


@attribute("keras.Model.layers")
def layers(ctx: Context, self: Value) -> Value:
    known = layers_of(ctx, self)
    if known is not None:
        return Seq("list", known)
    return HomogeneousSeq("list", Lost("layer of a model"), ctx.fresh("?", Kind.LOST, "number of layers"))


@behaviour("keras.Sequential.get_layer", "keras.Model.get_layer")
def get_layer(ctx: Context, self: Value, name: Value = NONE, index: Value = NONE) -> Value:
    known = layers_of(ctx, self)
    if isinstance(index, Const) and isinstance(index.value, int) and known is not None:
        return known[index.value] if -len(known) <= index.value < len(known) else ctx.lost("layer by position")
    wanted = as_str(name)
    every = known if known is not None else called_layers(ctx, self)
    found = [layer for layer in every if wanted is not None and as_str(ctx.get(layer, "name") or NONE) == wanted]
    return found[0] if found else ctx.lost("layer by name")
