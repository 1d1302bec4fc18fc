"""Methods that an object does not call, because of what it holds: a network for small pictures, in one for large ones.

Followed on their own, they would meet values that they never meet in the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapecheck import ir
from shapecheck.dataflow.state.frame import Definition
from shapecheck.ir.walk import nodes_in


class UnreachedMethods:
    """The arms that known tests of objects left out: which methods are called there, and what the tests look at."""

    def __init__(self) -> None:
        self._looked_at: dict[tuple[int, str], set[str]] = {}
        self._seen: set[int] = set()

    def note(self, owner: int | None, test: ir.Expr, arm: Sequence[ir.Stmt]) -> None:
        """A method of a class leaves out an arm."""
        if owner is None or not arm or id(arm[0]) in self._seen:
            return
        self._seen.add(id(arm[0]))
        attributes = set(_own_attributes(test))
        for name in _own_calls(arm) if attributes else ():
            self._looked_at.setdefault((owner, name), set()).update(attributes)

    def leaves_out(self, definition: Definition) -> bool:
        """Whether a method was left out by a test of something that it works with itself."""
        node, owner = definition.node, definition.owner
        if owner is None or not isinstance(node, ir.FunctionDef):
            return False
        looked_at = self._looked_at.get((owner, node.name))
        return looked_at is not None and not looked_at.isdisjoint(_own_attributes(node.body))


def _own_attributes(part: object) -> Iterator[str]:
    for node in nodes_in(part):
        if isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.value.id == "self":
            yield node.name


def _own_calls(part: object) -> Iterator[str]:
    for node in nodes_in(part):
        if isinstance(node, ir.Call):
            yield from _own_attributes(node.func)
