"""What the iterations of a loop make and leave to later ones: containers, and the objects that are in containers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from shapecheck.dataflow.state.heap import Cell, Delta, step_of
from shapecheck.domain.values import Ref, Value, walk


@dataclass(slots=True)
class Made:
    """What a loop makes: the addresses after `newest`, the last one that was used before it, and steps after `step`.

    `objects` are the addresses of objects of the program that containers hold, or other such objects.
    """

    newest: int
    step: int
    objects: set[int] = field(default_factory=set)

    def holds(self, cell: Cell) -> bool:
        """Return whether a cell is of something that an iteration made and left to later ones."""
        address, key = cell
        if address == 0:
            return step_of(cell) > self.step  # the shape that a tensor was given in place
        return address > self.newest and (key in ("items", "many") or address in self.objects)

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
