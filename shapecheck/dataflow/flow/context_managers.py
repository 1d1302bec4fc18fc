"""Context managers of the program: their state within the body of a `with` statement and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import CONTAINERS, NONE, HomogeneousSeq, Ref, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(frozen=True, slots=True)
class Entered:
    """A manager whose body is running: the cells set by entering it, with their values in the body and after it.

    `returns` and `yields` are the numbers of those before the body.
    """

    manager: Value
    cells: dict[Cell, tuple[Value, Value | None]]
    returns: int
    yields: int


def enter(t: Tracer, manager: Value, mark: int, newest: int, frame: Frame) -> Entered:
    """Set the state of the body, and return what leaving it will need.

    A generator has been traced to its end, so the values that it had set before its `yield` are not known. The values
    set by `__enter__` are known, but `__exit__` may reset them.
    """
    changed = {cell: value for cell, value in t.heap.since(mark).items() if _existed_before(cell, newest)}
    cells: dict[Cell, tuple[Value, Value | None]] = {}
    if isinstance(manager, HomogeneousSeq) and manager.kind == "generator":
        for cell, value in changed.items():
            within = t.lost("state set by a generator context manager")
            t.heap.set(cell, within)
            cells[cell] = within, value
    elif isinstance(manager, Ref) and manager.cls == "user" and find_attribute(t, manager, "__exit__") is not None:
        reset = t.lost("state that __exit__ may have reset")
        cells = {cell: (value, reset) for cell, value in changed.items() if value is not None}
    return Entered(manager, cells, len(frame.returns), len(frame.yields))


def leave(t: Tracer, entered: Entered, frame: Frame, *, alive: bool) -> None:
    """Set the state after the body, also on paths that leave it by `return`: unchanged cells get their later values."""
    for exit_ in frame.returns[entered.returns :]:
        for cell, (within, after) in entered.cells.items():
            if exit_.delta.get(cell) == within:
                exit_.delta[cell] = after
    if not alive:
        return
    if isinstance(entered.manager, HomogeneousSeq):
        for cell, (within, after) in entered.cells.items():
            if t.heap.get(cell) == within:
                t.heap.restore(cell, after)
    elif isinstance(entered.manager, Ref) and _is_left(entered, frame):
        method = find_attribute(t, entered.manager, "__exit__")
        try:
            if method is not None:
                t.call_here(method, [NONE, NONE, NONE])
        except PathEnds:
            pass


def _is_left(entered: Entered, frame: Frame) -> bool:
    """Return whether leaving a manager is traced; one of a library may still be entered while a generator waits."""
    cls = entered.manager.cls if isinstance(entered.manager, Ref) else ""
    return cls == "user" or (cls not in CONTAINERS and len(frame.yields) == entered.yields)


def _existed_before(cell: Cell, newest: int) -> bool:
    """Return whether a cell belongs to an object that existed before the manager was entered."""
    return 0 < cell[0] <= newest and not isinstance(cell[1], tuple)
