"""The last item of an iterable if it differs from the others, as the last batch of a dataset does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.domain.values import NONE, BoundLibraryMethod, Const, HomogeneousSeq, Range, Ref, Seq, Tensor, Value
from shapecheck.shapes.shape import Shape

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

LAST = "__last__"


def last_item(t: Tracer, iterable: Value) -> Value | None:
    """Return the last item, for a program that uses all items; None if it does not differ from the others."""
    distinct = distinct_item(t, iterable)
    return None if distinct is None else _computed(t, distinct)


def distinct_item(t: Tracer, iterable: Value) -> Value | None:
    """Return the item of which more is known than of the others, or None.

    For a library object it is the method that computes the item, so that an unused item is not computed.
    """
    match iterable:
        case Range():
            return last_number(iterable)
        case HomogeneousSeq(distinct_item=distinct):
            return distinct
        case Seq(items=(*_, item)):
            return item
        case Tensor(shape=Shape(head=(_,)), content=Seq(items=(*_, item))):
            return item
        case Ref(cls=cls) if cls not in ("list", "dict", "set", "user"):
            return find_attribute(t, iterable, LAST)
    return None


def _computed(t: Tracer, distinct: Value) -> Value | None:
    """Return the item, computed if it is given by a method."""
    if isinstance(distinct, BoundLibraryMethod) and distinct.name == LAST:
        item = t.call_here(distinct, [])
        return None if item == NONE else item
    if isinstance(distinct, Seq):
        items = [_computed(t, item) for item in distinct.items]
        return None if None in items else Seq(distinct.kind, tuple(item for item in items if item is not None))
    return distinct


def last_number(numbers: Range) -> Const | None:
    """Return the last number of a range, if it is known."""
    match numbers:
        case Range(start=int(start), stop=int(stop), step=int(step)) if step and range(start, stop, step):
            return Const(range(start, stop, step)[-1])
    return None
