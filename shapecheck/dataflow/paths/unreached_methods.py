"""Methods that an object never calls because of its state, as a network for small images in one for large ones.

Traced on their own, they would use values that they never have in the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapecheck import ir
from shapecheck.dataflow.state.frame import Definition
from shapecheck.ir.walk import nodes_in


class UnreachedMethods:
    """The untaken branches of known tests: the methods called there, and the attributes that the tests read."""

    def __init__(self) -> None:
        self._tested_attributes: dict[tuple[int, str], set[str]] = {}
        self._seen: set[int] = set()

    def note(self, owner: int | None, test: ir.Expr, arm: Sequence[ir.Stmt]) -> None:
        """Note a branch that a method of a class does not take."""
        if owner is None or not arm or id(arm[0]) in self._seen:
            return
        self._seen.add(id(arm[0]))
        attributes = set(_own_attributes(test))
        for name in _own_calls(arm) if attributes else ():
            self._tested_attributes.setdefault((owner, name), set()).update(attributes)

    def is_unreached(self, definition: Definition) -> bool:
        """Return whether a method is called only in an untaken branch, and uses what the test reads."""
        node, owner = definition.node, definition.owner
        if owner is None or not isinstance(node, ir.FunctionDef):
            return False
        tested = self._tested_attributes.get((owner, node.name))
        return tested is not None and not tested.isdisjoint(_own_attributes(node.body))


def _own_attributes(part: object) -> Iterator[str]:
    """Yield the attributes of `self` that are read."""
    for node in nodes_in(part):
        if isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.value.id == "self":
            yield node.name


def _own_calls(part: object) -> Iterator[str]:
    """Yield the methods of `self` that are called."""
    for node in nodes_in(part):
        if isinstance(node, ir.Call):
            yield from _own_attributes(node.func)
