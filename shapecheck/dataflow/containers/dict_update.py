"""What new entries make of a mapping."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shapecheck.dataflow.containers.item_join import either
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

_TOLD_APART = (Const, Tensor, Ref, Library, Class, Function, BoundLibraryMethod, ModuleValue)
EMPTY = Dict(())
_ANY = Lost("any key")


def updated(t: Tracer, entries: Iterable[tuple[Value, Value]], mapping: Dict = EMPTY) -> Dict:
    """A mapping after entries were put in.  Keys that are not followed cannot be told apart, however equal they look:
    what they stand for is among the rest, and may have taken the place of any entry."""
    named, rest = dict(mapping.items), mapping.rest
    for key, value in entries:
        if is_distinct_key(key):
            named[key] = value
        else:
            rest = value if rest is None else either(t, rest, value)
            named = {name: either(t, known, value) for name, known in named.items()}
    return Dict(tuple(named.items()), rest)


def merged(t: Tracer, mapping: Dict, more: Dict) -> Dict:
    """Two mappings in one; what the second has beside its entries may be what the first has named."""
    whole = mapping if more.rest is None else updated(t, [(_ANY, more.rest)], mapping)
    return updated(t, more.items, whole)


def is_distinct_key(key: Value) -> bool:
    """Whether it is known of any other key if that is the same one."""
    return all(map(is_distinct_key, key.items)) if isinstance(key, Seq) else isinstance(key, _TOLD_APART)
