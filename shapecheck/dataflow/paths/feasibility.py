"""Feasibility: clashes on paths that a program may never take."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.dataflow.state.opaque_inputs import OpaqueInputs
from shapecheck.domain.join import DIFFERENT
from shapecheck.domain.values import (
    PARAMETER,
    Choice,
    Const,
    Int,
    Library,
    Lost,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_sizes,
    walk,
)
from shapecheck.shapes import solve
from shapecheck.shapes.facts import AtLeast, Claim, Facts, Verdict, claim_symbols, facts_of
from shapecheck.shapes.size import is_lost
from shapecheck.shapes.symbol import Symbol

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer
    from shapecheck.source import Place


HAVOC = "state that a call not analysed may have changed"
IDLE = "call with uninformative arguments"
TOO_DEEP = "recursion or very deep calls"
REPEATED = "changes in a loop that was not followed to the end"
NOT_GIVEN = "argument that may not be given"
UNFOLLOWED = frozenset({HAVOC, IDLE, TOO_DEEP, REPEATED, DIFFERENT, NOT_GIVEN})
"""Reasons of values that the program knows: a larger budget would have followed most of them."""
REPETITIVE = frozenset({ClashKind.TRACE_EFFECT, ClashKind.TRACE_VALUE})
"""Patterns that the first of several calls cannot have."""
OF_RANKS = frozenset({ClashKind.RANK, ClashKind.AXIS_RANGE, ClashKind.INDEX_RANGE, ClashKind.UNPACK})
"""Demands of a number of axes, or of items."""
OF_NUMBERS = frozenset({ClashKind.NEGATIVE_SIZE, ClashKind.VALUE_RANGE, ClashKind.INDEX_RANGE, ClashKind.ELEMENTS})
"""Demands of numbers, which a graph may only know at run time."""


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A loop over a range that may be empty, the ends of that as text, and the numbers of the clashes in the loop."""

    place: Place
    ends: str
    clashes: range


@dataclass(slots=True)
class Feasibility:
    """The knowledge about values that decides whether a path is feasible.

    `unknown_class_tests` test whether a value is an instance of a class, where the value or the class is known to the
    program alone. `rank_dependent` are results lost because the rank of an array is unknown, and `ranks` are the
    symbols of such ranks. `raising_otherwise` are conditions whose other side raises, `choosing` those that may tell
    which function is called. `decided` are those whose other side ends the program: not branches, but expectations of
    the program. `open_loops` are the loops over ranges whose ends were not followed. `of_instances` are the guards
    that the constructor of a class, by its address, demands of the arguments of the instance whose methods are traced.
    `occasional` are the places where clashes were tolerated that some iterations have, and their kinds: a loop that is
    traced again for one iteration does not tell.
    """

    unknown_class_tests: set[Value] = field(default_factory=set)
    rank_dependent: set[Value] = field(default_factory=set)
    ranks: set[Symbol] = field(default_factory=set)
    raising_otherwise: set[Value] = field(default_factory=set)
    choosing: set[Value] = field(default_factory=set)
    decided: set[Value] = field(default_factory=set)
    open_loops: list[OpenLoop] = field(default_factory=list)
    of_instances: dict[int, Mapping[Value, bool]] = field(default_factory=dict)
    occasional: set[tuple[Place, ClashKind]] = field(default_factory=set)


@contextmanager
def tolerate_occasional_clashes(t: Tracer, start: Lost, item: Value | None = None) -> Iterator[list[int]]:
    """Tolerate clashes that some iterations have and others do not, in branches that depend on the item, and in loops
    over a range that is another one in each iteration, and may be empty.

    The program need not take such a branch. Nor need the first iteration of a loop that counts take one that tests a
    number which is not followed, as that of the last items: values from before the loop may be replaced by then. The
    caller appends the number of clashes at the start of each iteration to the list. `start` is a lost value as old as
    the loop, and `item` covers the items.
    """
    starts: list[int] = []
    first, loops = len(t.graph.steps), t.component(Feasibility).open_loops
    outer = frozenset(t.path.guards)
    before = len(loops)
    try:
        yield starts
    finally:
        if starts and len(t.clashes) > starts[0]:
            open_clashes = _in_other_ranges(loops[before:])
            since = _LoopStart(start.serial, first, _unknowns(t, item), _counts(t, item), outer)
            _tolerate(t, starts, since, open_clashes)


def _in_other_ranges(loops: Sequence[OpenLoop]) -> frozenset[int]:
    """Return the clashes in loops that have another range each time."""
    ends: dict[Place, set[str]] = {}
    for loop in loops:
        ends.setdefault(loop.place, set()).add(loop.ends)
    return frozenset(at for loop in loops if len(ends[loop.place]) > 1 for at in loop.clashes)


