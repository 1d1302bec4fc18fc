"""Shapes: ranked, partial (a known head, an unknown middle, a known tail), or unranked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from shapecheck.plain_data import dataclass
from shapecheck.shapes.size import Size, Symbol, is_lost, product, substitute, symbols


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a tensor: ranked if `tail` is None, otherwise with any number of axes between `head` and `tail`."""

    head: tuple[Size, ...]
    tail: tuple[Size, ...] | None = None

    @property
    def is_ranked(self) -> bool:
        """True if the number of axes is known."""
        return self.tail is None

    @property
    def rank(self) -> int | None:
        """The number of axes, if known."""
        return len(self.head) if self.tail is None else None

    @property
    def min_rank(self) -> int:
        """The least number of axes."""
        return len(self.head) + len(self.tail or ())

    @property
    def sizes(self) -> tuple[Size, ...]:
        """All sizes; raises ValueError unless ranked."""
        if self.tail is not None:
            raise ValueError("the rank of the shape is unknown")
        return self.head

    @property
    def known(self) -> tuple[Size, ...]:
        """The sizes of the axes that are known to exist."""
        return self.head + (self.tail or ())

    def size(self, axis: int) -> Size | None:
        """Return the size of an axis (negative ones count from the end), None if unknown or out of range."""
        side = self.head if axis >= 0 or self.tail is None else self.tail
        return side[axis] if -len(side) <= axis < len(side) else None

    def elements(self) -> Size | None:
        """Return the number of elements, if the rank is known."""
        return product(self.head) if self.tail is None else None

    def symbols(self) -> frozenset[Symbol]:
        """Return all symbols in its sizes."""
        return frozenset().union(*map(symbols, self.known))

    def map(self, change: Callable[[Size], Size]) -> Shape:
        """Return the shape with each known size changed."""
        tail = None if self.tail is None else tuple(map(change, self.tail))
        return Shape(tuple(map(change, self.head)), tail)

    def __str__(self) -> str:
        return show(self)


UNRANKED = Shape((), ())
SCALAR = Shape(())


def ranked(*sizes: Size) -> Shape:
    """Return the shape with exactly these sizes."""
    return Shape(sizes)


def of(sizes: Iterable[Size]) -> Shape:
    """Return the shape with exactly these sizes."""
    return Shape(tuple(sizes))


def show_size(size: Size) -> str:
    """Return the text of a size, `?` if it depends on a lost symbol."""
    return "?" if is_lost(size) else str(size)


def show(shape: Shape) -> str:
    """Return `(32, 128)`, `(B, 128)`, `(?, 128)` with a lost size, `(B, ..., 128)` if partial, `?` if unranked."""
    if shape == UNRANKED:
        return "?"
    parts = [*map(show_size, shape.head)]
    if shape.tail is not None:
        parts += ["...", *map(show_size, shape.tail)]
    return f"({', '.join(parts)})" if len(parts) != 1 else f"({parts[0]},)"


def substitute_shape(shape: Shape, values: Mapping[Symbol, Size]) -> Shape:
    """Return the shape with symbols replaced in its sizes."""
    return shape.map(lambda size: substitute(size, values)) if values else shape


def join(a: Shape, b: Shape, fresh_size: Callable[[Size, Size], Size]) -> Shape:
    """Return the most precise shape that covers both; sizes that differ become `fresh_size(x, y)`."""
    if a == b:
        return a

    def merge(x: Size, y: Size) -> Size:
        return x if x == y else fresh_size(x, y)

    if a.tail is None and b.tail is None and len(a.head) == len(b.head):
        return Shape(tuple(map(merge, a.head, b.head)))
    available = min(a.min_rank, b.min_rank)
    front = _first_pairs(a, b)
    back = _last_pairs(a, b)
    prefix, suffix = _kept_axes(front, back, available)
    head = tuple(merge(x, y) for x, y in front[:prefix])
    tail = tuple(merge(x, y) for x, y in back[len(back) - suffix :])
    return Shape(head, tail)


def _first_pairs(a: Shape, b: Shape) -> list[tuple[Size, Size]]:
    """Return the sizes of two shapes in pairs, from the first axis on."""
    return list(zip(a.head, b.head, strict=False))


def _last_pairs(a: Shape, b: Shape) -> list[tuple[Size, Size]]:
    """Return the sizes of two shapes in pairs, up to the last axis."""
    mine, yours = (shape.head if shape.tail is None else shape.tail for shape in (a, b))
    count = min(len(mine), len(yours))
    return list(zip(mine[len(mine) - count :], yours[len(yours) - count :], strict=True))


def _kept_axes(front: list[tuple[Size, Size]], back: list[tuple[Size, Size]], available: int) -> tuple[int, int]:
    """Return the numbers of axes to keep at the front and at the back; together they fit the smaller rank.

    Axes that agree are preferred: first those at either end, then any others from the back.
    """
    prefix = min(_agreeing(front), available)
    suffix = min(_agreeing(back[::-1]), available - prefix)
    suffix += min(len(back) - suffix, available - prefix - suffix)
    prefix += min(len(front) - prefix, available - prefix - suffix)
    return prefix, suffix


def _agreeing(pairs: list[tuple[Size, Size]]) -> int:
    """Return the number of equal pairs before the first one that differs."""
    return next((at for at, (x, y) in enumerate(pairs) if x != y), len(pairs))


def differ(a: Shape, b: Shape) -> bool:
    """Return whether two shapes certainly differ."""
    if not a.is_ranked or not b.is_ranked:
        return False
    pairs = zip(a.sizes, b.sizes, strict=False)
    return a.rank != b.rank or any(x != y and isinstance(x, int) and isinstance(y, int) for x, y in pairs)
