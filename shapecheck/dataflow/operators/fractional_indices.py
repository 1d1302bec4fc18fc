"""Floats as indices and bounds of NumPy's arrays: most often, quotients, which are floats since Python 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.domain.values import Seq, SliceValue, Tensor, Value
from shapecheck.models.lang.scalar_checks import is_float
from shapecheck.shapes.facts import FALSE
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def check_fractions(t: Tracer, owner: Tensor, index: Value, place: Place) -> None:
    """Record a float as an index of an array, or as a bound of a slice of it."""
    if owner.library != "np" or owner.role != "tensor" or t.target.dated or t.target.tensorflow == 1:
        return
    if any(map(is_float, _numbers(index))):
        step = t.add_step("op", "[]", [owner, index], {}, place)
        with t.during(step):
            require(t, ClashKind.RANK, FALSE, "a float is no index, even if it is a whole number", owner)


def _numbers(index: Value) -> Iterator[Value]:
    """Return the indices and bounds that a subscript consists of."""
    for part in index.items if isinstance(index, Seq) and index.kind == "tuple" else (index,):
        yield from (part.lower, part.upper, part.step) if isinstance(part, SliceValue) else (part,)
