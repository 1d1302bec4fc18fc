"""Symbols: sizes that are not known numbers, each with a reason."""

from __future__ import annotations

import itertools
from enum import Enum
from typing import TYPE_CHECKING

from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.shapes.expr import Size

_FIRST = 1_000_000  # lower numbers belong to symbols made at import time

_serials = itertools.count(1)


def restart_serials() -> None:
    """Restart the numbering of symbols; no symbol made before may be used afterwards."""
    global _serials
    _serials = itertools.count(_FIRST)


def next_serial() -> int:
    """Return a serial number between those of all existing and all future symbols."""
    return next(_serials)


class Kind(Enum):
    """The reason why a size is not a number."""

    DYNAMIC = "dynamic"  # declared as open: the batch of an Input, a placeholder's None
    FREE = "free"  # decided by a caller or the data: an argument's size, the rows of a file
    DATA = "data"  # depends on the elements of an array: a number that it contains
    COUNTED = "counted"  # the number of elements with some property, as the true entries of a mask
    LOST = "lost"  # not followed by the analysis

    @property
    def is_lost(self) -> bool:
        """True if nothing may be concluded from such a size, and no message may name it."""
        return self in _NOT_KNOWN


_NOT_KNOWN = frozenset({Kind.DATA, Kind.COUNTED, Kind.LOST})


class Symbol:
    """An unknown integer; two symbols with the same name are different symbols.

    `lower` and `upper` are the bounds of a counter, which may depend on other symbols.
    """

    __slots__ = ("key", "kind", "low", "lower", "name", "origin", "serial", "upper", "why")
    weight = 1

    def __init__(
        self,
        name: str,
        kind: Kind,
        origin: Place | None,
        why: str,
        low: int | None,
        lower: Size | None = None,
        upper: Size | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.origin = origin
        self.why = why
        self.low = low
        self.lower = lower
        self.upper = upper
        self.serial = next(_serials)
        self.key = f"{name}#{self.serial:09d}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbol) and other.serial == self.serial

    def __hash__(self) -> int:
        return self.serial

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Symbol({self.key})"

    def bounds(self) -> tuple[int | None, int | None]:
        """Return the least and the greatest value, as far as they are known."""
        return self.low, self.upper if isinstance(self.upper, int) else None

    def symbols(self) -> frozenset[Symbol]:
        """Return the set of this symbol alone."""
        return frozenset((self,))
