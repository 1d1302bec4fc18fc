"""What a function gives that is called again and again, as `__next__` of an iterator is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.frame import PathEnds
from shapecheck.dataflow.members import either
from shapecheck.values import Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def repeated(t: Tracer, function: Value, args: Sequence[Value] = ()) -> Value:
    """What any of many calls gives: the first one, or one after calls that have left behind who knows what."""
    mark = t.store.mark()
    first = t.call_now(function, args)
    after = t.store.undo(mark)
    before = {cell: t.store.get(cell) for cell in after}
    t.store.apply(after)
    is_same = True
    for cell, value in after.items():
        old = before[cell]
        if value is not None and old is not None and value != old:
            t.store.set(cell, t.generalise(old, value))
            is_same = False
    if is_same:
        return first
    try:
        return either(t, first, t.call_now(function, args))
    except PathEnds:
        return first
