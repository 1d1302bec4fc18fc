"""The least and the greatest that a size can be, where its symbols run between ends that depend on other symbols."""

from __future__ import annotations

from shapecheck.shapes.expr import Expr, Monomial, Size, bounds_of, polynomial
from shapecheck.shapes.interval import Bounds
from shapecheck.shapes.symbol import Symbol

MAX_DEPTH = 4


def ends_of(size: Size) -> Bounds:
    """The bounds of a size; counters stand at their ends where nothing else bounds them."""
    low, high = bounds_of(size)
    return (_end(size, True) if low is None else low), (_end(size, False) if high is None else high)


def _end(size: Size, least: bool) -> int | None:
    """The least (or greatest) value, by putting the ends of counters in their place; None where that gives none."""
    for _ in range(MAX_DEPTH):
        if isinstance(size, int):
            return size
        moved = _moved(size, least)
        if moved == size:
            break
        size = moved
        found = bounds_of(size)[0 if least else 1]
        if found is not None:
            return found
    return None


def _moved(size: Expr, least: bool) -> Size:
    """The size with each counter at the end that makes it least (or greatest)."""
    ends: list[Size] = []
    others: dict[Monomial, int] = {}
    for atoms, factor in size.terms:
        atom = atoms[0] if len(atoms) == 1 else None
        end = None if not isinstance(atom, Symbol) else atom.least if (factor > 0) == least else atom.most
        if end is None:
            others[atoms] = factor
        else:
            ends.append(end * factor)
    return sum(ends, polynomial(others)) if ends else size
