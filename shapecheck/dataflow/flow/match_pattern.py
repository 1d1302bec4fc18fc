"""`match` statements: the cases that a subject can match, and the names that their patterns bind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.flow.branches import branch
from shapecheck.dataflow.objects.variables import bind_name
from shapecheck.dataflow.operators.comparison import compare
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.paths.conditions import condition
from shapecheck.dataflow.paths.narrowing import assume
from shapecheck.dataflow.paths.truth import truth
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import (
    FALSE,
    TRUE,
    Const,
    Dict,
    HomogeneousSeq,
    Int,
    Lost,
    Range,
    Scalar,
    Seq,
    Tensor,
    Value,
    of_size,
)
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def match(t: Tracer, node: ir.Match, frame: Frame) -> bool:
    """Trace the cases in order: one that cannot match is skipped, one that certainly matches is the last."""
    subject = t.evaluate(node.subject, frame)
    place = Place(frame.source, node.start, node.end)
    arms: list[tuple[Value, bool, Callable[[], bool]]] = []
    exhaustive = False
    for case in node.cases:
        test = _pattern_test(t, case, subject, frame, place)
        known = True if case.irrefutable and case.guard is None else truth(t, test)
        if known is False:
            continue
        known = known if case.guard is None else None
        arms.append((test, True, lambda case=case: _run_case(t, case, subject, frame)))  # type: ignore[misc]
        if known is True:
            exhaustive = True
            break
    if len(arms) == 1 and exhaustive:
        return arms[0][2]()
    if not exhaustive:
        arms.append((Lost("no pattern matches"), True, lambda: True))
    return branch(t, arms)


def _pattern_test(t: Tracer, case: ir.Case, subject: Value, frame: Frame, place: Place) -> Value:
    """Return a test whether the subject matches literals or a sequence; unknown for other patterns."""
    if case.parts is not None:
        values = [t.evaluate(value, frame) for _, value in case.values]
        return for_each_alternative(
            t, [subject, *values], lambda given: _sequence_test(t, case, given[0], given[1:], place)
        )
    test: Value = Lost("pattern")
    for position, literal in enumerate(case.literals):
        value = t.evaluate(literal, frame)
        same = for_each_alternative(t, [subject, value], lambda values: compare(t, "==", values[0], values[1], place))
        test = same if position == 0 else _disjunction(t, test, same)
    return test


def _sequence_test(t: Tracer, case: ir.Case, subject: Value, values: Sequence[Value], place: Place) -> Value:
    """Return a test whether the subject has the length and the values of a sequence pattern."""
    assert case.parts is not None
    frozen = t.freeze(subject, deep=False)
    if isinstance(frozen, (Const, Scalar, Int, Dict, Tensor)):
        return FALSE
    if not isinstance(frozen, (Seq, HomogeneousSeq, Range)) or getattr(frozen, "kind", "list") not in ("list", "tuple"):
        return Lost("pattern of a sequence")
    count_of_targets = len(case.parts.items)
    star = next((at for at, item in enumerate(case.parts.items) if isinstance(item, ir.Starred)), None)
    sign, count = ("==", count_of_targets) if star is None else (">=", count_of_targets - 1)
    test = compare(t, sign, of_size(iteration.length(t, frozen)), Const(count), place)
    items = iteration.elements(t, frozen)
    if truth(t, test) is not True or not values:
        return test
    if items is None:
        return Lost("items of a sequence")
    for (at, _), value in zip(case.values, values, strict=True):
        item = items[at if star is None or at < star else at - count_of_targets]
        same = compare(t, "==", item, value, place)
        test = FALSE if FALSE in (test, same) else same if test == TRUE else Lost("items of a sequence")
    return test


def _disjunction(t: Tracer, left: Value, right: Value) -> Value:
    """Return the value of `left or right` for two tests."""
    sides = (truth(t, left), truth(t, right))
    if True in sides:
        return TRUE
    return right if sides[0] is False else left if sides[1] is False else condition(t, "or", left, right)


def _run_case(t: Tracer, case: ir.Case, subject: Value, frame: Frame) -> bool:
    """Bind the names of a pattern, then run the case."""
    taken = (
        None if case.parts is None else _sequence_test(t, case, subject, (), Place(frame.source, case.start, case.end))
    )
    if case.parts is not None and taken is not None and truth(t, taken) is True:
        t.assign(case.parts, subject, frame)
        return _run_if_guard_holds(t, case, frame)
    for name in case.binds:
        whole = case.irrefutable and len(case.binds) == 1
        bind_name(t, name, subject if whole else t.lost("part of a matched pattern"), frame)
    return _run_if_guard_holds(t, case, frame)


def _run_if_guard_holds(t: Tracer, case: ir.Case, frame: Frame) -> bool:
    """Run the body of a case if its guard may hold."""
    if case.guard is not None:
        test = t.evaluate(case.guard, frame)
        if truth(t, test) is False:
            return True
        assume(t, test, True)
    return t.execute(case.body, frame)
