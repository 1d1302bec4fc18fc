"""What the iterations of a loop make and leave to later ones: containers, and the objects that are in containers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from shapecheck.dataflow.state.heap import Cell, Delta
from shapecheck.domain.values import Ref, Value, walk


@dataclass(slots=True)
class Made:
    """What a loop makes: the addresses after `newest`, the last one that was used before it.

    `objects` are the addresses of objects of the program that containers hold, or other such objects.
    """

    newest: int
    objects: set[int] = field(default_factory=set)

    def holds(self, cell: Cell) -> bool:
        """Return whether a cell is of something that an iteration made and left to later ones."""
        return cell[0] > self.newest and (cell[1] in ("items", "many") or cell[0] in self.objects)

    def note(self, changes: Delta) -> None:
        """Note the objects that the changes of an iteration put into containers."""
        inside: dict[int, list[Value]] = {}
        for (address, key), value in changes.items():
            if value is not None and (key == "items" or address > self.newest):
                inside.setdefault(0 if key == "items" else address, []).append(value)
        todo = inside.get(0, [])
        while todo:
            for address in _objects(todo.pop()):
                if address > self.newest and address in inside and address not in self.objects:
                    self.objects.add(address)
                    todo += inside[address]


def _objects(value: Value) -> Iterator[int]:
    yield from (part.address for part in walk(value) if isinstance(part, Ref) and part.cls == "user")
