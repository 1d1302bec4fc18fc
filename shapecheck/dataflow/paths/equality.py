"""What the guards of a path say of a value that is compared with constants: it equals at most one of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.paths.conditions import NEGATED, Conditions
from shapecheck.domain.values import Const, Value, is_constant, items_of

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_EQUALITY = {"==": "==", "is": "==", "in": "in"}


def equality(t: Tracer, op: str, left: Value, right: Value) -> bool | None:
    """Return the truth of a comparison with constants, or None if the guards do not tell it."""
    asked = _constants(op, right)
    if asked is None:
        return None
    answers = {_equals(t, left, constant) for constant in asked}
    found = True if True in answers else False if answers == {False} else None
    return found if found is None or op in _EQUALITY else not found


def _constants(op: str, right: Value) -> Sequence[Value] | None:
    """Return the constants one of which a comparison asks for, negated or not; None for other comparisons."""
    match _EQUALITY.get(op) or _EQUALITY.get(NEGATED.get(op, "")):
        case "==" if isinstance(right, Const):
            return (right,)
        case "in" if (items := items_of(right)) is not None and all(map(is_constant, items)):
            return items
    return None


def _equals(t: Tracer, value: Value, constant: Value) -> bool | None:
    """Return whether a value equals a constant, as far as the guards tell."""
    answers = (_told(t, test, side, value, constant) for test, side in t.path.guards.items())
    return next((answer for answer in answers if answer is not None), None)


def _told(t: Tracer, test: Value, side: bool, value: Value, constant: Value) -> bool | None:
    """Return what one side of a test tells of the equality of a value with a constant."""
    op, left, right = t.component(Conditions).meanings.get(test, ("", test, test))
    if op == "not":
        return _told(t, left, not side, value, constant)
    if op == ("or" if side else "and"):
        answers = {_told(t, part, side, value, constant) for part in (left, right)}
        return answers.pop() if len(answers) == 1 else None
    constants = _constants(op, right) if left == value else None
    if constants is None:
        return None
    is_one = side is (op in _EQUALITY)
    is_met = any(_is_same(constant, other) for other in constants)
    if is_one and is_met:
        return True if len(constants) == 1 else None
    return False if is_one is not is_met else None


def _is_same(one: Value, other: Value) -> bool:
    """Return whether two constants are equal, as 1 and 1.0 are."""
    return one.value == other.value if isinstance(one, Const) and isinstance(other, Const) else one == other
