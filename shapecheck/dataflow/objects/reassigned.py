"""Variables of modules and attributes that are reassigned: a function may be called before or after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.heap import Cell
from shapecheck.domain.join import alike
from shapecheck.domain.values import NONE, Class, Const, Function, Int, Lost, Ref, Seq, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.state.frame import Frame
    from shapecheck.dataflow.tracer import Tracer

REASON = "reassigned variable"
HELD = (Const, Int, Ref, Seq, Tensor)
DEFINED = (Function, Class)
"""What a module defines once more to replace it, before anything runs; the cells of a notebook run in between."""


@dataclass(slots=True, frozen=True)
class Change:
    """How a variable or attribute changed: its first value, and the number of functions defined at that time."""

    before: Value
    defined: int
    is_certain: bool
    """Whether the new value has another shape or is no array, as a computed update of an array does not have."""


@dataclass(slots=True)
class Reassigned:
    """Reassigned variables and attributes by address."""

    cells: dict[int, dict[Cell, Change]] = field(default_factory=dict)


def note_reassigned_variable(t: Tracer, cell: Cell, value: Value, scope: Frame | None = None) -> None:
    """Note that a variable of a module gets another value, and which functions are defined already."""
    before = t.heap.get(cell)
    held = HELD if scope is None or not scope.source.cells else (*HELD, *DEFINED)
    if before is not None and isinstance(before, held) and not alike(before, value):
        changes = t.component(Reassigned).cells.setdefault(cell[0], {})
        earlier = changes.get(cell)
        first = before if earlier is None else earlier.before
        is_certain = (earlier is not None and earlier.is_certain) or _differs(before, value)
        changes[cell] = Change(first, _defined_before(t, value), is_certain)


def _defined_before(t: Tracer, value: Value) -> int:
    """Return how many functions are defined before a value: those of a class are after it."""
    match value:
        case Function(key=key):
            return key if key == len(t.functions) - 1 else len(t.functions)
        case Class(address=address):
            return next((key for key in range(len(t.functions)) if t.functions[key].owner == address), len(t.functions))
    return len(t.functions)


def _differs(before: Value, value: Value) -> bool:
    """Return whether a new value is certainly another one: an array that is updated keeps its shape."""
    if not isinstance(before, Tensor):
        return True
    if not isinstance(value, Tensor):
        return not isinstance(value, Lost)
    old, new = before.shape, value.shape
    if old.rank is None or new.rank is None:
        return False
    pairs = zip(old.sizes, new.sizes, strict=False)
    return old.rank != new.rank or any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)


def note_reassigned_attribute(t: Tracer, cell: Cell, value: Value) -> None:
    """Note that a method traced on its own gives an attribute another value."""
    if t.is_standalone and t.heap.get(cell) != NONE:
        note_reassigned_variable(t, cell, value)


def forget_constructor(t: Tracer, made: Ref) -> None:
    """Forget reassignments by the constructor of an object, which precede everything else."""
    t.component(Reassigned).cells.pop(made.address, None)


def certain_changes(t: Tracer, made: Ref) -> int:
    """Return the number of attributes of an object that certainly have had several values since it was made."""
    return sum(change.is_certain for change in t.component(Reassigned).cells.get(made.address, {}).values())


def undo_uncertain_changes(t: Tracer, made: Ref) -> None:
    """Give attributes of an object their first values again unless they certainly have had others."""
    changes = t.component(Reassigned).cells.get(made.address, {})
    for cell in [cell for cell, change in changes.items() if not change.is_certain]:
        t.heap.set(cell, changes.pop(cell).before)


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
    saved = {cell: t.heap.get(cell) for cell, change in later.items() if change.defined > key}
    for cell in saved:
        t.heap.set(cell, t.lost(REASON))
    try:
        yield
    finally:
        for cell, value in saved.items():
            t.heap.restore(cell, value)
