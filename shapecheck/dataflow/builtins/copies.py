"""Copies of objects: `copy.copy` and `copy.deepcopy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import Args, Named, builtin
from shapecheck.source import Place
from shapecheck.values import Choice, Dict, Many, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("copy.copy")
def copy(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    """Another object with the same attributes, or another container of the same items."""
    if len(args) != 1:
        return t.lost("arguments of copy")
    return _twin(t, args[0]) if isinstance(args[0], Ref) else args[0]


@builtin("copy.deepcopy")
def deepcopy(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    """A copy of everything inside, too; what is held twice is copied once."""
    return _deep(t, args[0], {}) if args else t.lost("arguments of deepcopy")


def _twin(t: Tracer, ref: Ref) -> Ref:
    made = Ref(t.store.address(), ref.cls)
    for name, value in t.store.at(ref.address):
        t.store.set((made.address, name), value)
    return made


def _deep(t: Tracer, value: Value, done: dict[Ref, Ref]) -> Value:
    match value:
        case Ref():
            if value not in done:
                done[value] = made = _twin(t, value)
                for name, inner in t.store.at(made.address):
                    t.store.set((made.address, name), _deep(t, inner, done))
            return done[value]
        case Seq(kind=kind, items=items):
            return Seq(kind, tuple(_deep(t, item, done) for item in items))
        case Many(kind=kind, element=element, length=length):
            return Many(kind, _deep(t, element, done), length)
        case Dict(items=pairs, rest=rest):
            entries = tuple((key, _deep(t, item, done)) for key, item in pairs)
            return Dict(entries, None if rest is None else _deep(t, rest, done))
        case Choice(options=options):
            return Choice(tuple((guard, _deep(t, option, done)) for guard, option in options))
    return value
