"""Numbers for the symbols of a replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shapecheck.dataflow.graph.clash import Clash
from shapecheck.domain.values import HomogeneousSeq, Int, Range, Seq, Tensor, Value, walk
from shapecheck.runtime.replay.program import Unrenderable
from shapecheck.shapes.facts import EMPTY, TRUE, Facts, Not, claim_symbols, holds
from shapecheck.shapes.size import Size, Symbol, evaluate, symbols
from shapecheck.shapes.solve import witness

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)


class Numbers:
    """The sizes that a replay uses."""

    def __init__(self, values: Mapping[Symbol, int]) -> None:
        self._values = values

    def of(self, size: Size) -> int:
        """Return the number for a size; raises Unrenderable if there is none."""
        try:
            return evaluate(size, self._values)
        except (KeyError, ZeroDivisionError):
            raise Unrenderable(f"the size {size} has no known value") from None

    def of_axis(self, size: Size) -> int:
        """Return the number for the size of an axis."""
        number = self.of(size)
        if number < 0:
            raise Unrenderable(f"the size {size} would be {number}")
        return number


def choose(clash: Clash, values: Iterable[Value]) -> Numbers:
    """Return sizes for all values that satisfy the facts, and violate the clash's claim if it has one."""
    wanted = frozenset().union(*(symbols(size) for value in values for size in _sizes(value)))
    if not wanted:
        return Numbers({})
    facts = (clash.facts or EMPTY).relevant(wanted)
    if clash.claim is None:
        found = _spread(facts, wanted) or witness(facts, TRUE, wanted)
    else:
        all_facts = clash.facts or EMPTY
        found = witness(all_facts, Not(clash.claim), wanted) or witness(all_facts, TRUE, wanted)
    if found is None:
        raise Unrenderable("no sizes were found that lead to this call")
    return Numbers(found)


def _sizes(value: Value) -> Iterator[Size]:
    for part in walk(value):
        match part:
            case Int(size=size) | HomogeneousSeq(length=size):
                yield size
            case Range(start=start, stop=stop, step=step):
                yield from (start, stop, step)
            case Tensor(shape=shape, content=content):
                yield from shape.known
                if isinstance(content, (Int, Seq)):
                    yield from _sizes(content)


def _spread(facts: Facts, wanted: frozenset[Symbol]) -> dict[Symbol, int] | None:
    """Return distinct primes, so that no two sizes agree by accident, if the facts allow it."""
    forced = facts.solution
    needed = wanted.union(*map(symbols, forced.values()), *map(claim_symbols, facts))
    free = sorted(needed - forced.keys(), key=lambda symbol: symbol.serial)
    if len(free) > len(_PRIMES):
        return None
    values = dict(zip(free, _PRIMES, strict=False))
    try:
        values |= {symbol: evaluate(size, values) for symbol, size in forced.items()}
        fits = all(holds(fact, values) for fact in facts)
    except (KeyError, ZeroDivisionError):
        return None
    return (
        values if fits and all(symbol.low is None or value >= symbol.low for symbol, value in values.items()) else None
    )
