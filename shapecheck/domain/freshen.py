"""New unknowns for old ones: what is lost about one item of a sequence says nothing about the next."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import (
    Choice,
    Dict,
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
    """The value with every lost size in it replaced by another, the same one by the same one; those from before
    `shared` are kept."""
    return Freshening(shared=shared).value(value)


class Freshening:
    """Values made anew together: what is unknown in several of them stays the same unknown.  `since` is the first
    symbol and the first value that are young enough; without it all lost sizes are that are not `shared`, and no value
    is."""

    def __init__(self, since: tuple[Symbol, Lost] | None = None, shared: int = 0) -> None:
        self.symbols: dict[Symbol, Size] = {}
        self._unknowns: dict[Value, Value] = {}
        self._since = since
        self._first = shared if since is None else since[0].serial

    def _is_old(self, symbol: Symbol) -> bool:
        return not symbol.kind.is_lost or symbol.serial < self._first

    def _learn(self, symbols: frozenset[Symbol]) -> bool:
        young = [symbol for symbol in symbols if not self._is_old(symbol)]
        for symbol in young:
            if symbol not in self.symbols:
                new = fresh(symbol.name, symbol.kind, origin=symbol.origin, why=symbol.why, low=symbol.low)
                self.symbols[symbol] = new
        return bool(young)

    def _unknown(self, value: Lost | Scalar) -> Value:
        if self._since is None or value.serial < self._since[1].serial:
            return value
        if value not in self._unknowns:
            self._unknowns[value] = Lost(value.reason) if isinstance(value, Lost) else Scalar(value.kind)
        return self._unknowns[value]

    def size(self, size: Size) -> Size:
        if isinstance(size, int) or not self._learn(size.symbols()):
            return size
        return substitute(size, self.symbols)

    def shape(self, shape: Shape) -> Shape:
        return substitute_shape(shape, self.symbols) if self._learn(shape.symbols()) else shape

    def value(self, value: Value) -> Value:
        match value:
            case Lost() | Scalar():
                return self._unknown(value)
            case Tensor(shape=shape, content=content):
                new = self.shape(shape)
                inner = None if content is None else self.value(content)
                return value if new is shape and inner is content else replace(value, shape=new, content=inner)
            case Int(size=size):
                return of_size(self.size(size))
            case Seq(kind=kind, items=items):
                changed = tuple(map(self.value, items))
                return value if all(a is b for a, b in zip(items, changed, strict=True)) else Seq(kind, changed)
            case HomogeneousSeq(kind=kind, element=element, length=length, since=since):
                item, count = self.value(element), self.size(length)
                return value if item is element and count is length else HomogeneousSeq(kind, item, count, since=since)
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
