"""Clashes on paths that a program need not take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from shapecheck.values import Choice, Lost, Scalar, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_NESTING = 8


@contextmanager
def doubting(t: Tracer, now: Lost) -> Iterator[list[int]]:
    """Tolerates what clashes on some trips of a loop but not on others, in an arm that depends on what the trip is
    about: the program need not take that arm then.  The list is for where the clashes of each trip begin; the loop
    began `now`."""
    starts: list[int] = []
    try:
        yield starts
    finally:
        if starts and len(t.clashes) > starts[0]:
            _doubt(t, starts, now)


def _doubt(t: Tracer, starts: Sequence[int], now: Lost) -> None:
    trips = [t.clashes[start:end] for start, end in pairwise([*starts, len(t.clashes)])]
    always = set.intersection(*({(clash.step.place, clash.kind) for clash in trip} for trip in trips))
    for at, clash in enumerate(t.clashes[starts[0] :], starts[0]):
        if (clash.step.place, clash.kind) not in always and any(_is_newer(t, test, now, 0) for test, _ in clash.guards):
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
