"""Updates of frozen dicts with new entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shapecheck.dataflow.containers.item_join import either
from shapecheck.dataflow.objects.enum_members import key_among
from shapecheck.domain.values import (
    BoundLibraryMethod,
    Class,
    Const,
    Dict,
    Function,
    Library,
    Lost,
    ModuleValue,
    Ref,
    Seq,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_COMPARABLE = (Const, Tensor, Ref, Library, Class, Function, BoundLibraryMethod, ModuleValue)
EMPTY = Dict(())
_ANY_KEY = Lost("any key")


def updated(t: Tracer, entries: Iterable[tuple[Value, Value]], mapping: Dict = EMPTY) -> Dict:
    """Return a dict after new entries were added.

    Keys that are not known may equal each other and any known key, so their values become part of the rest, and may
    have replaced the value of any entry.
    """
    entries_by_key, rest = dict(mapping.items), mapping.rest
    has_objects = any(isinstance(key, Ref) for key in entries_by_key)
    for key, value in entries:
        has_objects = has_objects or isinstance(key, Ref)
        if is_distinct_key(key):
            entries_by_key[key_among(t, entries_by_key, key) if has_objects else key] = value
        else:
            rest = value if rest is None else either(t, rest, value)
            entries_by_key = {name: either(t, known, value) for name, known in entries_by_key.items()}
    return Dict(tuple(entries_by_key.items()), rest)


def merged(t: Tracer, mapping: Dict, more: Dict) -> Dict:
    """Return a dict updated with another; the unknown entries of the second may replace any entry of the first."""
    whole = mapping if more.rest is None else updated(t, [(_ANY_KEY, more.rest)], mapping)
    return updated(t, more.items, whole)


def entry(t: Tracer, mapping: Dict, key: Value) -> Value | None:
    """Return the value of a known key, or None."""
    found = mapping.get(key)
    if found is None and any(isinstance(each, Ref) for each in (key, *(name for name, _ in mapping.items))):
        found = mapping.get(key_among(t, (name for name, _ in mapping.items), key))
    return found


def is_distinct_key(key: Value) -> bool:
    """Return whether it is known of a key which other keys it equals."""
    return all(map(is_distinct_key, key.items)) if isinstance(key, Seq) else isinstance(key, _COMPARABLE)
