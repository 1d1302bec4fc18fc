"""Diagnostics of an analysis: lost values, names without a model, internal errors."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field

from shapecheck.source import Place


@dataclass(slots=True)
class Diagnostics:
    """Counts of lost values by reason and of unmodelled names, and one line for each internal error."""

    lost_reasons: Counter[str] = field(default_factory=Counter)
    unmodelled: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def internal_error(self, where: str, place: Place | None, error: Exception) -> None:
        """Record a defect of shapecheck; the analysis continues, unless SHAPECHECK_DEBUG is set."""
        if os.environ.get("SHAPECHECK_DEBUG"):
            raise error
        before = f"{place}: " if place is not None else ""
        self.problems.append(f"{before}internal error in {where}: {type(error).__name__}: {error}")
