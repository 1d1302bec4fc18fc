"""Joins of the items of sequences, including lists among the items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.domain.join import NOTHING, as_homogeneous, generalise
from shapecheck.domain.values import Choice, HomogeneousSeq, Lost, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_ITEMS = 64
MANY = "many"
"""The cell of a container or an object that stands for many."""


@dataclass(slots=True)
class _Joins:
    """The pairs of objects that are being joined, by their addresses."""

    running: set[tuple[int, int]] = field(default_factory=set)


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
    """Return one value that covers both; of two lists, the first becomes a list that stands for both, and so does an
    object that a loop makes in each iteration."""
    if not (isinstance(a, Ref) and isinstance(b, Ref) and a != b and a.cls == b.cls):
        return generalise(a, b)
    if a.cls == "user" and _are_made_in_loop(t, a, b):
        return _joined_object(t, *sorted((a, b), key=lambda ref: ref.address))
    if a.cls != "list":
        return generalise(a, b)
    mine, other = t.contents(a), t.contents(b)
    if not isinstance(mine, (Seq, HomogeneousSeq)) or not isinstance(other, (Seq, HomogeneousSeq)):
        return generalise(a, b)
    t.mark_summary(a)
    t.set_contents(a, joined(t, mine, other))
    return a


def _are_made_in_loop(t: Tracer, a: Ref, b: Ref) -> bool:
    """Return whether two objects of one class were made in the innermost running loop, or one in such a loop before."""
    loops = t.component(RunningLoops).loops
    first, last = sorted((a.address, b.address))
    is_new = bool(loops) and last > loops[-1].newest
    is_new = is_new and (first > loops[-1].newest or t.heap.get((first, MANY)) is not None)
    return is_new and t.heap.get((a.address, "__class__")) == t.heap.get((b.address, "__class__")) is not None


def _joined_object(t: Tracer, a: Ref, b: Ref) -> Value:
    """Return the first of two objects, as one that stands for both; their attributes may refer to them."""
    pair, running = (a.address, b.address), t.component(_Joins).running
    if pair in running:
        return a
    running.add(pair)
    try:
        _join_attributes(t, a, b)
    finally:
        running.discard(pair)
    return a


def _join_attributes(t: Tracer, a: Ref, b: Ref) -> None:
    """Give the first of two objects attributes that stand for those of both."""
    names = {name: None for ref in (a, b) for name, _ in t.heap.at(ref.address) if name != MANY}
    mine = {name: t.heap.get((a.address, name)) for name in names}
    t.heap.set((a.address, MANY), a)
    for name, before in mine.items():
        other = t.heap.get((b.address, name))
        if before is not None and other is not None:
            t.heap.set((a.address, name), before if before == other else either(t, before, other))
        else:
            t.heap.set((a.address, name), t.lost("attribute that only some objects have"))


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
