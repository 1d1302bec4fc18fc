"""Variables of modules and attributes that are reassigned: a function may be called before or after."""

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

REASON = "reassigned variable"
HELD = (Const, Int, Ref, Seq, Tensor)


@dataclass(slots=True)
class Reassigned:
    """Reassigned variables and attributes by address, with the number of functions defined at that time."""

    cells: dict[int, dict[Cell, int]] = field(default_factory=dict)


def note_reassigned_variable(t: Tracer, cell: Cell, value: Value) -> None:
    """Note that a variable of a module gets another value, and which functions are defined already."""
    before = t.heap.get(cell)
    if before is not None and isinstance(before, HELD) and not alike(before, value):
        t.component(Reassigned).cells.setdefault(cell[0], {})[cell] = len(t.functions)


def note_reassigned_attribute(t: Tracer, cell: Cell, value: Value) -> None:
    """Note that a method traced on its own gives an attribute another value."""
    if t.is_standalone and t.heap.get(cell) != NONE:
        note_reassigned_variable(t, cell, value)


def forget_constructor(t: Tracer, made: Ref) -> None:
    """Forget reassignments by the constructor of an object, which precede everything else."""
    t.component(Reassigned).cells.pop(made.address, None)


def havoc_reassigned_attributes(t: Tracer, made: Ref) -> None:
    """Forget attributes that have had several values since the object was made.

    A method may be called between any two assignments.
    """
    for cell in t.component(Reassigned).cells.get(made.address, ()):
        t.heap.set(cell, t.lost(REASON))


@contextmanager
def havoc_reassigned_variables(t: Tracer, key: int) -> Iterator[None]:
    """Make the variables unknown that a module has reassigned since a function was defined, within the context."""
    later = t.component(Reassigned).cells.get(t.functions[key].frame.module, {})
    saved = {cell: t.heap.get(cell) for cell, defined in later.items() if defined > key}
    for cell in saved:
        t.heap.set(cell, t.lost(REASON))
    try:
        yield
    finally:
        for cell, value in saved.items():
            t.heap.restore(cell, value)