@dataclass(frozen=True, slots=True)
class _LoopStart:
    """The values that belong to iterations: unknown values and steps that are newer than the loop, and those of an
    item; whether items have numbers; and the guards around the loop."""

    serial: int
    step: int
    unknowns: frozenset[Value]
    counts: bool
    outer: frozenset[Value]


def _unknowns(t: Tracer, item: Value | None) -> frozenset[Value]:
    """Return the unknown values in an item, which may cover all items and be older than the loop."""
    parts = () if item is None else walk(t.freeze(item))
    return frozenset(part for part in parts if isinstance(part, (Lost, Scalar)))


def _counts(t: Tracer, item: Value | None) -> bool:
    """Return whether an item is or has a number."""
    return item is not None and any(isinstance(part, Int) for part in walk(t.freeze(item)))


def _tolerate(t: Tracer, starts: Sequence[int], since: _LoopStart, open_clashes: frozenset[int]) -> None:
    """Mark clashes as tolerated that not all iterations have."""
    iterations = [
        {(clash.step.place, clash.kind) for clash in t.clashes[start:end]}
        for start, end in pairwise([*starts, len(t.clashes)])
    ]
    occasional = t.component(Feasibility).occasional
    always, later = set.intersection(*iterations), {found for rest in iterations[1:] for found in rest}
    for at, clash in enumerate(t.clashes[starts[0] :], starts[0]):
        found = (clash.step.place, clash.kind)
        is_only = len(iterations) == 1 and found in occasional
        if (found in always and not is_only) or clash.kind in REPETITIVE:
            continue
        tests = [test for test, _ in clash.guards]
        is_open = since.counts and found not in later and _test_lost_number(t, set(tests) - since.outer)
        if at in open_clashes or is_open or any(_is_newer(t, test, since) for test in tests):
            occasional.add(found)
            t.clashes[at] = replace(clash, tolerated=True)


def _test_lost_number(t: Tracer, conditions: Iterable[Value]) -> bool:
    """Return whether one of the conditions tests a number that is not followed."""
    parts = (part for condition in conditions for part in _tested(t, condition))
    return any(isinstance(part, Int) and is_lost(part.size) for part in parts)


def _is_newer(t: Tracer, condition: Value, since: _LoopStart) -> bool:
    """Return whether a condition tests a value that belongs to the iterations."""
    for part in _tested(t, condition):
        match part:
            case Lost(serial=serial) | Scalar(serial=serial) if serial > since.serial or part in since.unknowns:
                return True
            case Tensor(step=step) if step > since.step:
                return True
    return False


def _tested(t: Tracer, condition: Value) -> Iterator[Value]:
    """Yield the values that a condition finally tests, and arrays that it asks about on the way."""
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
            or part in t.component(OpaqueInputs).arrays
            or part in t.component(Feasibility).unknown_class_tests
        ):
            yield part
        todo += (value for value in dict.fromkeys(inner) if value not in seen)
        seen.update(dict.fromkeys(inner))


def depends_on_unknown_path(t: Tracer, kind: ClashKind, step: Step) -> bool:
    """Return whether the path depends on something that the program knows and the analysis does not.

    That is a test whose result is known and that a graph makes nevertheless, where numbers fail that it may only know
    at run time; a result that a larger budget would have followed, a result that only the rank of an array determines,
    a test for an unknown class or of what a library has, or the result of an opaque call that was given an array of
    this computation, and may depend on its shape. Where a number of axes fails, it is also a length that was not
    followed: it may be that number. Of a value that is not followed it is not known either that it is None.
    """
    if kind in OF_NUMBERS and any(_is_contradicted(*guard) for guard in t.path.guards.items()):
        return True
    tests = [test for test in t.path.guards if test not in t.component(Feasibility).raising_otherwise]
    tested, ranks = [list(_tested(t, test)) for test in tests], t.component(Feasibility).ranks
    parts = [part for leaves in tested for part in leaves]
    if any(
        isinstance(part, Lost) and (part.reason in UNFOLLOWED or part in t.component(Feasibility).rank_dependent)
        for part in parts
    ):
        return True
    if any(isinstance(part, Int) and not ranks.isdisjoint(part.size.symbols()) for part in parts):
        return True
    if kind in OF_RANKS and any(isinstance(part, Int) and is_lost(part.size) for part in parts):
        return True
    if any(part in t.component(Feasibility).unknown_class_tests for part in parts):
        return True
    if any(_supposes_none(t, test, t.path.guards[test]) for test in tests):
        return True
    if any(_is_of_library(leaves) for leaves in tested):
        return True
    arrays = [array for part in parts for array in t.component(OpaqueInputs).arrays.get(part, ())]
    if any(isinstance(value, Seq) and _is_shape_of(value, arrays) for value in step.args):
        return True
    asked = {(array.step, array.output) for array in arrays if array.step}
    if not asked:
        return False
    steps = t.graph.ancestors([step.id])
    return any((array.step, array.output) in asked for each in steps for _, array in each.operands())


