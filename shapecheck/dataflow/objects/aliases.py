"""Aliases by unknown values: a change of an unknown value may change any object that it may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.opaque_inputs import OpaqueInputs
from shapecheck.domain.values import CONTAINERS, Lost, Ref, Value, walk

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MOST_OBJECTS = 256
REASON = "what was changed under an unknown index"
AnyValue = TypeVar("AnyValue", bound=Value)


def among(t: Tracer, value: AnyValue, sources: Iterable[Value]) -> AnyValue:
    """Return a value that may be any of several, after noting the objects that its lost parts may be."""
    lost = [part for part in walk(value) if isinstance(part, Lost)]
    if lost:
        refs = tuple(dict.fromkeys(ref for source in sources for ref in _objects_in(t, source)))
        if refs:
            known = t.component(Aliases).whole
            known.update({part: refs for part in lost if part not in known})
    return value


def part_of(t: Tracer, value: AnyValue, owner: Value, method: str = "") -> AnyValue:
    """Return a part of an unknown value, after noting the objects that it may be a part or a method of, and the arrays
    that it depends on.
    """
    t.component(OpaqueInputs).derive(value, [owner])
    aliases = t.component(Aliases)
    refs = aliases.whole.get(owner) or aliases.part.get(owner)
    if refs and isinstance(value, Lost):
        aliases.part[value] = refs
        if method:
            aliases.methods[value] = method
            if owner in aliases.whole:
                aliases.whole[value] = refs
    return value


def candidates(t: Tracer, value: Value) -> tuple[Ref, ...]:
    """Return the objects that an unknown value may be, including those reachable from what it may be a part of."""
    aliases = t.component(Aliases)
    if value in aliases.whole:
        return aliases.whole[value]
    return tuple(_reached(t, aliases.part[value])) if value in aliases.part else ()


def havoc_aliases(t: Tracer, value: Value) -> None:
    """Forget the contents of the containers that a changed unknown value may be."""
    for ref in candidates(t, value):
        container = t.container(ref)
        if container is not None:
            t.set_contents(container, t.lost(REASON))


def havoc_attribute(t: Tracer, value: Value, name: str) -> None:
    """Forget an attribute of the objects that an unknown value may be, after it was set on one of them."""
    for ref in candidates(t, value):
        if ref.cls == "user":
            t.heap.set((ref.address, name), t.lost(REASON))


def _objects_in(t: Tracer, value: Value) -> Iterator[Ref]:
    """Yield the objects in a value, or those that a lost one may be."""
    for part in walk(value):
        if isinstance(part, Ref) and _is_mutable(part):
            yield part
        elif isinstance(part, Lost):
            yield from candidates(t, part)


def _reached(t: Tracer, first: Iterable[Ref]) -> list[Ref]:
    """Return the objects that are reachable from these through contents and attributes."""
    found = dict.fromkeys(first)
    for owner in (todo := list(found)):  # extended within the loop
        for _, value in t.heap.at(owner.address):
            refs = (part for part in walk(value) if isinstance(part, Ref) and _is_mutable(part))
            new = [ref for ref in refs if ref not in found][: MOST_OBJECTS - len(found)]
            found |= dict.fromkeys(new)
            todo += new
    return list(found)


def _is_mutable(ref: Ref) -> bool:
    return ref.cls in CONTAINERS or ref.cls == "user"
