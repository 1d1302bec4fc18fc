"""Layers that are given a tensor where they are made, and layers in place of the tensors that they give."""

from __future__ import annotations

from collections.abc import Container

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Library, Ref, Seq, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.layers.structure import is_symbolic
from shapecheck.shapes.facts import FALSE

MODELS = frozenset({"keras.Model", "keras.Sequential"})
TAKES_TENSOR = ("keras.layers.Concatenate", "keras.layers.Softmax")
"""Layers that can be made with a tensor as their first option; it is refused later, where they are used."""


def is_given_tensor(ctx: Context, name: str, *options: Value) -> bool:
    """State that a layer is not made with a symbolic tensor as its first option; return whether it is."""
    if not options or name in TAKES_TENSOR or not is_symbolic(options[0]):
        return False
    said = "a tensor is given where the layer takes an option"
    ctx.require(ClashKind.NOT_CALLED, FALSE, said, options[0])
    return True


def is_given_layer(ctx: Context, layers: Container[str], given: Value) -> bool:
    """State that no layer or class of layers is among what a layer is called with; return whether one is."""
    parts = given.items if isinstance(given, Seq) else (given,)
    known = (_name(part) for part in parts)
    name = next((name for name in known if name in layers or name in MODELS), None)
    if name is None:
        return False
    said = f"{name.rsplit('.', 1)[-1]} is given, a layer, where its output belongs"
    ctx.require(ClashKind.NOT_CALLED, FALSE, said, given)
    return True


def _name(value: Value) -> str:
    if isinstance(value, Ref):
        return value.cls
    return value.name if isinstance(value, Library) else ""
