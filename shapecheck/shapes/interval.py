"""Interval arithmetic on integers; None is an open end."""

from __future__ import annotations

from typing import TypeAlias

Bounds: TypeAlias = tuple[int | None, int | None]
ANYTHING: Bounds = (None, None)


def add(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a sum."""
    return (
        None if a[0] is None or b[0] is None else a[0] + b[0],
        None if a[1] is None or b[1] is None else a[1] + b[1],
    )


def scale(a: Bounds, by: int) -> Bounds:
    """Return the bounds of the product with a number that is not zero."""
    low = None if a[0] is None else a[0] * by
    high = None if a[1] is None else a[1] * by
    return (low, high) if by > 0 else (high, low)


def multiply(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a product."""
    if _bounded_below(a, b):
        return _multiply_positive(a, b)
    if None in (*a, *b):
        return _multiply_open(a, b)
    products = [x * y for x in a for y in b if x is not None and y is not None]
    return (min(products), max(products))


def _multiply_positive(a: Bounds, b: Bounds) -> Bounds:
    """All products of numbers that are not negative."""
    if 0 in (a[1], b[1]):
        return (0, 0)
    return ((a[0] or 0) * (b[0] or 0), None if a[1] is None or b[1] is None else a[1] * b[1])


def _multiply_open(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a product with open ends, if the signs of the factors determine any."""
    if a[1] is not None and a[1] <= 0:
        low, high = multiply(scale(a, -1), b) if _bounded_below(scale(a, -1), b) else ANYTHING
        return scale((low, high), -1)
    if b[1] is not None and b[1] <= 0:
        low, high = multiply(a, scale(b, -1)) if _bounded_below(a, scale(b, -1)) else ANYTHING
        return scale((low, high), -1)
    return ANYTHING


def _bounded_below(a: Bounds, b: Bounds) -> bool:
    """Return whether both intervals contain no negative number."""
    return a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0


def floor_divide(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a quotient, rounded down; divisors that may be negative give no bounds."""
    if b[0] is None or b[0] < 0:
        return ANYTHING
    least, most = max(b[0], 1), b[1]
    return _quotient(a[0], least, most, up=False), _quotient(a[1], least, most, up=True)


def _quotient(end: int | None, least: int, most: int | None, *, up: bool) -> int | None:
    """Return one bound of a quotient, from one bound of the dividend and both bounds of the divisor."""
    if end is None:
        return None
    if (end >= 0) == up:
        return end // least
    if most is None:
        return 0 if end >= 0 else -1
    return end // max(most, 1)


def remainder(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a remainder; divisors that may be negative give no bounds."""
    if b[0] is None or b[0] < 0:
        return ANYTHING
    high = None if b[1] is None else max(b[1] - 1, 0)
    if a[0] is not None and a[0] >= 0 and a[1] is not None:
        high = a[1] if high is None else min(high, a[1])
    return 0, high


def minimum(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a minimum."""
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    highs = [end for end in (a[1], b[1]) if end is not None]
    return low, min(highs, default=None)


def maximum(a: Bounds, b: Bounds) -> Bounds:
    """Return the bounds of a maximum."""
    high = None if a[1] is None or b[1] is None else max(a[1], b[1])
    lows = [end for end in (a[0], b[0]) if end is not None]
    return max(lows, default=None), high
