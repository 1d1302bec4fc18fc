"""Variables of a module that change after a function was defined: whoever calls it may do so before or after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shapecheck.dataflow.join import alike
from shapecheck.dataflow.store import Cell
from shapecheck.values import Const, Int, Ref, Seq, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

REASON = "variable that has had other values"


def note_rebound(t: Tracer, cell: Cell, value: Value) -> None:
    """Remembers that a variable of a module gets another value, and which functions were defined by then."""
    before = t.store.get(cell)
    if before is not None and isinstance(before, (Const, Int, Ref, Seq, Tensor)) and not alike(before, value):
        t.rebound.setdefault(cell[0], {})[cell] = len(t.definitions)


@contextmanager
def uncertain(t: Tracer, key: int) -> Iterator[None]:
    """A function that nobody calls, traced on its own: what its module has bound anew since is not known."""
    later = t.rebound.get(t.definitions[key].frame.module, {})
    held = {cell: t.store.get(cell) for cell, defined in later.items() if defined > key}
    for cell in held:
        t.store.set(cell, t.lost(REASON))
    try:
        yield
    finally:
        for cell, value in held.items():
            t.store.restore(cell, value)
