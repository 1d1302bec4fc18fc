"""What taking one side of a test teaches about the path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from shapecheck.dataflow.paths.conditions import NEGATED, Conditions, compared_sizes
from shapecheck.dataflow.paths.truth import truth
from shapecheck.domain.values import Choice, Const, Int, Lost, Scalar, Value
from shapecheck.shapes.facts import Claim, Equal, Not

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def assume(t: Tracer, condition: Value, side: bool) -> None:
    """Records which side of a condition the path takes, and what follows from it and from what was taken before."""
    earlier = len(t.path.guards)
    _take(t, condition, side)
    for taken in tuple(islice(t.path.guards, earlier, None)):
        for test in (taken, *t.component(Conditions).containing.get(taken, ())):
            came_out = t.path.guards.get(test)
            remaining = None if came_out is None else _remaining(t, test, came_out)
            if came_out is not None and remaining is not None and t.path.guards.get(remaining) is None:
                assume(t, remaining, came_out)


def _remaining(t: Tracer, test: Value, side: bool) -> Value | None:
    """The only part of a test that can still be what made the test come out so: of `a or b`, b where a was false."""
    if isinstance(test, Choice):
        fitting = [v for guard, v in test.options if t.path.is_consistent(guard) and _told(t, v) is not (not side)]
        return fitting[0] if len(fitting) == 1 and isinstance(fitting[0], (Scalar, Lost, Choice)) else None
    op, left, right = t.component(Conditions).meanings.get(test, ("", test, test))
    if op != ("or" if side else "and"):
        return None
    return right if _told(t, left) is (not side) else left if _told(t, right) is (not side) else None


def _parts(t: Tracer, test: Value) -> Iterator[Value]:
    """The conditions that a test of several consists of."""
    if isinstance(test, Choice):
        for guard, option in test.options:
            yield from (condition for condition, _ in guard)
            if isinstance(option, (Scalar, Lost, Choice)):
                yield option
    elif (meaning := t.component(Conditions).meanings.get(test)) is not None and meaning[0] in ("and", "or"):
        yield from meaning[1:]


def _told(t: Tracer, value: Value) -> bool | None:
    """What the guards of the path themselves say of a test."""
    return bool(value.value) if isinstance(value, Const) else t.path.guards.get(value)


def _take(t: Tracer, condition: Value, side: bool) -> None:
    """Records a side and what follows from it alone."""
    if isinstance(condition, Const):
        return
    t.path = t.path.taking(condition, side)
    for part in _parts(t, condition):
        t.component(Conditions).containing.setdefault(part, {})[condition] = None
    if isinstance(condition, Choice):
        _assume_choice(t, condition, side)
        return
    meaning = t.component(Conditions).meanings.get(condition)
    if meaning is None:
        if isinstance(condition, Int):
            claim: Claim = Equal(condition.size, 0)
            t.learn(Not(claim) if side else claim)
        return
    op, left, right = meaning
    if op == "not":
        _take(t, left, not side)
    elif op == ("and" if side else "or"):
        _take(t, left, side)
        _take(t, right, side)
    elif op not in ("and", "or"):
        _assume_comparison(t, op if side else NEGATED.get(op, op), left, right)


def _assume_comparison(t: Tracer, op: str, left: Value, right: Value) -> None:
    claim = compared_sizes(op, left, right)
    if claim is not None:
        t.learn(claim)


def _assume_choice(t: Tracer, condition: Choice, side: bool) -> None:
    fitting = [way for way in condition.options if t.path.is_consistent(way[0]) and truth(t, way[1]) is not (not side)]
    for inner, truth_value in fitting[0][0] if fitting else ():
        shared = all((inner, truth_value) in guard for guard, _ in fitting[1:])
        if shared and t.path.guards.get(inner) is None:
            assume(t, inner, truth_value)
    if len(fitting) == 1 and truth(t, fitting[0][1]) is None:
        assume(t, fitting[0][1], side)
