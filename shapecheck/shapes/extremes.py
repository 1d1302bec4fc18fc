"""Minima and maxima that facts decide."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.shapes.ends import ends_of
from shapecheck.shapes.expr import Atom, Op, Size, expr_of
from shapecheck.shapes.size import floor_div, maximum, minimum, modulo, product


def has_extremes(size: Size) -> bool:
    """Whether there is a minimum or a maximum in it, at any depth."""
    return not isinstance(size, int) and any(
        isinstance(atom, Op) and (atom.name in ("min", "max") or any(map(has_extremes, atom.args)))
        for atom in size.atoms()
    )


def settled(size: Size, positive: Sequence[Size]) -> Size:
    """The size without the arguments of minima and maxima that others beat, given sizes that are not negative."""
    if isinstance(size, int):
        return size
    total: Size = 0
    for atoms, factor in size.terms:
        total = total + product([factor, *(_atom(atom, positive) for atom in atoms)])
    return total


def _atom(atom: Atom, positive: Sequence[Size]) -> Size:
    if not isinstance(atom, Op):
        return expr_of(atom)
    args = [settled(arg, positive) for arg in atom.args]
    if atom.name in ("//", "%"):
        return (floor_div if atom.name == "//" else modulo)(args[0], args[1])
    kept = [arg for at, arg in enumerate(args) if not _is_beaten(atom.name, args, at, positive)]
    return (minimum if atom.name == "min" else maximum)(*(kept or args))


def _is_beaten(name: str, args: Sequence[Size], at: int, positive: Sequence[Size]) -> bool:
    """Whether another argument is certainly not greater (for a minimum; not less for a maximum)."""
    own = args[at]
    others = [other for place, other in enumerate(args) if place != at]
    gaps = [own - other if name == "min" else other - own for other in others]
    return any(_is_positive(gap, positive) for gap in gaps)


def _is_positive(gap: Size, positive: Sequence[Size]) -> bool:
    """Whether a size is certainly not negative: on its own, or because it is no less than another that is not."""
    return any((low := ends_of(gap - known)[0]) is not None and low >= 0 for known in (0, *positive))
