"""Freshening: unknown symbols get new identities, since one item of a sequence says nothing about the next."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import (
    Choice,
    Dict,
    Failed,
    HomogeneousSeq,
    Int,
    Lost,
    Range,
    Scalar,
    Seq,
    SliceValue,
    Tensor,
    Value,
    of_size,
)
from shapecheck.shapes.shape import Shape, substitute_shape
from shapecheck.shapes.size import Size, Symbol, fresh, substitute


def freshened(value: Value, shared: int = 0) -> Value:
    """Return the value with each lost symbol replaced by a new one.

    Equal symbols are replaced by equal ones. Symbols that are older than `shared` are kept.
    """
    return Freshening(shared=shared).value(value)


def another(item: Value, shared: int = 0) -> Value:
    """Return an item of a sequence whose items are alike: unknown values are others than those of any item before."""
    return Freshening(shared=shared, unknowns=True).value(item)


class Freshening:
    """One freshening of several values: an unknown that occurs in several of them stays one unknown.

    With `since` (a symbol and a lost value), symbols and unknown values that are at least as new are replaced. Without
    it, all lost symbols are replaced that are not older than `shared`, and unknown values only with `unknowns`.
    """

    def __init__(self, since: tuple[Symbol, Lost] | None = None, shared: int = 0, *, unknowns: bool = False) -> None:
        self.symbols: dict[Symbol, Size] = {}
        self._unknowns: dict[Value, Value] = {}
        self._oldest = since[1].serial if since is not None else 1 if unknowns else None
        self._first = shared if since is None else since[0].serial

    def _is_old(self, symbol: Symbol) -> bool:
        """Return whether a symbol is kept."""
        return not symbol.kind.is_lost or symbol.serial < self._first

    def _make_replacements(self, symbols: frozenset[Symbol]) -> bool:
        """Make replacements for the new symbols among these; return whether there are any."""
        new_symbols = [symbol for symbol in symbols if not self._is_old(symbol)]
        for symbol in new_symbols:
            if symbol not in self.symbols:
                new = fresh(symbol.name, symbol.kind, origin=symbol.origin, why=symbol.why, low=symbol.low)
                self.symbols[symbol] = new
        return bool(new_symbols)

    def _fresh_unknown(self, value: Lost | Scalar) -> Value:
        """Return the replacement of an unknown value."""
        if self._oldest is None or value.serial < self._oldest or isinstance(value, Failed):
            return value
        if value not in self._unknowns:
            self._unknowns[value] = Lost(value.reason) if isinstance(value, Lost) else Scalar(value.kind)
        return self._unknowns[value]

    def size(self, size: Size) -> Size:
        """Return the size with its new symbols replaced."""
        if isinstance(size, int) or not self._make_replacements(size.symbols()):
            return size
        return substitute(size, self.symbols)

    def shape(self, shape: Shape) -> Shape:
        """Return the shape with its new symbols replaced."""
        return substitute_shape(shape, self.symbols) if self._make_replacements(shape.symbols()) else shape

    def value(self, value: Value) -> Value:
        """Return the value with its new symbols and unknown values replaced."""
        match value:
            case Lost() | Scalar():
                return self._fresh_unknown(value)
            case Tensor():
                return self._tensor(value)
            case Int(size=size):
                return of_size(self.size(size))
            case Seq(kind=kind, items=items):
                changed = tuple(map(self.value, items))
                return value if all(a is b for a, b in zip(items, changed, strict=True)) else Seq(kind, changed)
            case HomogeneousSeq():
                return self._elements(value)
            case Dict(items=pairs, rest=rest):
                known = tuple((key, self.value(item)) for key, item in pairs)
                return Dict(known, None if rest is None else self.value(rest))
            case Range(start=start, stop=stop, step=step):
                return Range(self.size(start), self.size(stop), self.size(step))
            case SliceValue(lower=lower, upper=upper, step=step):
                return SliceValue(self.value(lower), self.value(upper), self.value(step))
            case Choice(options=options):
                return Choice(tuple((guard, self.value(option)) for guard, option in options))
        return value

    def _tensor(self, tensor: Tensor) -> Tensor:
        shape = self.shape(tensor.shape)
        content = None if tensor.content is None else self.value(tensor.content)
        is_same = shape is tensor.shape and content is tensor.content
        return tensor if is_same else replace(tensor, shape=shape, content=content)

    def _elements(self, many: HomogeneousSeq) -> HomogeneousSeq:
        element, length = self.value(many.element), self.size(many.length)
        is_same = element is many.element and length is many.length
        return many if is_same else HomogeneousSeq(many.kind, element, length, since=many.since)
