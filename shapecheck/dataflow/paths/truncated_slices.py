"""Slices that may end before their upper bound, as the last batch of an array does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.shapes.size import Size, symbols
from shapecheck.shapes.symbol import Symbol

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(slots=True)
class TruncatedSlices:
    """The counters by which slices may end before their bounds, and indices lie beyond them."""

    symbols: set[Symbol] = field(default_factory=set)


def may_be_truncated(t: Tracer, counter: Size) -> bool:
    """Return whether a slice that depends on a counter may have been cut off at the end of an array."""
    return not t.component(TruncatedSlices).symbols.isdisjoint(symbols(counter))
