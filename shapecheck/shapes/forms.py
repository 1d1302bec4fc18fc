"""Forms of claims: everything but the names of their symbols. Claims of one form can hold together, or none can."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from shapecheck.shapes.claims import AllOf, AnyOf, Claim, Not, claim_sizes
from shapecheck.shapes.size import Atom, Size, Symbol


def claims_form(claims: Iterable[Claim]) -> Hashable:
    """Return the form of claims that hold together."""
    numbering = _Numbering()
    return tuple(map(numbering.claim, claims))


class _Numbering:
    """Symbols by the order in which they occur, each with what its value is known to be."""

    def __init__(self) -> None:
        self._numbers: dict[Symbol, Hashable] = {}

    def claim(self, claim: Claim) -> Hashable:
        """Return the form of a claim."""
        if isinstance(claim, Not):
            return (Not, self.claim(claim.claim))
        if isinstance(claim, (AnyOf, AllOf)):
            return (type(claim), *map(self.claim, claim.claims))
        return (type(claim), *map(self._size, claim_sizes(claim)))

    def _size(self, size: Size) -> Hashable:
        if isinstance(size, int):
            return size
        return tuple([(tuple(map(self._atom, atoms)), factor) for atoms, factor in size.terms])

    def _atom(self, atom: Atom) -> Hashable:
        if not isinstance(atom, Symbol):
            return (atom.name, *map(self._size, atom.args))
        if atom not in self._numbers:
            number = self._numbers[atom] = len(self._numbers)
            bounds = (self._size(bound) for bound in (atom.lower, atom.upper) if bound is not None)
            return (number, atom.low, atom.lower is None, *bounds)
        return self._numbers[atom]
