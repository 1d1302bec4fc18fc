"""Sizes: integers, and expressions over symbols in normal form.

`==` compares normal forms; meaning goes through `shapecheck.shapes.solve.decide`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from shapecheck.shapes.ends import ends_of
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
    "ceildiv",
    "counter",
    "ends_of",
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
    """A new symbol; `low` is what it is at least by construction (0 for a size, None for any integer)."""
    return expr_of(Symbol(name, kind, origin, why, low))


def counter(name: str, *, origin: Place | None, why: str, least: Size, most: Size) -> Expr:
    """A lost number that goes from one size to another."""
    low = ends_of(least)[0]
    return expr_of(Symbol(name, Kind.LOST, origin, why, low, least, most))


def ceildiv(size: Size, by: Size) -> Size:
    """The quotient rounded up."""
    if isinstance(size, int) and isinstance(by, int) and by:
        return -(-size // by)
    return -floor_div(-size, by)


def minimum(first: Size, *more: Size) -> Size:
    """The least of the sizes."""
    return _extreme("min", (first, *more)) if more else first


def maximum(first: Size, *more: Size) -> Size:
    """The greatest of the sizes."""
    return _extreme("max", (first, *more)) if more else first


def _extreme(name: str, sizes: Iterable[Size]) -> Size:
    """The `min` or `max` of some sizes, without those that bounds show to be beaten."""
    kept: list[Size] = []
    for size in _flat(name, sizes):
        if any(_beats(name, other, size) for other in kept):
            continue
        kept = [other for other in kept if not _beats(name, size, other)]
        kept.append(size)
    if len(kept) == 1:
        return kept[0]
    return apply(name, *sorted(kept, key=key_of))


def _flat(name: str, sizes: Iterable[Size]) -> Iterable[Size]:
    for size in sizes:
        atom = size.terms[0][0][0] if isinstance(size, Expr) else None
        if isinstance(atom, Op) and atom.name == name and size == expr_of(atom):
            yield from atom.args
        else:
            yield size


def _beats(name: str, winner: Size, loser: Size) -> bool:
    low, high = ends_of(winner - loser)
    return low is not None and low >= 0 if name == "max" else high is not None and high <= 0


def product(sizes: Iterable[Size]) -> Size:
    """The product of the sizes, 1 of none."""
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
    """All symbols in a size."""
    return frozenset() if isinstance(size, int) else size.symbols()


def is_lost(size: Size) -> bool:
    """Whether a size depends on something that we failed to follow, or that only the data tell."""
    return not isinstance(size, int) and any(symbol.kind.is_lost for symbol in size.symbols())


def is_open(size: Size) -> bool:
    """Whether a size is declared to be any, as that of a batch is."""
    declared = [] if isinstance(size, int) else [s for s in size.symbols() if s.kind is Kind.DYNAMIC]
    return any(size == expr_of(symbol) for symbol in declared)


def or_held(size: Size, resolved: Size) -> Size:
    """What a size is resolved to.  A number that somebody gives, and the program holds, stays one where it is that of
    axes which are declared open: graphs are built with the first, and never know the second."""
    is_held = all(symbol.kind is Kind.FREE for symbol in symbols(size))
    return size if is_held and any(symbol.kind is Kind.DYNAMIC for symbol in symbols(resolved)) else resolved


def unknown(of: Iterable[Size]) -> Kind:
    """What a size is that only the computation tells, given those that it depends on."""
    followed = all(symbol.kind is not Kind.LOST for size in of for symbol in symbols(size))
    return Kind.DATA if followed else Kind.LOST


def substitute(size: Size, values: Mapping[Symbol, Size]) -> Size:
    """The size with symbols replaced, all at once."""
    if isinstance(size, int) or not values or size.symbols().isdisjoint(values):
        return size
    total: Size = 0
    for atoms, factor in size.terms:
        total = total + product([factor, *(_substitute_atom(atom, values) for atom in atoms)])
    return total


def _substitute_atom(atom: Atom, values: Mapping[Symbol, Size]) -> Size:
    if isinstance(atom, Symbol):
        return values[atom] if atom in values else expr_of(atom)
    if atom.symbols().isdisjoint(values):
        return expr_of(atom)
    return _applied(atom.name, [substitute(arg, values) for arg in atom.args])


def _applied(name: str, args: list[Size]) -> Size:
    if name == "//":
        return floor_div(args[0], args[1])
    return modulo(args[0], args[1]) if name == "%" else _extreme(name, args)


def evaluate(size: Size, values: Mapping[Symbol, int]) -> int:
    """The number that a size is; raises KeyError for a symbol without value, ZeroDivisionError as Python does."""
    if isinstance(size, int):
        return size
    total = 0
    for atoms, factor in size.terms:
        for atom in atoms:
            factor *= values[atom] if isinstance(atom, Symbol) else _evaluate_op(atom, values)
        total += factor
    return total


def _evaluate_op(op: Op, values: Mapping[Symbol, int]) -> int:
    return _FUNCTIONS[op.name](evaluate(arg, values) for arg in op.args)


def _floor(numbers: Iterable[int]) -> int:
    size, by = numbers
    return size // by


def _remainder(numbers: Iterable[int]) -> int:
    size, by = numbers
    return size % by


_FUNCTIONS: dict[str, Callable[[Iterable[int]], int]] = {"//": _floor, "%": _remainder, "min": min, "max": max}
