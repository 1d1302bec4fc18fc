"""What the items of sequences have in common, lists among them included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.domain.join import NOTHING, as_homogeneous, generalise
from shapecheck.domain.values import Choice, HomogeneousSeq, Lost, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MOST_ITEMS = 64


def joined_elements(t: Tracer, a: Value, b: Value) -> Value:
    """Return what an item of either sequence looks like."""
    items = [item for value in (a, b) for item in _items(t.freeze(value, deep=False))]
    if not items:
        return NOTHING
    element = items[0]
    for item in items[1:]:
        element = either(t, element, item)
    return element


def _items(value: Value) -> tuple[Value, ...]:
    if isinstance(value, Seq) and len(value.items) <= MOST_ITEMS:
        return value.items
    if isinstance(value, Choice):
        return tuple(item for _, option in value.options for item in _items(option))
    many = as_homogeneous(value)
    if many is None:
        return (Lost("item of a lost sequence"),)
    return () if many.element == NOTHING else (many.element,)


def either(t: Tracer, a: Value, b: Value) -> Value:
    """One list that stands for two: it holds what either holds."""
    if not (isinstance(a, Ref) and isinstance(b, Ref) and a != b and a.cls == b.cls == "list"):
        return generalise(a, b)
    mine, other = t.contents(a), t.contents(b)
    if not isinstance(mine, (Seq, HomogeneousSeq)) or not isinstance(other, (Seq, HomogeneousSeq)):
        return generalise(a, b)
    t.stands_for_many(a)
    t.set_contents(a, joined(t, mine, other))
    return a


def joined(t: Tracer, a: Seq | HomogeneousSeq, b: Seq | HomogeneousSeq) -> Value:
    """The contents of one sequence that stands for two: item by item where both have as many."""
    if isinstance(a, Seq) and isinstance(b, Seq) and len(a.items) == len(b.items):
        return Seq(a.kind, tuple(either(t, x, y) for x, y in zip(a.items, b.items, strict=True)))
    whole = generalise(a, b)
    return (
        HomogeneousSeq(whole.kind, joined_elements(t, a, b), whole.length)
        if isinstance(whole, HomogeneousSeq)
        else whole
    )
