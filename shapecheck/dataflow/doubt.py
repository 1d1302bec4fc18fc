"""Clashes on paths that a program need not take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from shapecheck.shapes import solve
from shapecheck.shapes.facts import AtLeast, Claim, Facts, Verdict, claim_symbols, facts_of
from shapecheck.values import Choice, Lost, Scalar, Tensor, Value, walk

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_NESTING = 8


@contextmanager
def doubting(t: Tracer, now: Lost, item: Value | None = None) -> Iterator[list[int]]:
    """Tolerates what clashes on some trips of a loop but not on others, in an arm that depends on what the trip is
    about: the program need not take that arm then.  The list is for where the clashes of each trip begin; the loop
    began `now`, and each trip is about an `item`."""
    starts: list[int] = []
    first = len(t.graph.steps)
    try:
        yield starts
    finally:
        if starts and len(t.clashes) > starts[0]:
            _doubt(t, starts, _Since(now.serial, first, _unknowns(t, item)))


@dataclass(frozen=True, slots=True)
class _Since:
    """What belongs to the trips: unknown values younger than a number, later steps, and what is unknown of an item."""

    serial: int
    step: int
    unknowns: frozenset[Value]


def _unknowns(t: Tracer, item: Value | None) -> frozenset[Value]:
    """What is unknown of an item, which may stand for all of them and so be older than the loop."""
    parts = () if item is None else walk(t.context.freeze(item))
    return frozenset(part for part in parts if isinstance(part, (Lost, Scalar)))


def _doubt(t: Tracer, starts: Sequence[int], since: _Since) -> None:
    trips = [t.clashes[start:end] for start, end in pairwise([*starts, len(t.clashes)])]
    always = set.intersection(*({(clash.step.place, clash.kind) for clash in trip} for trip in trips))
    for at, clash in enumerate(t.clashes[starts[0] :], starts[0]):
        if (clash.step.place, clash.kind) in always:
            continue
        if any(_is_newer(t, test, since) for test, _ in clash.guards):
            t.clashes[at] = replace(clash, tolerated=True)


def _is_newer(t: Tracer, condition: Value, since: _Since, depth: int = 0) -> bool:
    """Whether a condition tests anything that belongs to the trips."""
    meaning = t.meanings.get(condition)
    if meaning is not None and depth < MAX_NESTING:
        return any(_is_newer(t, part, since, depth + 1) for part in meaning[1:])
    match condition:
        case Lost(serial=serial) | Scalar(serial=serial):
            return serial > since.serial or condition in since.unknowns
        case Tensor(step=step):
            return step > since.step
        case Choice(options=options):
            return any(_is_newer(t, part, since, depth + 1) for guard, _ in options for part, _ in guard)
    return False


def rests_on_a_test(facts: Facts, claim: Claim) -> bool:
    """Whether a claim cannot hold only since a test bounds a size that was not followed: where another size depends on
    it in a way that was not followed either, no run may take the path with both."""
    lost = {symbol for symbol in claim_symbols(claim) if symbol.kind.is_lost}
    if not lost:
        return False
    others = [fact for fact in facts if not (isinstance(fact, AtLeast) and lost & claim_symbols(fact))]
    return len(others) < len(facts) and solve.decide(facts_of(others), claim) is not Verdict.NEVER
