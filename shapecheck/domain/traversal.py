"""The traversal with which values are rebuilt: their direct parts are replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shapecheck.domain.values import Choice, Dict, HomogeneousSeq, Seq, SliceValue, Value


def map_children(value: Value, change: Callable[[Value], Value]) -> Value:
    """Return the value with each direct part changed, or the same object if no part is different.

    The parts are items, the common element, entries of a dict (not its keys), bounds of a slice and alternatives. The
    content of a tensor is not a part of it.
    """
    match value:
        case Seq(kind=kind, items=items):
            changed = tuple(map(change, items))
            return value if _are_same(items, changed) else Seq(kind, changed)
        case HomogeneousSeq():
            return _with_items(value, change)
        case Dict(items=pairs, rest=rest):
            known = tuple((key, change(item)) for key, item in pairs)
            others = None if rest is None else change(rest)
            same = others is rest and all(old is new for (_, old), (_, new) in zip(pairs, known, strict=True))
            return value if same else Dict(known, others)
        case SliceValue(lower=lower, upper=upper, step=step):
            return SliceValue(change(lower), change(upper), change(step))
        case Choice(options=options):
            return Choice(tuple((guard, change(option)) for guard, option in options))
    return value


def _with_items(value: HomogeneousSeq, change: Callable[[Value], Value]) -> HomogeneousSeq:
    """Return a sequence with its known items and its common element changed."""
    element = change(value.element)
    items = None if value.items is None else tuple(map(change, value.items))
    first = None if value.first is None else change(value.first)
    distinct = None if value.distinct_item is None else change(value.distinct_item)
    ends = tuple(map(change, value.ends))
    is_same = element is value.element and first is value.first and distinct is value.distinct_item
    if is_same and _are_same(value.items or (), items or ()) and _are_same(value.ends, ends):
        return value
    return replace(value, element=element, items=items, first=first, distinct_item=distinct, ends=ends)


def _are_same(before: tuple[Value, ...], after: tuple[Value, ...]) -> bool:
    """Return whether two tuples hold identical objects."""
    return all(old is new for old, new in zip(before, after, strict=True))
