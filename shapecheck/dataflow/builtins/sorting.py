"""The order of items, by themselves or by what a function gives for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow.paths.truth import truth
from shapecheck.domain.values import FALSE, NONE, Const, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MOST = 32
"""The function that tells the order is called for so many items at most."""


def in_order(t: Tracer, items: Sequence[Value], named: Mapping[str, Value]) -> tuple[Value, ...] | None:
    """Return the items in sorted order if all that they are compared by is known, otherwise None."""
    key, backwards = named.get("key", NONE), truth(t, named.get("reverse", FALSE))
    if backwards is None or (key != NONE and len(items) > MOST):
        return None
    by = [item if key == NONE else t.freeze(t.call_here(key, [item])) for item in items]
    if not all(map(_is_plain, by)):
        return None
    try:
        order = sorted(range(len(items)), key=lambda at: _plain(by[at]), reverse=backwards)
    except TypeError:
        return None
    return tuple(items[at] for at in order)


def _is_plain(value: Value) -> bool:
    """Return whether a value is a constant, or a sequence of constants."""
    return isinstance(value, Const) or (isinstance(value, Seq) and all(map(_is_plain, value.items)))


def _plain(value: Value) -> Any:
    """Return what Python compares in place of a value."""
    match value:
        case Seq(kind=kind, items=items):
            return list(map(_plain, items)) if kind == "list" else tuple(map(_plain, items))
        case Const(value=known):
            return known
    return None
