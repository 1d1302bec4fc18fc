"""Claims: statements about sizes that can be true or false."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from math import gcd
from typing import TypeAlias

from shapecheck.plain_data import dataclass
from shapecheck.shapes.size import Expr, Size, Symbol, bounds_with_counters, evaluate, substitute, symbols


@dataclass(frozen=True, slots=True)
class Equal:
    """Both sizes are equal."""

    a: Size
    b: Size

    def __str__(self) -> str:
        return f"{self.a} == {self.b}"


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The first size is at least the second."""

    a: Size
    b: Size

    def __str__(self) -> str:
        return f"{self.a} >= {self.b}"


@dataclass(frozen=True, slots=True)
class Divides:
    """The divisor is not zero and divides the size without remainder."""

    divisor: Size
    a: Size

    def __str__(self) -> str:
        return f"{_in_brackets(self.a)} % {_in_brackets(self.divisor)} == 0"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of the claims holds."""

    claims: tuple[Claim, ...]

    def __str__(self) -> str:
        return " or ".join(map(_claim_in_brackets, self.claims)) or "false"


@dataclass(frozen=True, slots=True)
class AllOf:
    """Each of the claims holds."""

    claims: tuple[Claim, ...]

    def __str__(self) -> str:
        return " and ".join(map(_claim_in_brackets, self.claims)) or "true"


@dataclass(frozen=True, slots=True)
class Not:
    """The claim does not hold."""

    claim: Claim

    def __str__(self) -> str:
        if isinstance(self.claim, Equal):
            return f"{self.claim.a} != {self.claim.b}"
        if isinstance(self.claim, AtLeast):
            return f"{self.claim.a} < {self.claim.b}"
        return f"not {_claim_in_brackets(self.claim) if not isinstance(self.claim, Divides) else f'({self.claim})'}"


Claim: TypeAlias = Equal | AtLeast | Divides | AnyOf | AllOf | Not
TRUE = AllOf(())
FALSE = AnyOf(())


def _in_brackets(size: Size) -> str:
    """Return the text of a size, in brackets if it is not a number or a name."""
    text = str(size)
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def _claim_in_brackets(claim: Claim) -> str:
    """Return the text of a claim, in brackets if it has several parts."""
    return f"({claim})" if isinstance(claim, (AnyOf, AllOf)) and claim.claims else str(claim)


@lru_cache(maxsize=20_000)
def claim_symbols(claim: Claim) -> frozenset[Symbol]:
    """Return all symbols in a claim."""
    if isinstance(claim, Not):
        return claim_symbols(claim.claim)
    if isinstance(claim, (AnyOf, AllOf)):
        return frozenset().union(*map(claim_symbols, claim.claims))
    return frozenset().union(*map(symbols, _sizes(claim)))


def claim_sizes(claim: Claim) -> Iterable[Size]:
    """Return all sizes that a claim compares."""
    if isinstance(claim, Not):
        return claim_sizes(claim.claim)
    if isinstance(claim, (AnyOf, AllOf)):
        return [size for part in claim.claims for size in claim_sizes(part)]
    return _sizes(claim)


def _sizes(claim: Equal | AtLeast | Divides) -> tuple[Size, Size]:
    """Return the two sizes that a simple claim compares."""
    return (claim.divisor, claim.a) if isinstance(claim, Divides) else (claim.a, claim.b)


def substitute_claim(claim: Claim, values: Mapping[Symbol, Size]) -> Claim:
    """Return the claim with symbols replaced."""
    if not values:
        return claim
    if isinstance(claim, Not):
        return Not(substitute_claim(claim.claim, values))
    if isinstance(claim, (AnyOf, AllOf)):
        return type(claim)(tuple(substitute_claim(part, values) for part in claim.claims))
    first, second = _sizes(claim)
    return type(claim)(substitute(first, values), substitute(second, values))


def holds(claim: Claim, values: Mapping[Symbol, int]) -> bool:
    """Return whether the claim is true for these numbers; raise ZeroDivisionError if one of its sizes is undefined."""
    if isinstance(claim, Not):
        return not holds(claim.claim, values)
    if isinstance(claim, AnyOf):
        return any(_each(claim.claims, values))
    if isinstance(claim, AllOf):
        return all(_each(claim.claims, values))
    first, second = (evaluate(size, values) for size in _sizes(claim))
    if isinstance(claim, Equal):
        return first == second
    return first >= second if isinstance(claim, AtLeast) else first != 0 and second % first == 0


def _each(claims: Iterable[Claim], values: Mapping[Symbol, int]) -> list[bool]:
    """Return the truth of each claim; all of them are computed, so that an undefined size is noticed."""
    return [holds(claim, values) for claim in claims]


@lru_cache(maxsize=50_000)
def simplify(claim: Claim) -> Claim:
    """Return an equivalent claim, which is TRUE or FALSE if normal forms, bounds or divisibility decide it."""
    if isinstance(claim, Not):
        return _negated(simplify(claim.claim))
    if isinstance(claim, AnyOf):
        return _combined(claim.claims, AnyOf, TRUE)
    if isinstance(claim, AllOf):
        return _combined(claim.claims, AllOf, FALSE)
    decided = _truth(claim)
    return claim if decided is None else TRUE if decided else FALSE


def _truth(claim: Equal | AtLeast | Divides) -> bool | None:
    """Return the truth of a simple claim, or None if it is not decided without a solver."""
    if isinstance(claim, Equal):
        return _equality(claim.a, claim.b)
    if isinstance(claim, AtLeast):
        return _at_least_truth(claim.a, claim.b)
    return _divisibility(claim.divisor, claim.a)


def _equality(a: Size, b: Size) -> bool | None:
    """Return whether two sizes are equal, or None if normal forms, bounds and divisibility do not decide it."""
    if (isinstance(a, int) and isinstance(b, int)) or a == b:
        return a == b
    gap = a - b
    if isinstance(gap, int):
        return gap == 0
    low, high = gap.bounds()
    if (low is not None and low > 0) or (high is not None and high < 0):
        return False
    return False if gap.constant % reduce(gcd, (factor for atoms, factor in gap.terms if atoms)) else None


def _at_least_truth(a: Size, b: Size) -> bool | None:
    """Return whether one size is at least another, or None if bounds do not decide it."""
    low, high = bounds_with_counters(a - b)
    if low is not None and low >= 0:
        return True
    return False if high is not None and high < 0 else None


def _divisibility(divisor: Size, a: Size) -> bool | None:
    """Return whether a divisor divides a size, or None if normal forms do not decide it."""
    if divisor == 0:
        return False
    left = a % divisor
    if isinstance(left, Expr):
        low = left.low()
        return False if low is not None and low > 0 else None
    if left:
        return False
    low = divisor if isinstance(divisor, int) else divisor.low()
    return True if isinstance(divisor, int) or (low is not None and low > 0) else None


def _negated(claim: Claim) -> Claim:
    """Return the negation of a claim."""
    if isinstance(claim, Not):
        return claim.claim
    if isinstance(claim, (AnyOf, AllOf)):
        kind = AllOf if isinstance(claim, AnyOf) else AnyOf
        return kind(tuple(map(_negated, claim.claims)))
    if isinstance(claim, AtLeast):
        return AtLeast(claim.b, claim.a + 1)
    return Not(claim)


def _combined(claims: Iterable[Claim], kind: type[AnyOf] | type[AllOf], decisive: Claim) -> Claim:
    """Return a simplified conjunction or disjunction; a part that equals `decisive` decides it."""
    neutral = FALSE if kind is AnyOf else TRUE
    parts: dict[Claim, None] = {}
    for claim in map(simplify, claims):
        if claim == decisive:
            return decisive
        for part in claim.claims if isinstance(claim, kind) else (claim,):
            parts[part] = None
    parts.pop(neutral, None)
    return next(iter(parts)) if len(parts) == 1 else kind(tuple(parts))


__all__ = [
    "FALSE",
    "TRUE",
    "AllOf",
    "AnyOf",
    "AtLeast",
    "Claim",
    "Divides",
    "Equal",
    "Not",
    "claim_sizes",
    "claim_symbols",
    "holds",
    "simplify",
    "substitute_claim",
]
