"""Escape: values passed to code that is not analysed, which may call functions and layers now or later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.havoc.havoc import Havoc
from shapecheck.dataflow.havoc.uninitialized import REASON, havoc_uninitialized, is_uninitialized
from shapecheck.dataflow.objects.aliases import candidates
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import (
    CONTAINERS,
    TRUE,
    BoundLibraryMethod,
    Function,
    Lost,
    Method,
    Ref,
    Value,
    walk,
)
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.gradients import TAPE
from shapecheck.models.lang.settings import RECORDED, SETTINGS

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

ESCAPED = "@handed"
"""The attribute that marks a library object as escaped."""
GROWING = "@layers"
"""The attribute with the layers of a model that others may be added to."""

MAX_OBJECTS = 40


def escape(t: Tracer, values: Iterable[Value]) -> None:
    """Havoc the effects of functions among the values, and uninitialized values among them or in their attributes.

    Library objects among the values are marked as escaped.
    """
    for value in values:
        if isinstance(value, Ref) and value.cls == "user":
            havoc_uninitialized(t, value.address)
        elif isinstance(value, Ref) and is_uninitialized(t, value):
            t.set_contents(value, t.lost(REASON))
        elif isinstance(value, Method):
            t.component(Havoc).havoc_call(t, value.function, _objects(t, value.owner))
        elif isinstance(value, Function):
            t.component(Havoc).havoc_call(t, value, [ref for one in _captured(t, value) for ref in _objects(t, one)])
        elif isinstance(value, Ref) and value.cls != "user" and value.cls not in CONTAINERS:
            t.heap.set((value.address, ESCAPED), TRUE)
        elif isinstance(value, Lost):
            escape(t, candidates(t, value))


def escape_tapes(t: Tracer, values: Iterable[Value]) -> None:
    """Mark the gradient tapes that code which is not analysed can reach from values: it may use them."""
    if t.heap.cells.get((SETTINGS.address, RECORDED)) is None:
        return
    found = [part for value in values for part in _held(t, value)]
    for ref in found:  # extended within the loop
        if ref.cls == TAPE:
            t.heap.set((ref.address, ESCAPED), TRUE)
        elif len(found) < MAX_OBJECTS:
            inside = (part for _, value in t.heap.at(ref.address) for part in _held(t, value))
            found += [part for part in inside if part not in found]


def _held(t: Tracer, value: Value) -> Iterator[Ref]:
    """Yield the objects that a value is, or that a function or method of it has at hand."""
    if isinstance(value, Method):
        yield from _held(t, value.owner)
    elif isinstance(value, Function):
        yield from (part for one in _captured(t, value) for part in walk(one) if isinstance(part, Ref))
    elif isinstance(value, BoundLibraryMethod):
        yield from _held(t, value.owner)
    else:
        yield from (part for part in walk(value) if isinstance(part, Ref))


def _captured(t: Tracer, function: Function) -> list[Value]:
    """Return the values of the variables that a function reads from enclosing scopes."""
    definition = t.functions[function.key]
    names = {node.id for node in nodes_in(definition.node.body) if isinstance(node, ir.Name)}
    found: list[Value] = []
    scope: Frame | None = definition.frame
    while scope is not None:
        found += [value for name in sorted(names) if (value := t.heap.get((scope.address, name))) is not None]
        scope = scope.parent
    return found


def _objects(t: Tracer, first: Value) -> list[Ref]:
    """Return the objects of the program that are reachable from a value through attributes."""
    found = [first] if isinstance(first, Ref) and first.cls == "user" else []
    for owner in found:  # extended within the loop
        for _, value in t.heap.at(owner.address):
            if isinstance(value, Ref) and value.cls == "user" and value not in found and len(found) < MAX_OBJECTS:
                found.append(value)
    return found


def hand_over_grown(t: Tracer) -> None:
    """Note which earlier models a function traced on its own gave layers: others may have been called before it."""
    for (address, name), before in t.heap.before(0).items():
        if name == GROWING and before is not None:
            t.heap.set((address, ESCAPED), TRUE)
