"""The state of a path of control: its facts, its guards, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from shapecheck.dataflow.state.heap import Delta
from shapecheck.domain.values import Guard, Value
from shapecheck.plain_data import dataclass
from shapecheck.shapes.facts import EMPTY, Claim, Facts


class PathEnds(Exception):
    """The expression being evaluated raises on every path, so that control never continues."""


@dataclass(frozen=True, slots=True)
class PathState:
    """The facts of a path and the guards under which it runs. Forking a path means keeping its state."""

    facts: Facts = EMPTY
    guards: Mapping[Value, bool] = field(default_factory=dict)

    def is_consistent(self, guard: Guard) -> bool:
        """Return whether no condition of a guard has the other truth value on this path."""
        guards = self.guards
        return all(guards.get(condition, truth) is truth for condition, truth in guard)

    def taking(self, condition: Value, side: bool) -> PathState:
        """Return the path that takes one side of a condition."""
        return PathState(self.facts, {**self.guards, condition: side})

    def learning(self, claim: Claim) -> PathState:
        """Return the path on which a claim holds as well."""
        return PathState(self.facts.add(claim), self.guards)


@dataclass(slots=True)
class Exit:
    """An exit from a function, loop or try block: the changes since its start, its value, and its path."""

    delta: Delta
    value: Value
    path: PathState
