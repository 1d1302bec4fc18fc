"""Where a program ends before its text does, and why: nothing behind such a place is followed.

It keeps what was seen; it does not decide what ends a path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.path import PathEnds
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck import ir

OUT_OF_BUDGET = "a limit was reached"


@dataclass(slots=True)
class Endings:
    """What ended the latest path, and the places where whole modules ended.

    `failures` counts how often an operation failed on a path that no run need take; with `goes_on`, such a path goes on
    behind it.
    """

    found: dict[Place, str] = field(default_factory=dict)
    failures: int = 0
    goes_on: bool = False
    _latest: str = ""

    def note(self, why: str, place: Place | None = None) -> None:
        """Remember what ends the present path, and where."""
        self._latest = why if place is None else f"{why} ({place})"

    def failed(self, name: str, place: Place) -> PathEnds:
        """Return the end of the present path, which no run need take, where an operation fails."""
        self.failures += 1
        self.note(f"{name} fails", place)
        return PathEnds()

    def close(self, at: Place | None, body: Sequence[ir.Stmt]) -> None:
        """Record that a module's statements ended at a place, unless nothing stands behind it."""
        if at is not None and body and body[-1].start >= at.end:
            self.found[at] = self._latest

    def lines(self) -> list[str]:
        """Return a line for each module that ended early."""
        return [f"{place}: {why}" for place, why in self.found.items()]
