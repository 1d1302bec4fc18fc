"""Floats where Python counts: as bounds of a range, indices of a list and its repetitions, and bounds of its slices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import end_if_tolerated, require
from shapecheck.domain.values import SliceValue, Value
from shapecheck.models.lang.scalar_checks import is_float
from shapecheck.shapes.facts import FALSE
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def check_counts(t: Tracer, operation: str, counts: Iterable[Value], said: str, place: Place) -> None:
    """State that none of these is a float; in a program that may be for Python 2, a quotient is none."""
    if t.target.dated or t.target.tensorflow == 1 or t.program.is_python2(place):
        return
    floats = [count for count in counts if is_float(count)]
    if floats:
        with t.during(t.add_step("op", operation, floats, {}, place)):
            require(t, ClashKind.NOT_INTEGER, FALSE, said, *floats)
        end_if_tolerated(t, operation, place)


def check_index(t: Tracer, index: Value, place: Place) -> None:
    """State that an index of a sequence is no float, and that the bounds of a slice are none."""
    counts = (index.lower, index.upper, index.step) if isinstance(index, SliceValue) else (index,)
    what = "a bound" if isinstance(index, SliceValue) else "the index"
    check_counts(t, "[]", counts, f"{what} is a float, not an integer", place)
