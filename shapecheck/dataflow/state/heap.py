"""The heap and all variables of a traced program: one table of cells with an undo log.

A cell is (address, key): a variable of a frame, an attribute of an instance, the contents of a list. Forking a path is
`mark`, leaving it is `rollback`, and its changes are the delta between the two. A read is one dict lookup, however deep
the nesting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import TypeAlias

from shapecheck.domain.values import Const, Seq, Tensor, Value
from shapecheck.shapes.size import Symbol

Cell: TypeAlias = tuple[int, Hashable]
Delta: TypeAlias = dict[Cell, Value | None]

Event: TypeAlias = tuple[Cell, Value | None, int]
"""A cell, the value that was read from it, and whether it was read (0), changed (1), or a change was undone (-1)."""
READ, CHANGED, UNDONE = 0, 1, -1
KEYS = object()
"""The key of the cell that stands for all keys of an address."""

AMBIENT: Cell = (0, "state set by enclosing with statements")
GRAPH = "graph"
SETTING: Cell = (0, "data_format")  # set for a whole program, or for one function traced on its own


def cell_about(about: Tensor | Symbol, what: str) -> Cell:
    """Return the cell for something that is known about an array, by its step and output, or about a symbol."""
    return 0, (about.step, about.output, what) if isinstance(about, Tensor) else (about, what)


def is_about(cell: Cell) -> bool:
    """Return whether a cell is about an array or a symbol."""
    return cell[0] == 0 and isinstance(cell[1], tuple)


def is_note(cell: Cell) -> bool:
    """Return whether a cell has more about an array or a symbol than the shape that an array was given in place."""
    match cell:
        case (0, (*_, str())):
            return True
    return False


def symbol_of(cell: Cell) -> Symbol | None:
    """Return the symbol that a cell is about, if any."""
    match cell:
        case (0, (Symbol() as symbol, _)):
            return symbol
    return None


def step_of(cell: Cell) -> int:
    """Return the step of the array that a cell is about, or 0."""
    match cell:
        case (0, (int(step), *_)):
            return step
    return 0


class Heap:
    """Cells and the log of their changes; a cell that was deleted or never set reads as None.

    `events` are the reads and changes since someone began to watch them; None if no one does.
    """

    __slots__ = ("_addresses", "_changed", "_changes", "_keys", "_log", "cells", "events")

    def __init__(self) -> None:
        self.cells: dict[Cell, Value] = {}
        self._log: list[tuple[Cell, Value | None]] = []
        self._keys: defaultdict[int, dict[Hashable, None]] = defaultdict(dict)
        self._addresses = count(1)
        self._changes = 0
        self._changed: dict[int, int] = {}
        self.events: list[Event] | None = None

    def address(self) -> int:
        """Return a new heap address, which is never used twice."""
        return next(self._addresses)

    def get(self, cell: Cell) -> Value | None:
        value = self.cells.get(cell)
        if self.events is not None:
            self.events.append((cell, value, READ))
        return value

    def read(self, cell: Cell) -> Value | None:
        """Return what an event that reads a cell has."""
        if cell[1] is not KEYS:
            return self.get(cell)
        return Seq("tuple", tuple(Const(key) for key, _ in self.at(cell[0])))

    def _note_change(self, cell: Cell) -> None:
        self._changes += 1
        self._changed[cell[0]] = self._changes

    def changes(self) -> int:
        """Return the number of changes so far, each undoing included."""
        return self._changes

    def last_change(self, address: int) -> int:
        """Return after how many changes an address was changed for the last time."""
        return self._changed.get(address, 0)

    def set(self, cell: Cell, value: Value) -> None:
        self._note_change(cell)
        before = self.cells.get(cell)
        if before is None:
            self._keys[cell[0]][cell[1]] = None
        self._log.append((cell, before))
        self.cells[cell] = value
        if self.events is not None:
            self.events.append((cell, None, CHANGED))

    def event(self) -> int:
        """Return the number of events so far."""
        return 0 if self.events is None else len(self.events)

    def note_reads(self, event: int, delta: Delta) -> None:
        """Note that these cells were read after so many events, when they had these values."""
        if self.events is not None:
            self.events[event:event] = [(cell, value, READ) for cell, value in delta.items()]

    def read_again(self, reads: Iterable[tuple[Cell, Value | None]]) -> None:
        """Note that these cells are read, which have these values."""
        if self.events is not None:
            self.events += [(cell, value, READ) for cell, value in reads]

    def note_graph(self, step: int, output: int) -> None:
        """Note that the operation is looked at which made an array, and what is behind that."""
        if self.events is not None and step:
            self.events.append(((0, (step, output, GRAPH)), None, READ))

    def settle(self, cell: Cell, value: Value) -> None:
        """Give a cell the value that it has stood for all along; no rollback undoes this."""
        self._note_change(cell)
        self.cells[cell] = value

    def at(self, address: int) -> list[tuple[Hashable, Value]]:
        """Return all keys that are set at an address, with their values."""
        found = [(key, self.cells.get((address, key))) for key in self._keys.get(address, ())]
        present = [(key, value) for key, value in found if value is not None]
        if self.events is not None:
            self.events.append(((address, KEYS), Seq("tuple", tuple(Const(key) for key, _ in present)), READ))
            self.events += [((address, key), value, READ) for key, value in present]
        return present

    def holders(self, value: Value) -> list[Cell]:
        """Return the cells with this very value, not an equal one."""
        return [cell for cell, held in self.cells.items() if held is value]

    def restore(self, cell: Cell, value: Value | None) -> None:
        """Give a cell its earlier value, if it has another."""
        if value is None:
            self.delete(cell)
        elif self.cells.get(cell) is not value:
            self.set(cell, value)

    def delete(self, cell: Cell) -> None:
        if cell in self.cells:
            self._note_change(cell)
            self._log.append((cell, self.cells.pop(cell)))
            if self.events is not None:
                self.events.append((cell, None, CHANGED))

    def mark(self) -> int:
        """Return a point to roll back to."""
        return len(self._log)

    def since(self, mark: int) -> Delta:
        """Return the changes since the mark, with the present values."""
        return {cell: self.cells.get(cell) for cell, _ in self._log[mark:]}

    def before(self, mark: int) -> Delta:
        """Return the values that all cells changed since the mark had then."""
        return dict(reversed(self._log[mark:]))

    def rollback(self, mark: int) -> None:
        """Undo all changes since the mark."""
        log = self._log
        while len(log) > mark:
            cell, old = log.pop()
            self._note_change(cell)
            if self.events is not None:
                self.events.append((cell, None, UNDONE))
            if old is None:
                self.cells.pop(cell, None)
            else:
                self.cells[cell] = old

    def undo(self, mark: int) -> Delta:
        """Undo all changes since the mark and return them."""
        delta = self.since(mark)
        self.rollback(mark)
        return delta

    def drop(self, address: int, mark: int) -> None:
        """Remove everything that was set at an address since the mark, without a trace in the log."""
        self._log[mark:] = [change for change in self._log[mark:] if change[0][0] != address]
        for key in self._keys.pop(address, ()):
            self.cells.pop((address, key), None)

    def apply(self, delta: Mapping[Cell, Value | None]) -> None:
        """Make the changes of a delta."""
        for cell, value in delta.items():
            if value is None:
                self.delete(cell)
            else:
                self.set(cell, value)

    @contextmanager
    def independently(self) -> Iterator[None]:
        """Keep the changes within the context at every outer rollback: a module is imported once for all paths."""
        outer, self._log = self._log, []
        try:
            yield
        finally:
            self._log = outer

    def forget(self) -> None:
        """Clear the log; no mark taken before may be used afterwards."""
        self._log.clear()
