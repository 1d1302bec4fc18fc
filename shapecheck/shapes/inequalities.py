"""Linear inequalities between sizes: Fourier-Motzkin elimination refutes them, or gives values that satisfy all claims.

Products of symbols and most operations are taken for unknowns of their own, and claims that are no inequalities are
left out: what is refuted is impossible all the same, and values are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from shapecheck.shapes.candidates import Problem
from shapecheck.shapes.facts import AllOf, AtLeast, Claim, Equal
from shapecheck.shapes.size import Op, Size, Symbol

MOST_ROWS = 60
MOST_ALTERNATIVES = 8
EXTREMES = {"max": 1, "min": -1}
Atoms: TypeAlias = tuple["Symbol | Op", ...]
_Row: TypeAlias = dict[Atoms, int]
"""A sum of multiples of atoms, with the constant under the empty product, that is at least 0."""
_Step: TypeAlias = tuple[Atoms, list[_Row]]
"""An unknown that was eliminated, and the rows that bound it."""


def refuted_or_values(task: Problem) -> dict[Symbol, int] | bool | None:
    """Return False if no numbers satisfy the inequalities of a problem, or values that solve it; None if that does not
    tell."""
    lows: list[_Row] = [{(symbol,): 1, (): -symbol.low} for symbol in task.free if symbol.low is not None]
    is_refuted = True
    for number, rows in enumerate(_alternatives([*_rows(task.constraints), *lows])):
        steps = _elimination(rows) if number < MOST_ALTERNATIVES else None
        if steps is None:
            return None
        values = None if isinstance(steps, bool) else _values(task, steps)
        if values is not None and task.complete(values) is not None:
            return values
        is_refuted &= steps is False
    return False if is_refuted else None


def _elimination(rows: Sequence[_Row]) -> list[_Step] | Literal[False] | None:
    """Return the unknowns of inequalities in an order in which their bounds follow from those of later ones; False if
    the inequalities contradict each other, None if they become too many."""
    steps: list[_Step] = []
    while rows := _distinct(rows):
        if any(not _unknowns(row) for row in rows):
            return False
        if len(rows) > MOST_ROWS:
            return None
        unknown = _cheapest(rows)
        steps.append((unknown, [row for row in rows if unknown in row]))
        rows = _without(rows, unknown)
    return steps


def _rows(claims: Iterable[Claim]) -> Iterator[_Row]:
    """Yield the inequalities among claims."""
    for claim in claims:
        match claim:
            case AllOf(claims=parts):
                yield from _rows(parts)
            case AtLeast(a=a, b=b):
                yield _combined((1, _row(a)), (-1, _row(b)))
            case Equal(a=a, b=b):
                yield _combined((1, _row(a)), (-1, _row(b)))
                yield _combined((1, _row(b)), (-1, _row(a)))


# --- operations ------------------------------------------------------------------------------------------------------


def _alternatives(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Yield the inequalities with each choice of the arguments that are the extremes in them."""
    for at, row in enumerate(rows):
        for atoms, factor in row.items():
            if len(atoms) == 1 and isinstance(atoms[0], Op) and atoms[0].name in EXTREMES:
                others = {each: number for each, number in row.items() if each != atoms}
                chosen = [_combined((1, others), (factor, _row(arg))) for arg in atoms[0].args]
                before, after = rows[:at], rows[at + 1 :]
                if factor * EXTREMES[atoms[0].name] < 0:  # what is at least the greatest is at least each
                    yield from _alternatives([*before, *chosen, *after])
                else:
                    for one in chosen:
                        yield from _alternatives([*before, one, *after])
                return
    yield rows + [bound for op in _quotients(rows) for bound in _bounds_of_quotient(op)]


def _quotients(rows: Iterable[_Row]) -> set[Op]:
    """Return the quotients by known numbers in inequalities."""
    ops = {atom for row in rows for atoms in row for atom in atoms if isinstance(atom, Op) and atom.name == "//"}
    return {op for op in ops if isinstance(op.args[1], int) and op.args[1] > 0}


def _bounds_of_quotient(op: Op) -> Iterator[_Row]:
    """Yield what a quotient is at most and at least."""
    size, by = op.args
    assert isinstance(by, int)
    yield _combined((1, _row(size)), (-by, {(op,): 1}))
    yield _combined((by, {(op,): 1}), (1, {(): by - 1}), (-1, _row(size)))


# --- rows ------------------------------------------------------------------------------------------------------------


def _row(size: Size) -> _Row:
    return {(): size} if isinstance(size, int) else dict(size.terms)


def _combined(*parts: tuple[int, _Row]) -> _Row:
    """Return the sum of multiples of rows."""
    found: Counter[Atoms] = Counter()
    for factor, row in parts:
        for atoms, number in row.items():
            found[atoms] += factor * number
    return {atoms: number for atoms, number in found.items() if number}


def _distinct(rows: Iterable[_Row]) -> list[_Row]:
    """Return each row once, without those that always hold."""
    found = {frozenset(row.items()): row for row in rows if _unknowns(row) or row.get((), 0) < 0}
    return list(found.values())


def _unknowns(row: _Row) -> int:
    return len(row) - (() in row)


def _cheapest(rows: Sequence[_Row]) -> Atoms:
    """Return the unknown without which there are fewest rows."""
    above, below = Counter[Atoms](), Counter[Atoms]()
    for row in rows:
        for atoms, factor in row.items():
            if atoms:
                (above if factor > 0 else below)[atoms] += 1
    return min([*above, *below], key=lambda atoms: above[atoms] * below[atoms] - above[atoms] - below[atoms])


def _without(rows: Sequence[_Row], unknown: Atoms) -> list[_Row]:
    """Return what the rows say of all other unknowns."""
    lower = [row for row in rows if row.get(unknown, 0) > 0]
    upper = [row for row in rows if row.get(unknown, 0) < 0]
    pairs = (_combined((-above[unknown], below), (below[unknown], above)) for below in lower for above in upper)
    return [*(row for row in rows if unknown not in row), *pairs]


def _values(task: Problem, steps: Sequence[_Step]) -> dict[Symbol, int] | None:
    """Return small numbers within the bounds of each unknown, the last eliminated first; None if there is no integer
    between some."""
    values: dict[Atoms, int] = {}
    for unknown, rows in reversed(steps):
        low, high = _bounds(rows, unknown, values)
        if low is not None and high is not None and low > high:
            return None
        value = 2 if low is None else max(low, 2)
        values[unknown] = value if high is None else min(value, high)
    return {symbol: values.get((symbol,), 2) for symbol in task.free}


def _bounds(rows: Iterable[_Row], unknown: Atoms, values: Mapping[Atoms, int]) -> tuple[int | None, int | None]:
    """Return the least and the greatest integer that an unknown may be if the others in its rows have these values."""
    low: int | None = None
    high: int | None = None
    for row in rows:
        others = ((atoms, number) for atoms, number in row.items() if atoms != unknown)
        rest = sum(number * (values.get(atoms, 2) if atoms else 1) for atoms, number in others)
        factor = row[unknown]
        if factor > 0:  # factor * unknown + rest >= 0
            low = -(rest // factor) if low is None else max(low, -(rest // factor))
        else:
            high = rest // -factor if high is None else min(high, rest // -factor)
    return low, high
