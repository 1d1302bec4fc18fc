"""Conditions: unknown results of tests, one value for equal tests of equal values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.path import PathState
from shapecheck.domain.values import Choice, Int, Lost, Scalar, Value, as_size, walk
from shapecheck.shapes.claims import AtLeast, Claim, Equal, Not
from shapecheck.shapes.symbol import Symbol

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "is": "is not", "is not": "is"}
NEGATED |= {"in": "not in", "not in": "in"}

BOOLEAN = ("is", "is not", "in", "not in", "not", "isinstance", "hasattr", "callable")


@dataclass(slots=True)
class Conditions:
    """All conditions of an analysis: by their tests, with their meanings, and with the tests that contain them."""

    known: dict[tuple[str, Value, Value], Value] = field(default_factory=dict)
    meanings: dict[Value, tuple[str, Value, Value]] = field(default_factory=dict)
    containing: dict[Value, dict[Value, None]] = field(default_factory=dict)


def guarded(t: Tracer, path: PathState) -> frozenset[Value | Symbol]:
    """Return the values and symbols of which the guards of a path say something."""
    meanings = t.component(Conditions).meanings
    met: dict[Value, None] = dict.fromkeys(path.guards)
    for value in (todo := list(met)):  # extended within the loop
        new = [part for part in (*walk(value), *meanings.get(value, ("",))[1:]) if part not in met]
        met.update(dict.fromkeys(new))
        todo += new
    return frozenset(met) | {symbol for value in met if isinstance(value, Int) for symbol in value.size.symbols()}


def _is_plain(left: Value, right: Value) -> bool:
    """Return whether a comparison is a Python bool; with a lost value, it may be a tensor."""
    return not isinstance(left, (Lost, Choice)) and not isinstance(right, (Lost, Choice))


def compared_sizes(op: str, left: Value, right: Value) -> Claim | None:
    """Return the claim about sizes that a comparison makes, or None."""
    a, b = as_size(left), as_size(right)
    if a is None or b is None:
        return None
    match op:
        case "==" | "is":
            return Equal(a, b)
        case "!=" | "is not":
            return Not(Equal(a, b))
        case ">=":
            return AtLeast(a, b)
        case "<=":
            return AtLeast(b, a)
        case ">":
            return AtLeast(a, b + 1)
        case "<":
            return AtLeast(b, a + 1)
    return None


def condition(t: Tracer, op: str, left: Value, right: Value) -> Value:
    """Return the unknown result of a test; equal tests of equal values have the same condition."""
    conditions = t.component(Conditions)
    key = (op, left, right)
    found = conditions.known.get(key)
    if found is not None:
        return found
    opposite = conditions.known.get((NEGATED.get(op, ""), left, right))
    value: Value = Scalar("bool") if op in BOOLEAN or _is_plain(left, right) else Lost("comparison with a lost value")
    conditions.meanings[value] = ("not", opposite, opposite) if opposite is not None else key
    conditions.known[key] = value
    return value
