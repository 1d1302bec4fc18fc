"""Copies of objects: `copy.copy` and `copy.deepcopy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.attribute_dict import HELD
from shapecheck.domain.values import Choice, Dict, HomogeneousSeq, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("copy.copy")
def copy(t: Tracer, call: Arguments) -> Value:
    """Return a new object with the same attributes, or a new container with the same items."""
    if len(call.args) != 1:
        return t.lost("arguments of copy")
    return _shallow_copy(t, call.args[0]) if isinstance(call.args[0], Ref) else call.args[0]


@builtin("copy.deepcopy")
def deepcopy(t: Tracer, call: Arguments) -> Value:
    """Return a copy of the object and everything inside; an object that occurs twice is copied once."""
    return _deep_copy(t, call.args[0], {}) if call.args else t.lost("arguments of deepcopy")


def _shallow_copy(t: Tracer, ref: Ref) -> Ref:
    """Return a new object with the same attributes and items."""
    copied = _with_same_cells(t, ref)
    held = t.heap.get((ref.address, HELD))
    if isinstance(held, Ref):
        items = _with_same_cells(t, held)
        t.heap.set((items.address, "items"), t.freeze(held, deep=False))  # no longer the attributes, if they were
        t.heap.set((copied.address, HELD), items)
    return copied


def _with_same_cells(t: Tracer, ref: Ref) -> Ref:
    """Return a new object on the heap with the same cells."""
    copied = Ref(t.heap.address(), ref.cls)
    for name, value in t.heap.at(ref.address):
        t.heap.set((copied.address, name), value)
    return copied


def _deep_copy(t: Tracer, value: Value, copies: dict[Ref, Ref]) -> Value:
    """Return a copy of a value and everything inside, given the objects that are copied already."""
    match value:
        case Ref():
            if value not in copies:
                copies[value] = copied = _with_same_cells(t, value)
                for name, inner in t.heap.at(copied.address):
                    t.heap.set((copied.address, name), _deep_copy(t, inner, copies))
            return copies[value]
        case Seq(kind=kind, items=items):
            return Seq(kind, tuple(_deep_copy(t, item, copies) for item in items))
        case HomogeneousSeq(kind=kind, element=element, length=length):
            return HomogeneousSeq(kind, _deep_copy(t, element, copies), length)
        case Dict(items=pairs, rest=rest):
            entries = tuple((key, _deep_copy(t, item, copies)) for key, item in pairs)
            return Dict(entries, None if rest is None else _deep_copy(t, rest, copies))
        case Choice(options=options):
            return Choice(tuple((guard, _deep_copy(t, option, copies)) for guard, option in options))
    return value
