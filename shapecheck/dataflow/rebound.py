"""Variables of a module and attributes that change: whoever calls a function may do so before or after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shapecheck.dataflow.join import alike
from shapecheck.dataflow.store import Cell
from shapecheck.values import NONE, Const, Int, Ref, Seq, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

REASON = "variable that has had other values"
HELD = (Const, Int, Ref, Seq, Tensor)


def note_rebound(t: Tracer, cell: Cell, value: Value) -> None:
    """Remembers that a variable of a module gets another value, and which functions were defined by then."""
    before = t.store.get(cell)
    if before is not None and isinstance(before, HELD) and not alike(before, value):
        t.rebound.setdefault(cell[0], {})[cell] = len(t.definitions)


def note_reset(t: Tracer, cell: Cell, value: Value) -> None:
    """Remembers that a method that nobody called gives an attribute another value than it has."""
    if t.free and t.store.get(cell) != NONE:
        note_rebound(t, cell, value)


def settle(t: Tracer, made: Ref) -> None:
    """What the constructor of an object does to it comes before all else."""
    t.rebound.pop(made.address, None)


def forget_reset(t: Tracer, made: Ref) -> None:
    """Makes unknown what has had several values since an object was made: a method may be called between any two."""
    for cell in t.rebound.get(made.address, ()):
        t.store.set(cell, t.lost(REASON))


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
