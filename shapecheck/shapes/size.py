"""Sizes: integers, and expressions over symbols in normal form.

`==` compares normal forms; claims about values are decided by `shapecheck.shapes.solve.decide`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from shapecheck.shapes.ends import bounds_with_counters
from shapecheck.shapes.expr import Atom, Expr, Op, Size, apply, expr_of, floor_div, key_of, lost, modulo
from shapecheck.shapes.symbol import Kind, Symbol
from shapecheck.source import Place

__all__ = [
    "Atom",
    "Expr",
    "Kind",
    "Op",
    "Size",
    "Symbol",
    "bounds_with_counters",
    "ceildiv",
    "counter",
    "evaluate",
    "expr_of",
    "floor_div",
    "fresh",
    "is_lost",
    "lost",
    "maximum",
    "minimum",
    "modulo",
    "product",
    "substitute",
    "symbols",
    "unknown",
]


def fresh(name: str, kind: Kind, *, origin: Place | None = None, why: str = "", low: int | None = 0) -> Expr:
    """Return a new symbol; `low` is its least value by construction (0 for a size, None for any integer)."""
    return expr_of(Symbol(name, kind, origin, why, low))


def counter(name: str, *, origin: Place | None, why: str, lower: Size, upper: Size) -> Expr:
    """Return a lost integer between two sizes, such as the counter of a loop."""
    low = bounds_with_counters(lower)[0]
    return expr_of(Symbol(name, Kind.LOST, origin, why, low, lower, upper))


def ceildiv(size: Size, by: Size) -> Size:
    """Return the quotient rounded up."""
    if isinstance(size, int) and isinstance(by, int) and by:
        return -(-size // by)
    return -floor_div(-size, by)


def minimum(first: Size, *more: Size) -> Size:
    """Return the least of the sizes."""
    return _extreme("min", (first, *more)) if more else first


def maximum(first: Size, *more: Size) -> Size:
    """Return the greatest of the sizes."""
    return _extreme("max", (first, *more)) if more else first


def _extreme(name: str, sizes: Iterable[Size]) -> Size:
    """Return the `min` or `max` of sizes, without those that bounds show to be redundant."""
    kept: list[Size] = []
    for size in _flattened(name, sizes):
        if any(_makes_redundant(name, other, size) for other in kept):
            continue
        kept = [other for other in kept if not _makes_redundant(name, size, other)]
        kept.append(size)
    if len(kept) == 1:
        return kept[0]
    return apply(name, *sorted(kept, key=key_of))


def _flattened(name: str, sizes: Iterable[Size]) -> Iterable[Size]:
    """Yield the sizes, with nested minima (or maxima) replaced by their arguments."""
    for size in sizes:
        atom = size.terms[0][0][0] if isinstance(size, Expr) else None
        if isinstance(atom, Op) and atom.name == name and size == expr_of(atom):
            yield from atom.args
        else:
            yield size


def _makes_redundant(name: str, one: Size, other_size: Size) -> bool:
    """Return whether bounds show that one size makes another redundant in a minimum or maximum."""
    low, high = bounds_with_counters(one - other_size)
    return low is not None and low >= 0 if name == "max" else high is not None and high <= 0


def product(sizes: Iterable[Size]) -> Size:
    """Return the product of the sizes, 1 if there are none."""
    number: int = 1
    rest: list[Expr] = []
    for size in sizes:
        if isinstance(size, int):
            number *= size
        else:
            rest.append(size)
    result: Size = number
    for size in rest:
        result = result * size
    return result


def symbols(size: Size) -> frozenset[Symbol]:
    """Return all symbols in a size."""
    return frozenset() if isinstance(size, int) else size.symbols()


def is_lost(size: Size) -> bool:
    """Return whether a size depends on a lost symbol or a data symbol."""
    return not isinstance(size, int) and any(symbol.kind.is_lost for symbol in size.symbols())


def is_open(size: Size) -> bool:
    """Return whether a size is a dynamic symbol, as that of a batch is."""
    declared = [] if isinstance(size, int) else [s for s in size.symbols() if s.kind is Kind.DYNAMIC]
    return any(size == expr_of(symbol) for symbol in declared)


def keep_free(size: Size, resolved: Size) -> Size:
    """Return the resolved size, but keep a size of free symbols that was resolved to a dynamic one.

    A free size is a number that the program has when it builds its graph; a dynamic size is never known there.
    """
    is_held = all(symbol.kind is Kind.FREE for symbol in symbols(size))
    return size if is_held and any(symbol.kind is Kind.DYNAMIC for symbol in symbols(resolved)) else resolved


def unknown(of: Iterable[Size]) -> Kind:
    """Return the kind of a size that only the computation determines, given the sizes that it depends on."""
    followed = all(symbol.kind is not Kind.LOST for size in of for symbol in symbols(size))
    return Kind.DATA if followed else Kind.LOST


def substitute(size: Size, values: Mapping[Symbol, Size]) -> Size:
    """Return the size with symbols replaced, all at once."""
    if isinstance(size, int) or not values or (own := size.symbols()).isdisjoint(values):
        return size
    first, factor = size.terms[0]
    if factor == 1 and len(first) == 1 and len(size.terms) == 1 and isinstance(first[0], Symbol):
        return values[first[0]]
    return substituted(size, tuple([(symbol, values[symbol]) for symbol in own if symbol in values]))


@lru_cache(maxsize=20_000)
def substituted(size: Expr, pairs: tuple[tuple[Symbol, Size], ...]) -> Size:
    """Return an expression with each of these symbols replaced."""
    values = dict(pairs)
    first, factor = size.terms[0]
    if factor == 1 and len(first) == 1 and len(size.terms) == 1:
        return _substitute_atom(first[0], values)
    total: Size = 0
    for atoms, factor in size.terms:
        total = total + product([factor, *(_substitute_atom(atom, values) for atom in atoms)])
    return total


def _substitute_atom(atom: Atom, values: Mapping[Symbol, Size]) -> Size:
    """Return the size of an atom with symbols replaced."""
    if isinstance(atom, Symbol):
        return values[atom] if atom in values else expr_of(atom)
    if atom.symbols().isdisjoint(values):
        return expr_of(atom)
    return _apply_operation(atom.name, [substitute(arg, values) for arg in atom.args])


def _apply_operation(name: str, args: list[Size]) -> Size:
    """Return an operation by name."""
    if name == "//":
        return floor_div(args[0], args[1])
    return modulo(args[0], args[1]) if name == "%" else _extreme(name, args)


def evaluate(size: Size, values: Mapping[Symbol, int]) -> int:
    """Return the number that a size is for these values.

    Raise KeyError for a symbol without value, and ZeroDivisionError as Python does.
    """
    if isinstance(size, int):
        return size
    total = 0
    for atoms, factor in size.terms:
        for atom in atoms:
            factor *= values[atom] if isinstance(atom, Symbol) else _evaluate_op(atom, values)
        total += factor
    return total


def _evaluate_op(op: Op, values: Mapping[Symbol, int]) -> int:
    """Return the number that an operation gives for these values."""
    return _FUNCTIONS[op.name](evaluate(arg, values) for arg in op.args)


def _floor(numbers: Iterable[int]) -> int:
    size, by = numbers
    return size // by


def _remainder(numbers: Iterable[int]) -> int:
    size, by = numbers
    return size % by


_FUNCTIONS: dict[str, Callable[[Iterable[int]], int]] = {"//": _floor, "%": _remainder, "min": min, "max": max}
