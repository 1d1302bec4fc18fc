"""Context managers of the program: what they set for the body of a `with` statement and take back after it.

It knows when each part of a manager runs, not what a statement is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import NONE, HomogeneousSeq, Ref, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(frozen=True, slots=True)
class Entered:
    """A manager whose body runs: the cells that entering it has set, each with its value in the body and after it."""

    manager: Value
    cells: dict[Cell, tuple[Value, Value | None]]
    returns: int


def enter(t: Tracer, manager: Value, mark: int, newest: int, frame: Frame) -> Entered:
    """What holds in the body: a generator was followed to its end, so what it set in between is not known; what
    `__enter__` has set since the mark is, and may be taken back."""
    changed = {cell: value for cell, value in t.heap.since(mark).items() if _is_state(cell, newest)}
    cells: dict[Cell, tuple[Value, Value | None]] = {}
    if isinstance(manager, HomogeneousSeq) and manager.kind == "generator":
        for cell, value in changed.items():
            inside = t.lost("what a context manager has set meanwhile")
            t.heap.set(cell, inside)
            cells[cell] = inside, value
    elif isinstance(manager, Ref) and manager.cls == "user" and find_attribute(t, manager, "__exit__") is not None:
        taken_back = t.lost("what a context manager may have taken back")
        cells = {cell: (value, taken_back) for cell, value in changed.items() if value is not None}
    return Entered(manager, cells, len(frame.returns))


def leave(t: Tracer, entered: Entered, frame: Frame, *, alive: bool) -> None:
    """After the body: what it left as it found it becomes what it was, also where a `return` has left the body."""
    for way in frame.returns[entered.returns :]:
        for cell, (inside, after) in entered.cells.items():
            if way.delta.get(cell) == inside:
                way.delta[cell] = after
    if not alive:
        return
    if isinstance(entered.manager, HomogeneousSeq):
        for cell, (inside, after) in entered.cells.items():
            if t.heap.get(cell) == inside:
                t.heap.restore(cell, after)
    elif isinstance(entered.manager, Ref) and entered.manager.cls == "user":
        method = find_attribute(t, entered.manager, "__exit__")
        try:
            if method is not None:
                t.call_here(method, [NONE, NONE, NONE])
        except PathEnds:
            pass


def _is_state(cell: Cell, newest: int) -> bool:
    """Whether a cell is of something that was there before, rather than made by entering."""
    return 0 < cell[0] <= newest and not isinstance(cell[1], tuple)
