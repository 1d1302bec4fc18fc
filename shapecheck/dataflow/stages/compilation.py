"""Operations that XLA does not compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import FALSE

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def check_compiled(t: Tracer, name: str) -> None:
    """Refuse an operation in a function that XLA compiles."""
    if has(name, "has no XLA kernel"):
        require(t, ClashKind.XLA, FALSE, "XLA does not compile this operation")
        raise PathEnds
