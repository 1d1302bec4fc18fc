"""Modules that end early, with the reasons: statements after such a place are not analysed.

This module keeps the places; it does not decide where a path ends.
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
    """The reason why the latest path ended, and the places where whole modules ended.

    `failures` counts operations that failed on a path that the program need not take. With `goes_on`, such a path
    continues after the operation. `has_unfit_call` says that a path ended at a call that does not fit its function:
    what it would have filled stays empty.
    """

    found: dict[Place, str] = field(default_factory=dict)
    failures: int = 0
    goes_on: bool = False
    has_unfit_call: bool = False
    _latest: str = ""

    def note(self, why: str, place: Place | None = None) -> None:
        """Keep the reason why the present path ends, and the place."""
        self._latest = why if place is None else f"{why} ({place})"

    def failed(self, name: str, place: Place) -> PathEnds:
        """Return the end of the present path, which the program need not take, at a failing operation."""
        self.failures += 1
        self.note(f"{name} fails", place)
        return PathEnds()

    def close(self, at: Place | None, body: Sequence[ir.Stmt]) -> None:
        """Record that the statements of a module ended at a place, unless it is their end."""
        if at is not None and body and body[-1].start >= at.end:
            self.found[at] = self._latest

    def lines(self) -> list[str]:
        """Return a line for each module that ended early."""
        return [f"{place}: {why}" if why else str(place) for place, why in self.found.items()]
