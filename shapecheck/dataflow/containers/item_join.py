"""Joins of the items of sequences, including lists among the items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.domain.join import NOTHING, as_homogeneous, generalise
from shapecheck.domain.values import Choice, HomogeneousSeq, Lost, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_ITEMS = 64


def joined_elements(t: Tracer, a: Value, b: Value) -> Value:
    """Return a value that covers every item of either sequence."""
    items = [item for value in (a, b) for item in _items(t.freeze(value, deep=False))]
    if not items:
        return NOTHING
    element = items[0]
    for item in items[1:]:
        element = either(t, element, item)
    return element


def _items(value: Value) -> tuple[Value, ...]:
    """Return the items of a frozen sequence, or one that covers all of them."""
    if isinstance(value, Seq) and len(value.items) <= MAX_ITEMS:
        return value.items
    if isinstance(value, Choice):
        return tuple(item for _, option in value.options for item in _items(option))
    sequence = as_homogeneous(value)
    if sequence is None:
        return (Lost("item of a lost sequence"),)
    return () if sequence.element == NOTHING else (sequence.element,)


def either(t: Tracer, a: Value, b: Value) -> Value:
    """Return one value that covers both; of two lists, the first becomes a list that stands for both."""
    if not (isinstance(a, Ref) and isinstance(b, Ref) and a != b and a.cls == b.cls == "list"):
        return generalise(a, b)
    mine, other = t.contents(a), t.contents(b)
    if not isinstance(mine, (Seq, HomogeneousSeq)) or not isinstance(other, (Seq, HomogeneousSeq)):
        return generalise(a, b)
    t.mark_summary(a)
    t.set_contents(a, joined(t, mine, other))
    return a


def joined(t: Tracer, a: Seq | HomogeneousSeq, b: Seq | HomogeneousSeq) -> Value:
    """Return the contents of one sequence that stands for two, item by item if they have the same length."""
    if isinstance(a, Seq) and isinstance(b, Seq) and len(a.items) == len(b.items):
        return Seq(a.kind, tuple(either(t, x, y) for x, y in zip(a.items, b.items, strict=True)))
    whole = generalise(a, b)
    return (
        HomogeneousSeq(whole.kind, joined_elements(t, a, b), whole.length)
        if isinstance(whole, HomogeneousSeq)
        else whole
    )