def may_choose(t: Tracer) -> bool:
    """Return whether a test of a value that is not followed may tell which function is called here, or what is passed
    on to it, and note it: its other side does not fail for a call that this one refuses.

    The items of a container, about which a test says nothing certain, are such a value.
    """
    known = t.component(Feasibility)
    tests = t.path.guards.keys() - known.raising_otherwise | t.path.guards.keys() & known.choosing
    is_open = any(isinstance(part, (Lost, Scalar, Ref)) for test in tests for part in _tested(t, test))
    known.choosing |= t.path.guards.keys() if is_open else set()
    return is_open


def expect_guards(t: Tracer, before: Mapping[Value, bool]) -> None:
    """Note that the other side of each guard of the path that is new since before ends the program."""
    feasibility = t.component(Feasibility)
    new = {condition for condition in t.path.guards if condition not in before}
    feasibility.decided |= new
    feasibility.raising_otherwise |= new


def demands(t: Tracer, guards: Mapping[Value, bool], given: Iterable[Value]) -> dict[Value, bool]:
    """Return those guards that test given values, and whose other side ends the program."""
    decided, values = t.component(Feasibility).decided, set(given)
    return {
        condition: side
        for condition, side in guards.items()
        if condition in decided and not values.isdisjoint(_tested(t, condition))
    }


def _supposes_none(t: Tracer, test: Value, side: bool) -> bool:
    """Return whether a path is taken if a value is None that the program passes to it, which is not followed."""
    match t.component(Conditions).meanings.get(test):
        case ("is" | "is not" as op, Lost(reason=reason), Const(value=None)):
            return side is (op == "is") and not reason.startswith(PARAMETER)
    return False


def _is_contradicted(test: Value, side: bool) -> bool:
    """Return whether a tensor has another truth value than on this side of a test of a graph, which has both."""
    content = test.content if isinstance(test, Tensor) else None
    return isinstance(content, Const) and bool(content.value) is not side


def _is_of_library(leaves: Sequence[Value]) -> bool:
    """Return whether a test is of constants and of what a library has, which the program does not choose."""
    names = [leaf.name for leaf in leaves if isinstance(leaf, Library)]
    is_known = all(isinstance(leaf, (Const, Library)) for leaf in leaves)
    return is_known and any(name.split(".")[0] not in sys.stdlib_module_names for name in names)


def _is_shape_of(value: Seq, arrays: Sequence[Tensor]) -> bool:
    """Return whether a shape is that of one of the arrays."""
    sizes = as_sizes(value)
    return any(array.shape.is_ranked and array.shape.sizes == sizes for array in arrays)


def tolerate_unused(t: Tracer, begin: int, place: Place) -> None:
    """Tolerate clashes of values in a staged function if the result is not used, since it is never computed."""
    if not t.stage.is_eager:
        for at, clash in enumerate(t.clashes[begin:], begin):
            if clash.kind is ClashKind.VALUE_RANGE and clash.step.place == place:
                t.clashes[at] = replace(clash, tolerated=True)


def of_rank(t: Tracer, result: Value, operands: Sequence[Value]) -> Value:
    """Return the result of an operation of Python, after noting that it depends on a rank if an operand does."""
    if not t.component(Feasibility).rank_dependent.isdisjoint(operands):
        note_rank(t, result)
    return result


def note_rank(t: Tracer, value: Value) -> None:
    """Note that a value which is not followed depends on the rank of an array."""
    feasibility = t.component(Feasibility)
    if isinstance(value, Lost):
        feasibility.rank_dependent.add(value)
    elif isinstance(value, Int):
        feasibility.ranks |= value.size.symbols()


def is_conditional(t: Tracer, clash: Clash) -> bool:
    """Return whether an operation certainly fails, but only on one of two sides of a test that both continue."""
    expected = t.component(Feasibility).raising_otherwise
    return is_certain(clash) and any(condition not in expected for condition, _ in clash.guards)


def is_certain(clash: Clash) -> bool:
    """Return whether an operation certainly fails, which nothing handles."""
    return clash.verdict is Verdict.NEVER and not clash.tolerated


def depends_on_test(facts: Facts, claim: Claim) -> bool:
    """Return whether a claim cannot hold only because a test bounds a lost size.

    Another size may depend on the lost one in an unknown way, so that the path may be infeasible.
    """
    lost = {symbol for symbol in claim_symbols(claim) if symbol.kind.is_lost}
    if not lost:
        return False
    others = [fact for fact in facts if not (isinstance(fact, AtLeast) and lost & claim_symbols(fact))]
    return len(others) < len(facts) and solve.decide(facts_of(others), claim) is not Verdict.NEVER
