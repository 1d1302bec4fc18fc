"""What a call read of the heap, and whether a later call would read the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.heap import GRAPH, Cell, is_about, symbol_of
from shapecheck.domain.correspondence import PLAIN, Correspondence, Unlike
from shapecheck.domain.values import Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(slots=True, eq=False)
class Reads:
    """What a call read of an address, before it changed it.

    While the `last_change` of that address is the same, all its cells are; None where this does not tell, since the
    call changed them. `varying` are the values in them but for constants.
    """

    address: int
    cells: list[tuple[Cell, Value | None]]
    last_change: int | None
    varying: tuple[Value, ...]

    def match(self, t: Tracer, relation: Correspondence) -> None:
        """Extend a relation by what corresponds to these cells; raises Unlike if they have other values."""
        is_unchanged = self.last_change == t.heap.last_change(self.address)
        if is_unchanged and relation.addresses.get(self.address, self.address) == self.address:
            t.heap.read_again(self.cells)
            for varying in self.varying:
                relation.match(varying, varying)
            return
        for cell, value in self.cells:
            there = related(relation, cell)
            if is_of_graph(cell) and there != cell:
                raise Unlike
            relation.match(value, t.heap.read(there))


def is_of_graph(cell: Cell) -> bool:
    """Return whether a cell stands for the operation that made an array; others may be different ones."""
    match cell:
        case (0, (_, _, what)):
            return bool(what == GRAPH)
    return False


def grouped(t: Tracer, reads: Iterable[tuple[Cell, Value | None]], since: int) -> list[Reads]:
    """Return what was read of each address, by a call before which the heap had been changed so often; what was read
    about arrays and symbols comes last, when all are known that correspond."""
    groups: dict[int, list[tuple[Cell, Value | None]]] = {}
    about: list[tuple[Cell, Value | None]] = []
    for cell, value in reads:
        group = about if is_about(cell) else groups.setdefault(cell[0], [])
        group.append((cell, value))
    found = [_of_address(t, address, cells, since) for address, cells in groups.items()]
    return [*found, _of_address(t, 0, about, since)] if about else found


def _of_address(t: Tracer, address: int, cells: list[tuple[Cell, Value | None]], since: int) -> Reads:
    last = t.heap.last_change(address)
    varying = dict.fromkeys(value for _, value in cells if value is not None and not isinstance(value, PLAIN))
    return Reads(address, cells, last if address and last <= since else None, tuple(varying))


def related(relation: Correspondence, cell: Cell) -> Cell:
    """Return the cell that stands for one of an earlier call."""
    address, key = cell
    if not isinstance(key, tuple) or not is_about(cell):
        return relation.addresses.get(address, address), key
    symbol = symbol_of(cell)
    about = relation.arrays.get(key[:2], key[:2]) if symbol is None else (relation.symbols.get(symbol, symbol),)
    return address, (*about, *key[len(about) :])
