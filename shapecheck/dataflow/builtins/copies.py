"""Copies of objects: `copy.copy` and `copy.deepcopy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import Choice, Dict, HomogeneousSeq, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("copy.copy")
def copy(t: Tracer, call: Arguments) -> Value:
    """Another object with the same attributes, or another container of the same items."""
    if len(call.args) != 1:
        return t.lost("arguments of copy")
    return _twin(t, call.args[0]) if isinstance(call.args[0], Ref) else call.args[0]


@builtin("copy.deepcopy")
def deepcopy(t: Tracer, call: Arguments) -> Value:
    """A copy of everything inside, too; what is held twice is copied once."""
    return _deep(t, call.args[0], {}) if call.args else t.lost("arguments of deepcopy")


def _twin(t: Tracer, ref: Ref) -> Ref:
    made = Ref(t.heap.address(), ref.cls)
    for name, value in t.heap.at(ref.address):
        t.heap.set((made.address, name), value)
    return made


def _deep(t: Tracer, value: Value, done: dict[Ref, Ref]) -> Value:
    match value:
        case Ref():
            if value not in done:
                done[value] = made = _twin(t, value)
                for name, inner in t.heap.at(made.address):
                    t.heap.set((made.address, name), _deep(t, inner, done))
            return done[value]
        case Seq(kind=kind, items=items):
            return Seq(kind, tuple(_deep(t, item, done) for item in items))
        case HomogeneousSeq(kind=kind, element=element, length=length):
            return HomogeneousSeq(kind, _deep(t, element, done), length)
        case Dict(items=pairs, rest=rest):
            entries = tuple((key, _deep(t, item, done)) for key, item in pairs)
            return Dict(entries, None if rest is None else _deep(t, rest, done))
        case Choice(options=options):
            return Choice(tuple((guard, _deep(t, option, done)) for guard, option in options))
    return value
