"""Clashes on paths that a program need not take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.domain.values import Choice, Lost, Scalar, Seq, Tensor, Value, as_sizes, walk
from shapecheck.models.lang.context import STAGED
from shapecheck.shapes import solve
from shapecheck.shapes.facts import AtLeast, Claim, Facts, Verdict, claim_symbols, facts_of

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer
    from shapecheck.source import Place


HAVOC = "what a call that was not followed may have changed"
IDLE = "call that tells nothing"
TOO_DEEP = "recursion or very deep calls"
UNFOLLOWED = frozenset({HAVOC, IDLE, TOO_DEEP})
"""Why a value is lost that a larger budget would have followed."""


@dataclass(slots=True)
class Feasibility:
    """What tells whether a program need take a path.

    `opaque_call_inputs` are the arrays that calls of which nothing is known were given, by their results;
    `unknown_class_tests` ask whether a Python value is of a class that was not followed; `rank_dependent` are results
    that were lost for an array of unknown rank; `raising_otherwise` are conditions whose other side raises; `decided`
    are those whose other side ends the program: no branch, but what the program expects.
    """

    opaque_call_inputs: dict[Value, tuple[Tensor, ...]] = field(default_factory=dict)
    unknown_class_tests: set[Value] = field(default_factory=set)
    rank_dependent: set[Value] = field(default_factory=set)
    raising_otherwise: set[Value] = field(default_factory=set)
    decided: set[Value] = field(default_factory=set)


@contextmanager
def doubt_iterations(t: Tracer, now: Lost, item: Value | None = None) -> Iterator[list[int]]:
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
    parts = () if item is None else walk(t.freeze(item))
    return frozenset(part for part in parts if isinstance(part, (Lost, Scalar)))


def _doubt(t: Tracer, starts: Sequence[int], since: _Since) -> None:
    trips = [t.clashes[start:end] for start, end in pairwise([*starts, len(t.clashes)])]
    always = set.intersection(*({(clash.step.place, clash.kind) for clash in trip} for trip in trips))
    for at, clash in enumerate(t.clashes[starts[0] :], starts[0]):
        if (clash.step.place, clash.kind) in always:
            continue
        if any(_is_newer(t, test, since) for test, _ in clash.guards):
            t.clashes[at] = replace(clash, tolerated=True)


def _is_newer(t: Tracer, condition: Value, since: _Since) -> bool:
    """Whether a condition tests anything that belongs to the trips."""
    for part in _tested(t, condition):
        match part:
            case Lost(serial=serial) | Scalar(serial=serial) if serial > since.serial or part in since.unknowns:
                return True
            case Tensor(step=step) if step > since.step:
                return True
    return False


def _tested(t: Tracer, condition: Value) -> Iterator[Value]:
    """The values that a condition tests in the end, and what is asked of arrays on the way."""
    seen = {condition: None}
    for part in (todo := [condition]):
        meaning = t.component(Conditions).meanings.get(part)
        if meaning is not None:
            inner: tuple[Value, ...] = meaning[1:]
        elif isinstance(part, Choice):
            inner = tuple(test for guard, option in part.options for test in (*(one for one, _ in guard), option))
        else:
            inner = ()
        if (
            not inner
            or part in t.component(Feasibility).opaque_call_inputs
            or part in t.component(Feasibility).unknown_class_tests
        ):
            yield part
        todo += (value for value in dict.fromkeys(inner) if value not in seen)
        seen.update(dict.fromkeys(inner))


def depends_on_unknown_path(t: Tracer, step: Step) -> bool:
    """Whether the path depends on what the program knows and we do not: what a call gives that a larger budget would
    have followed, what only the rank of an array tells, whether a value that is known belongs to a class that is not,
    or what a call gives that nothing is known of, where it was given an array that the step computes with, and may well
    have asked for its shape."""
    tests = [test for test in t.path.guards if test not in t.component(Feasibility).raising_otherwise]
    parts = [part for test in tests for part in _tested(t, test)]
    if any(
        isinstance(part, Lost) and (part.reason in UNFOLLOWED or part in t.component(Feasibility).rank_dependent)
        for part in parts
    ):
        return True
    if any(part in t.component(Feasibility).unknown_class_tests for part in parts):
        return True
    arrays = [array for part in parts for array in t.component(Feasibility).opaque_call_inputs.get(part, ())]
    if any(isinstance(value, Seq) and _is_shape_of(value, arrays) for value in step.args):
        return True
    asked = {(array.step, array.output) for array in arrays if array.step}
    if not asked:
        return False
    steps = t.graph.ancestors([step.id])
    return any((array.step, array.output) in asked for each in steps for _, array in each.operands())


def _is_shape_of(value: Seq, arrays: Sequence[Tensor]) -> bool:
    """Whether a shape is that of one of the arrays."""
    sizes = as_sizes(value)
    return any(array.shape.is_ranked and array.shape.sizes == sizes for array in arrays)


def tolerate_unused(t: Tracer, begin: int, place: Place) -> None:
    """Tolerates what only computing tells about an operation of a staged function that nobody takes the result of: it
    is never computed."""
    if is_staged(t):
        for at, clash in enumerate(t.clashes[begin:], begin):
            if clash.kind is ClashKind.VALUE_RANGE and clash.step.place == place:
                t.clashes[at] = replace(clash, tolerated=True)


def is_conditional(t: Tracer, clash: Clash) -> bool:
    """Whether an operation certainly fails, but only on one side of a test both sides of which go on."""
    expected = t.component(Feasibility).raising_otherwise
    certain = clash.verdict is Verdict.NEVER and not clash.tolerated
    return certain and any(condition not in expected for condition, _ in clash.guards)


def is_staged(t: Tracer) -> bool:
    """Whether a staged function is being traced, of whose conditions a library traces all branches."""
    return any(t.heap.get((-1 - key, STAGED)) is not None for key in t.call_stack.functions)


def depends_on_test(facts: Facts, claim: Claim) -> bool:
    """Whether a claim cannot hold only since a test bounds a size that was not followed: where another size depends on
    it in a way that was not followed either, no run may take the path with both."""
    lost = {symbol for symbol in claim_symbols(claim) if symbol.kind.is_lost}
    if not lost:
        return False
    others = [fact for fact in facts if not (isinstance(fact, AtLeast) and lost & claim_symbols(fact))]
    return len(others) < len(facts) and solve.decide(facts_of(others), claim) is not Verdict.NEVER
