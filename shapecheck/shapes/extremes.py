"""Simplification of minima and maxima by facts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from shapecheck.shapes.ends import bounds_with_counters
from shapecheck.shapes.expr import Atom, Op, Size, expr_of
from shapecheck.shapes.size import floor_div, maximum, minimum, modulo, product


def has_extremes(size: Size) -> bool:
    """Return whether a size contains a minimum or a maximum, at any depth."""
    return not isinstance(size, int) and any(
        isinstance(atom, Op) and (atom.name in ("min", "max") or any(map(has_extremes, atom.args)))
        for atom in size.atoms()
    )


@lru_cache(maxsize=20_000)
def simplify_extremes(size: Size, nonnegative: tuple[Size, ...]) -> Size:
    """Return the size without arguments of minima and maxima that are redundant, given sizes that are not negative."""
    if isinstance(size, int):
        return size
    total: Size = 0
    for atoms, factor in size.terms:
        total = total + product([factor, *(_simplified_atom(atom, nonnegative) for atom in atoms)])
    return total


def _simplified_atom(atom: Atom, nonnegative: tuple[Size, ...]) -> Size:
    """Return the simplified expression of one atom."""
    if not isinstance(atom, Op):
        return expr_of(atom)
    args = [simplify_extremes(arg, nonnegative) for arg in atom.args]
    if atom.name in ("//", "%"):
        return (floor_div if atom.name == "//" else modulo)(args[0], args[1])
    kept = [arg for at, arg in enumerate(args) if not _is_redundant(atom.name, args, at, nonnegative)]
    return (minimum if atom.name == "min" else maximum)(*(kept or args))


def _is_redundant(name: str, args: Sequence[Size], at: int, nonnegative: Sequence[Size]) -> bool:
    """Return whether another argument is certainly at most as large (for a minimum), or at least as large."""
    own = args[at]
    others = [other for place, other in enumerate(args) if place != at]
    gaps = [own - other if name == "min" else other - own for other in others]
    return any(_is_nonnegative(gap, nonnegative) for gap in gaps)


def _is_nonnegative(gap: Size, nonnegative: Sequence[Size]) -> bool:
    """Return whether a size is certainly not negative: by its bounds, or since it is at least one of those given."""
    return any((low := bounds_with_counters(gap - known)[0]) is not None and low >= 0 for known in (0, *nonnegative))
