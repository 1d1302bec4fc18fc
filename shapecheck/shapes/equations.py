"""Equations between sizes: the symbols that they force, and their values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import reduce
from math import gcd

from shapecheck.shapes.claims import FALSE, AllOf, AtLeast, Claim, Equal, simplify, substitute_claim
from shapecheck.shapes.size import Expr, Kind, Size, Symbol, expr_of, substitute, symbols


@dataclass(frozen=True, slots=True)
class Solution:
    """Forced symbols with their values, in terms of symbols that are not forced."""

    values: dict[Symbol, Size]
    positive: frozenset[Symbol]  # known to be at least 1
    is_contradictory: bool


def solved_with(old: Solution, claim: Claim) -> Solution:
    """Return the solution when one more claim holds."""
    claim = simplify(substitute_claim(claim, old.values))
    if claim == FALSE:
        return Solution(old.values, old.positive, True)
    for part in claim.claims if isinstance(claim, AllOf) else (claim,):
        if isinstance(part, Equal):
            old = _with_equation(old, substitute(part.a, old.values) - substitute(part.b, old.values))
        elif isinstance(part, AtLeast):
            old = Solution(old.values, old.positive | _positive(part.a - part.b), old.is_contradictory)
    return old


def _positive(gap: Size) -> set[Symbol]:
    """Return the symbols that must be at least 1 for `gap >= 0`: those of s in `k*s - c` with c > 0."""
    if isinstance(gap, int) or len(gap.terms) != 2:
        return set()
    (atoms, factor), (rest, constant) = gap.terms
    if rest or not constant < 0 < factor:
        return set()
    return {atom for atom in atoms if isinstance(atom, Symbol) and atom.low is not None and atom.low >= 0}


def _with_equation(old: Solution, gap: Size) -> Solution:
    """Return the solution when `gap == 0` holds as well."""
    if isinstance(gap, int):
        return Solution(old.values, old.positive, old.is_contradictory or gap != 0)
    gap = _without_common_factors(gap, old.positive)
    found = _forced_symbol(gap)
    if found is None:
        return old
    symbol, value = found
    values: dict[Symbol, Size] = {symbol: value}
    for known, size in old.values.items():
        values[known] = changed = substitute(size, {symbol: value})
        if changed is not size and not symbols(changed) <= symbols(size) | symbols(value):
            return old  # the expression grew so large that it was lost
    return Solution(values, old.positive, old.is_contradictory)


def _without_common_factors(gap: Expr, positive: frozenset[Symbol]) -> Expr:
    """Return the side of an equation without the common factors of its terms that are not zero."""
    unit = reduce(gcd, (factor for _, factor in gap.terms))
    shared = reduce(Counter.__and__, (Counter(atoms) for atoms, _ in gap.terms))
    reduced: Size = gap if unit == 1 else gap // unit
    for atom in shared.elements():
        if isinstance(atom, Symbol) and (atom in positive or (atom.low or 0) > 0):
            reduced = reduced // expr_of(atom)
    return reduced if isinstance(reduced, Expr) else gap


def _forced_symbol(gap: Expr) -> tuple[Symbol, Size] | None:
    """Return a symbol that `gap == 0` forces, and its value.

    Lost symbols are preferred, then data, free and dynamic ones; among symbols of one kind, the newest.
    """
    best: tuple[tuple[int, int], Symbol, int] | None = None
    for atoms, factor in gap.terms:
        symbol = atoms[0] if len(atoms) == 1 else None
        if isinstance(symbol, Symbol) and factor in (1, -1) and _occurs_once(gap, symbol):
            rank = (_RANKS[symbol.kind], symbol.serial)
            if best is None or rank > best[0]:
                best = (rank, symbol, factor)
    if best is None:
        return None
    _, symbol, factor = best
    return symbol, (gap - expr_of(symbol) * factor) * -factor


_RANKS = {Kind.DYNAMIC: 0, Kind.FREE: 1, Kind.DATA: 2, Kind.COUNTED: 2, Kind.LOST: 3}


def _occurs_once(gap: Expr, symbol: Symbol) -> bool:
    """Return whether a symbol occurs exactly once in an expression."""
    return sum(atom == symbol or symbol in atom.symbols() for atoms, _ in gap.terms for atom in atoms) == 1
