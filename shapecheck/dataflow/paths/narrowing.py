"""Narrowing: the consequences of taking one side of a test."""

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
    """Take one side of a condition on this path, with all its consequences."""
    if t.path.guards.get(condition) is side:
        return
    earlier = len(t.path.guards)
    _take_side(t, condition, side)
    containing = t.component(Conditions).containing
    for taken in tuple(islice(t.path.guards, earlier, None)):
        around = containing.get(taken, ())
        for test in [taken, *(test for test in t.path.guards if test in around)] if around else [taken]:
            taken_side = t.path.guards[test]
            deciding = _deciding_part(t, test, taken_side)
            if deciding is not None and t.path.guards.get(deciding) is None:
                assume(t, deciding, taken_side)


def _deciding_part(t: Tracer, test: Value, side: bool) -> Value | None:
    """Return the only part of a test that can still decide it: for a true `a or b`, b if a is false."""
    if isinstance(test, Choice):
        fits = (v for guard, v in test.options if _guard_side(t, v) is not (not side) and t.path.is_consistent(guard))
        fitting = list(islice(fits, 2))
        return fitting[0] if len(fitting) == 1 and isinstance(fitting[0], (Scalar, Lost, Choice)) else None
    op, left, right = t.component(Conditions).meanings.get(test, ("", test, test))
    if op != ("or" if side else "and"):
        return None
    return right if _guard_side(t, left) is (not side) else left if _guard_side(t, right) is (not side) else None


def _parts(t: Tracer, test: Value) -> Iterator[Value]:
    """Yield the conditions that a compound test consists of."""
    if isinstance(test, Choice):
        for guard, option in test.options:
            yield from (condition for condition, _ in guard)
            if isinstance(option, (Scalar, Lost, Choice)):
                yield option
    elif (meaning := t.component(Conditions).meanings.get(test)) is not None and meaning[0] in ("and", "or"):
        yield from meaning[1:]


def _guard_side(t: Tracer, value: Value) -> bool | None:
    """Return the side of a test that the guards of the path take, or None."""
    return bool(value.value) if isinstance(value, Const) else t.path.guards.get(value)


def _take_side(t: Tracer, condition: Value, side: bool) -> None:
    """Take one side of a condition, with the consequences of this side alone."""
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
        _take_side(t, left, not side)
    elif op == ("and" if side else "or"):
        _take_side(t, left, side)
        _take_side(t, right, side)
    elif op not in ("and", "or"):
        _assume_comparison(t, op if side else NEGATED.get(op, op), left, right)


def _assume_comparison(t: Tracer, op: str, left: Value, right: Value) -> None:
    """Add the fact that a comparison states."""
    claim = compared_sizes(op, left, right)
    if claim is not None:
        t.learn(claim)


def _assume_choice(t: Tracer, condition: Choice, side: bool) -> None:
    """Take one side of a test with alternatives: conditions that all remaining ones share are true."""
    fitting = [way for way in condition.options if t.path.is_consistent(way[0]) and truth(t, way[1]) is not (not side)]
    for inner, truth_value in fitting[0][0] if fitting else ():
        shared = all((inner, truth_value) in guard for guard, _ in fitting[1:])
        if shared and t.path.guards.get(inner) is None:
            assume(t, inner, truth_value)
    if len(fitting) == 1 and truth(t, fitting[0][1]) is None:
        assume(t, fitting[0][1], side)
