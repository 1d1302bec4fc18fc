"""Data sets whose elements cannot be delivered: they raise where a program takes elements, not where it makes them."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Const, Ref, Value, as_str
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.settings import SETTINGS, setting
from shapecheck.shapes.claims import FALSE

FAULT = "_fault"
HAS_FAULTS = "has_faulty_sources"


def note_fault(ctx: Context, dataset: Ref, said: str) -> None:
    """Remember why a data set cannot deliver its elements."""
    ctx.set(dataset, FAULT, Const(said))
    ctx.set(SETTINGS, HAS_FAULTS, TRUE)


def check_source(ctx: Context, dataset: Value) -> None:
    """State that a data set delivers its elements, and those that it is made from."""
    if setting(ctx, HAS_FAULTS) in (None, NONE) or not isinstance(dataset, Ref):
        return
    for source in (dataset, *ctx.sources(dataset)):
        said = as_str(ctx.get(source, FAULT) or NONE)
        if said is not None:
            ctx.require(ClashKind.DECLARED, FALSE, said, dataset)
            return
