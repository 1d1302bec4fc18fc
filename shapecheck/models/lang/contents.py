"""Arithmetic on the contents of small tensors: numbers and vectors of numbers, which become shapes later."""

from __future__ import annotations

import operator
from collections.abc import Callable

from shapecheck.domain.values import Const, Seq, Value, as_size, of_size
from shapecheck.shapes.size import Size, maximum, minimum

Arithmetic = Callable[[Size, Size], Size]
SIGNS: dict[str, Arithmetic] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": lambda a, b: minimum(a, b),
    "max": lambda a, b: maximum(a, b),
}
NUMBERS: dict[str, Callable[[float, float], object]] = {
    **{sign: getattr(operator, name) for sign, name in [("+", "add"), ("-", "sub"), ("*", "mul")]},
    **{sign: getattr(operator, name) for sign, name in [("//", "floordiv"), ("%", "mod"), ("/", "truediv")]},
    **{sign: getattr(operator, name) for sign, name in [("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge")]},
    "**": lambda a, b: a**b if abs(b) < 64 and abs(a) < 1e6 else None,
    "==": operator.eq,
    "!=": operator.ne,
    "min": min,
    "max": max,
}


def combined(sign: str, a: Value | None, b: Value | None) -> Value | None:
    """Return the content of `a sign b`, where both contents are known."""
    if a is None or b is None:
        return None
    if isinstance(a, Seq) or isinstance(b, Seq):
        return _by_element(sign, a, b)
    match a, b:
        case Const(value=int() | float() as x), Const(value=int() | float() as y):
            return _numbers(sign, x, y)
    x_size, y_size = as_size(a), as_size(b)
    if x_size is None or y_size is None or sign not in SIGNS or (sign in ("//", "%") and y_size == 0):
        return None
    return of_size(SIGNS[sign](x_size, y_size))


def _by_element(sign: str, a: Value, b: Value) -> Value | None:
    """That of two vectors of one length, or of a vector and a number."""
    count = len(a.items) if isinstance(a, Seq) else len(b.items) if isinstance(b, Seq) else 0
    left, right = (each.items if isinstance(each, Seq) else (each,) * count for each in (a, b))
    return _vector([combined(sign, x, y) for x, y in zip(left, right, strict=True)]) if len(right) == count else None


def _numbers(sign: str, a: float, b: float) -> Value | None:
    if sign not in NUMBERS or (sign in ("//", "%", "/", "**") and not b):
        return None
    try:
        number = NUMBERS[sign](a, b)
    except (ArithmeticError, ValueError):
        return None
    return Const(number) if isinstance(number, (int, float)) else None


def _vector(items: list[Value | None]) -> Value | None:
    known = tuple(item for item in items if item is not None)
    return Seq("list", known) if len(known) == len(items) else None
