"""Variables of a module and attributes that change: whoever calls a function may do so before or after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.heap import Cell
from shapecheck.domain.join import alike
from shapecheck.domain.values import NONE, Const, Int, Ref, Seq, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

REASON = "variable that has had other values"
HELD = (Const, Int, Ref, Seq, Tensor)


@dataclass(slots=True)
class Reassigned:
    """Variables of modules and attributes, by address, with the number of functions there were when they changed."""

    cells: dict[int, dict[Cell, int]] = field(default_factory=dict)


def note_reassigned(t: Tracer, cell: Cell, value: Value) -> None:
    """Remembers that a variable of a module gets another value, and which functions were defined by then."""
    before = t.heap.get(cell)
    if before is not None and isinstance(before, HELD) and not alike(before, value):
        t.component(Reassigned).cells.setdefault(cell[0], {})[cell] = len(t.functions)


def note_reset(t: Tracer, cell: Cell, value: Value) -> None:
    """Remembers that a method that nobody called gives an attribute another value than it has."""
    if t.is_standalone and t.heap.get(cell) != NONE:
        note_reassigned(t, cell, value)


def settle(t: Tracer, made: Ref) -> None:
    """What the constructor of an object does to it comes before all else."""
    t.component(Reassigned).cells.pop(made.address, None)


def forget_reset(t: Tracer, made: Ref) -> None:
    """Makes unknown what has had several values since an object was made: a method may be called between any two."""
    for cell in t.component(Reassigned).cells.get(made.address, ()):
        t.heap.set(cell, t.lost(REASON))


@contextmanager
def reassigned_unknown(t: Tracer, key: int) -> Iterator[None]:
    """A function that nobody calls, traced on its own: what its module has bound anew since is not known."""
    later = t.component(Reassigned).cells.get(t.functions[key].frame.module, {})
    held = {cell: t.heap.get(cell) for cell, defined in later.items() if defined > key}
    for cell in held:
        t.heap.set(cell, t.lost(REASON))
    try:
        yield
    finally:
        for cell, value in held.items():
            t.heap.restore(cell, value)
