"""Operations that XLA does not compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import Tensor, Value
from shapecheck.models.lang.packs import OF_GRAPHS
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import FALSE

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def check_compiled(t: Tracer, name: str, given: Arguments) -> None:
    """Refuse an operation in a function that XLA compiles."""
    if has(name, "has no XLA kernel"):
        require(t, ClashKind.XLA, FALSE, "XLA does not compile this operation")
        raise PathEnds
    text = None if has(name, "describes") else next(filter(_holds_texts, given.values), None)
    if text is not None:
        require(t, ClashKind.XLA, FALSE, "XLA does not compile operations on strings", text)
        raise PathEnds


def _holds_texts(value: Value) -> bool:
    return isinstance(value, Tensor) and value.dtype == "string" and value.library == OF_GRAPHS
