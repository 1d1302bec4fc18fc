"""The state of a path of control: what is known on it, which branches it took, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shapecheck.dataflow.state.heap import Delta
from shapecheck.domain.values import Guard, Value
from shapecheck.shapes.facts import EMPTY, Claim, Facts


class PathEnds(Exception):
    """The expression being evaluated raises on every path, so that control never comes further."""


@dataclass(frozen=True, slots=True)
class PathState:
    """The facts of a path and the guards under which it runs; forking a path is keeping its state."""

    facts: Facts = EMPTY
    guards: Mapping[Value, bool] = field(default_factory=dict)

    def is_consistent(self, guard: Guard) -> bool:
        """Return whether no condition of a guard has come out otherwise on this path."""
        guards = self.guards
        return all(guards.get(condition, truth) is truth for condition, truth in guard)

    def taking(self, condition: Value, side: bool) -> PathState:
        """Return the path that takes one side of a condition."""
        return PathState(self.facts, {**self.guards, condition: side})

    def learning(self, claim: Claim) -> PathState:
        """Return the path on which a claim holds, too."""
        return PathState(self.facts.add(claim), self.guards)


@dataclass(slots=True)
class Exit:
    """A way out of a function, loop or try block: what changed since its start, and the path that leads there."""

    delta: Delta
    value: Value
    path: PathState
