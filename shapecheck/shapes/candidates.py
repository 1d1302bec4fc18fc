"""Natural sizes to try before asking a solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice, product

from shapecheck.shapes.facts import AtLeast, Claim, Facts, claim_sizes, claim_symbols, holds, simplify, substitute_claim
from shapecheck.shapes.size import Op, Size, Symbol, evaluate

MAX_TRIES = 600
_SMALL = (2, 3, 4, 5, 6, 7, 8, 10, 12, 1, 0)
_COMMON = (2, 4, 8, 1, 0, 3, 16, 32, 64, 28, 224)


@dataclass(frozen=True)
class Problem:
    """Facts after elimination of their equations.

    `free` are the symbols to choose values for, `forced` the other symbols with their values in terms of these, and
    `constraints` the claims that remain.
    """

    facts: Facts
    free: tuple[Symbol, ...]
    forced: Mapping[Symbol, Size]
    constraints: tuple[Claim, ...]

    def complete(self, values: Mapping[Symbol, int]) -> dict[Symbol, int] | None:
        """Return the values of all symbols for these values of the free ones, or None if the facts do not hold."""
        try:
            everything = {**values, **{symbol: evaluate(size, values) for symbol, size in self.forced.items()}}
            fits = all(symbol.low is None or value >= symbol.low for symbol, value in everything.items())
            return everything if fits and all(holds(claim, everything) for claim in self.facts) else None
        except ZeroDivisionError:
            return None


def problem(facts: Facts, wanted: Iterable[Symbol] = ()) -> Problem:
    """Return the problem of finding values for the symbols of the facts and the wanted symbols."""
    involved = frozenset(wanted).union(*map(claim_symbols, facts))
    forced = dict(facts.solution)
    constraints = _constraints(facts, forced)
    if any(not claim_symbols(claim) <= involved for claim in constraints):  # an expression grew too large and was lost
        forced, constraints = {}, _constraints(facts, {})
    free = sorted(involved - forced.keys(), key=lambda symbol: symbol.serial)
    return Problem(facts, tuple(free), forced, constraints)


def _constraints(facts: Facts, forced: Mapping[Symbol, Size]) -> tuple[Claim, ...]:
    """Return the claims that remain when forced symbols are replaced, including their lower bounds."""
    known = [substitute_claim(claim, forced) for claim in facts]
    lows: list[Claim] = [AtLeast(size, s.low) for s, size in forced.items() if s.low is not None]
    return tuple(dict.fromkeys(map(simplify, known + lows)))


def solutions(task: Problem, tries: int = MAX_TRIES) -> Iterator[dict[Symbol, int]]:
    """Yield natural values that satisfy the problem, found by trial."""
    for numbers in islice(_tuples(len(task.free), _numbers(task.constraints)), tries):
        values = task.complete(dict(zip(task.free, numbers, strict=True)))
        if values is not None:
            yield values


def _tuples(count: int, mentioned: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield tuples of `count` numbers, the most natural ones first."""
    if count == 0:
        return iter([()])
    if count == 1:
        return ((number,) for number in dict.fromkeys([*_COMMON[:6], *mentioned, *_SMALL, *_COMMON, *range(64)]))
    rising = tuple(range(2, 2 + count))
    general = chain(
        [rising, rising[::-1]],
        ((number,) * count for number in _COMMON[:6]),
        [tuple(range(5, 5 + count)), tuple(range(1, 1 + count))],
        _one_changed(rising, [*mentioned, 1, 0]),
        _one_changed((2,) * count, mentioned),
        ((number,) * count for number in [*_COMMON[6:], *mentioned]),
    )
    grid = product(_SMALL[: 12 if count == 2 else 7], repeat=count) if count <= 3 else iter(())
    return _distinct(chain(general, grid))


def _distinct(tuples: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Yield each tuple once, computed on demand: one of the first few is usually sufficient."""
    seen: set[tuple[int, ...]] = set()
    for numbers in tuples:
        if numbers not in seen:
            seen.add(numbers)
            yield numbers


def _one_changed(base: tuple[int, ...], numbers: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the tuple with one position changed to each of the numbers."""
    return ((*base[:at], number, *base[at + 1 :]) for number in numbers for at in range(len(base)))


def _numbers(claims: Iterable[Claim]) -> list[int]:
    """Return the numbers that occur in the claims, and their neighbours."""
    found: dict[int, None] = {}
    for claim in claims:
        for size in claim_sizes(claim):
            found.update(dict.fromkeys(_numbers_in(size)))
    near = [number + step for step in (0, 1, -1) for number in list(found)[:8]]
    return [number for number in dict.fromkeys(near) if number >= 0]


def _numbers_in(size: Size) -> Iterator[int]:
    """Yield the numbers that occur in a size."""
    if isinstance(size, int):
        yield abs(size)
        return
    for atoms, factor in size.terms:
        yield abs(factor)
        for atom in atoms:
            for arg in atom.args if isinstance(atom, Op) else ():
                yield from _numbers_in(arg)


def penalty(values: Mapping[Symbol, int]) -> tuple[int, int, int, int, int, tuple[int, ...]]:
    """Return a sort key for naturalness: empty sizes are worst, then ones, then repeated ones, then large ones."""
    numbers = [values[symbol] for symbol in sorted(values, key=lambda symbol: symbol.serial)]
    ones, empty = numbers.count(1), sum(number < 1 for number in numbers)
    repeated = len(numbers) - len(set(numbers))
    return empty, ones, repeated, max(numbers, default=0), sum(numbers), tuple(numbers)
