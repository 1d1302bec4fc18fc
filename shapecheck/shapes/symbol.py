"""Symbols: sizes that are not numbers, each with the reason why."""

from __future__ import annotations

import itertools
from enum import Enum
from typing import TYPE_CHECKING

from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.shapes.expr import Size

_FIRST = 1_000_000  # symbols that modules make for good have lower numbers

_serials = itertools.count(1)


def count_anew() -> None:
    """Numbers symbols from the beginning again; nothing may be left that knows those made before."""
    global _serials
    _serials = itertools.count(_FIRST)


def now() -> int:
    """A number below those of all symbols to come, and above those of all that are there."""
    return next(_serials)


class Kind(Enum):
    """Why a size is not a number."""

    DYNAMIC = "dynamic"  # declared so: the batch of an Input, a placeholder's None
    FREE = "free"  # a real parameter of the program: an argument's size, the rows of a file
    DATA = "data"  # only the computation tells: how many entries of a mask are true
    LOST = "lost"  # we failed to follow

    @property
    def is_lost(self) -> bool:
        """Whether nothing may be said about such a size, and no message may name it."""
        return self is Kind.LOST or self is Kind.DATA


class Symbol:
    """An integer we do not know; two symbols of one name are still two symbols.

    `least` and `most` are the ends of a counter, which may depend on other symbols.
    """

    __slots__ = ("key", "kind", "least", "low", "most", "name", "origin", "serial", "why")
    weight = 1

    def __init__(
        self,
        name: str,
        kind: Kind,
        origin: Place | None,
        why: str,
        low: int | None,
        least: Size | None = None,
        most: Size | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.origin = origin
        self.why = why
        self.low = low
        self.least = least
        self.most = most
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
        """The least and the greatest value it can have, where known."""
        return self.low, self.most if isinstance(self.most, int) else None

    def symbols(self) -> frozenset[Symbol]:
        """Itself."""
        return frozenset((self,))
