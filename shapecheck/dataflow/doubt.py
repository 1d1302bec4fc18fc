"""Clashes on paths that a program need not take."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.values import Choice, Lost, Scalar, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_NESTING = 8


def doubt_first_trip(t: Tracer, start: int, end: int, now: Lost) -> None:
    """Tolerates what clashes on the first trip of a loop alone, in an arm that depends on what the trip is about: the
    program need not take that arm first.  The trip's clashes stand from `start` to `end`; `now` is when it began."""
    again = {(clash.step.place, clash.kind) for clash in t.clashes[end:]}
    for at, clash in enumerate(t.clashes[start:end], start):
        if (clash.step.place, clash.kind) not in again and any(_is_newer(t, test, now, 0) for test, _ in clash.guards):
            t.clashes[at] = replace(clash, tolerated=True)


def _is_newer(t: Tracer, condition: Value, now: Lost, depth: int) -> bool:
    """Whether a condition tests anything that came into being after a moment."""
    meaning = t.meanings.get(condition)
    if meaning is not None and depth < MAX_NESTING:
        return any(_is_newer(t, part, now, depth + 1) for part in meaning[1:])
    match condition:
        case Lost(serial=serial) | Scalar(serial=serial):
            return serial > now.serial
        case Choice(options=options):
            return any(_is_newer(t, part, now, depth + 1) for guard, _ in options for part, _ in guard)
    return False
