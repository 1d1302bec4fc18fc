"""Bounds of sizes with counters, whose own bounds may depend on other symbols."""

from __future__ import annotations

from functools import lru_cache

from shapecheck.shapes.expr import Expr, Monomial, Size, bounds_of, polynomial
from shapecheck.shapes.interval import Bounds
from shapecheck.shapes.symbol import Symbol

MAX_DEPTH = 4


@lru_cache(maxsize=50_000)
def bounds_with_counters(size: Size) -> Bounds:
    """Return the bounds of a size; if nothing else bounds it, its counters are replaced by their bounds."""
    low, high = bounds_of(size)
    return (_counter_bound(size, True) if low is None else low), (_counter_bound(size, False) if high is None else high)


def _counter_bound(size: Size, is_lower: bool) -> int | None:
    """Return the lower (or upper) bound that results when counters are replaced by their bounds, or None."""
    for _ in range(MAX_DEPTH):
        if isinstance(size, int):
            return size
        replaced = _at_bounds(size, is_lower)
        if replaced == size:
            break
        size = replaced
        found = bounds_of(size)[0 if is_lower else 1]
        if found is not None:
            return found
    return None


def _at_bounds(size: Expr, is_lower: bool) -> Size:
    """Return the size with each counter replaced by the bound that makes the size least (or greatest)."""
    bounds: list[Size] = []
    others: dict[Monomial, int] = {}
    for atoms, factor in size.terms:
        atom = atoms[0] if len(atoms) == 1 else None
        bound = None if not isinstance(atom, Symbol) else atom.lower if (factor > 0) == is_lower else atom.upper
        if bound is None:
            others[atoms] = factor
        else:
            bounds.append(bound * factor)
    return sum(bounds, polynomial(others)) if bounds else size
