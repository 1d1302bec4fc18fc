"""Expressions over sizes in normal form: polynomials whose atoms are symbols, quotients, remainders, minima, maxima.

An expression is defined only where none of its divisors is zero; there, its normal form has the same value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import reduce
from math import gcd
from typing import TypeAlias, Union

from shapecheck.shapes.interval import Bounds, add, floor_divide, maximum, minimum, multiply, remainder, scale
from shapecheck.shapes.notation import write
from shapecheck.shapes.symbol import Kind, Symbol

MAX_TERMS = 64
MAX_DEGREE = 8
MAX_WEIGHT = 400

Size: TypeAlias = Union[int, "Expr"]
Atom: TypeAlias = Union[Symbol, "Op"]
Monomial: TypeAlias = tuple[Atom, ...]


class Op:
    """A function of sizes that is not a polynomial: `//`, `%`, `min` or `max`."""

    __slots__ = ("_bounds", "_hash", "_symbols", "args", "key", "name", "weight")

    def __init__(self, name: str, args: tuple[Size, ...]) -> None:
        self.name = name
        self.args = args
        self.key = f"~{name}({','.join(key_of(arg) for arg in args)})"
        self.weight = 1 + sum(_weight(arg) for arg in args)
        self._hash = hash((ord(name[-1]), args))  # without hashes of strings, which differ between processes
        self._bounds: Bounds | None = None
        self._symbols: frozenset[Symbol] | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Op) and self._hash == other._hash and self.key == other.key)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Op({self.key})"

    def bounds(self) -> Bounds:
        """Return the least and the greatest value, as far as they are known."""
        if self._bounds is None:
            combine = {"//": floor_divide, "%": remainder, "min": minimum, "max": maximum}[self.name]
            self._bounds = reduce(combine, (bounds_of(arg) for arg in self.args))
        return self._bounds

    def symbols(self) -> frozenset[Symbol]:
        """Return all symbols in the arguments."""
        if self._symbols is None:
            self._symbols = frozenset().union(*(arg.symbols() for arg in self.args if isinstance(arg, Expr)))
        return self._symbols


class Expr:
    """A polynomial that is not constant; `==` compares normal forms, not values."""

    __slots__ = ("_bounds", "_hash", "_key", "_symbols", "terms")

    def __init__(self, terms: tuple[tuple[Monomial, int], ...]) -> None:
        self.terms = terms
        self._hash = hash(terms)
        self._key: str | None = None
        self._bounds: Bounds | None = None
        self._symbols: frozenset[Symbol] | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Expr) and self._hash == other._hash and self.terms == other.terms)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Expr({self.key})"

    def __str__(self) -> str:
        return write(self)

    def __add__(self, other: Size) -> Size:
        if isinstance(other, int):
            return _plus_number(self, other) if other else self
        return _sum(self, other, 1)

    __radd__ = __add__

    def __neg__(self) -> Expr:
        return Expr(tuple((monomial, -factor) for monomial, factor in self.terms))

    def __sub__(self, other: Size) -> Size:
        if isinstance(other, int):
            return _plus_number(self, -other) if other else self
        return 0 if self == other else _sum(self, other, -1)

    def __rsub__(self, other: Size) -> Size:
        return -self + other

    def __mul__(self, other: Size) -> Size:
        return self if other == 1 else _product(self, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Size) -> Size:
        return floor_div(self, other)

    def __rfloordiv__(self, other: Size) -> Size:
        return floor_div(other, self)

    def __mod__(self, other: Size) -> Size:
        return modulo(self, other)

    def __rmod__(self, other: Size) -> Size:
        return modulo(other, self)

    @property
    def key(self) -> str:
        """A text that identifies the expression: equal expressions have equal keys."""
        if self._key is None:
            self._key = "+".join(f"{factor}*{'*'.join(a.key for a in atoms)}" for atoms, factor in self.terms)
        return self._key

    @property
    def constant(self) -> int:
        """The term without atoms."""
        atoms, factor = self.terms[-1]
        return 0 if atoms else factor

    def atoms(self) -> frozenset[Atom]:
        """Return the symbols and operations that the polynomial consists of, without those inside operations."""
        return frozenset(atom for atoms, _ in self.terms for atom in atoms)

    def symbols(self) -> frozenset[Symbol]:
        """Return all symbols in it, at any depth."""
        if self._symbols is None:
            self._symbols = frozenset().union(*(atom.symbols() for atom in self.atoms()))
        return self._symbols

    def bounds(self) -> Bounds:
        """Return the least and the greatest value, as far as interval arithmetic knows them."""
        if self._bounds is None:
            self._bounds = reduce(add, (scale(_monomial_bounds(atoms), factor) for atoms, factor in self.terms))
        return self._bounds

    def low(self) -> int | None:
        """Return a lower bound, if interval arithmetic knows one."""
        return self.bounds()[0]

    def high(self) -> int | None:
        """Return an upper bound, if interval arithmetic knows one."""
        return self.bounds()[1]


def lost(why: str, low: int | None = None) -> Expr:
    """Return a size that the analysis could not follow."""
    return expr_of(Symbol("?", Kind.LOST, None, why, low))


def expr_of(atom: Atom) -> Expr:
    """Return the expression that consists of one atom."""
    return Expr((((atom,), 1),))


def bounds_of(size: Size) -> Bounds:
    """Return the least and the greatest value of a size, as far as they are known."""
    return (size, size) if isinstance(size, int) else size.bounds()


def _monomial_bounds(atoms: Monomial) -> Bounds:
    """Return the bounds of a product of atoms."""
    one: Bounds = (1, 1)
    return reduce(multiply, (atom.bounds() for atom in atoms), one)


def terms_of(size: Size) -> tuple[tuple[Monomial, int], ...]:
    """Return the terms of a polynomial, from the leading term to the constant."""
    if isinstance(size, int):
        return (((), size),) if size else ()
    return size.terms


def polynomial(terms: Mapping[Monomial, int]) -> Size:
    """Return the size with these terms; a lost one if it is too large to follow."""
    kept = [(atoms, factor) for atoms, factor in terms.items() if factor]
    if not kept:
        return 0
    if len(kept) == 1 and not kept[0][0]:
        return kept[0][1]
    kept.sort(key=_term_order)
    result = Expr(tuple(kept))
    weight = sum(atom.weight for atoms, _ in kept for atom in atoms)
    if len(kept) > MAX_TERMS or len(kept[0][0]) > MAX_DEGREE or weight > MAX_WEIGHT:
        return lost("the expression grew too large", result.low())
    return result


def key_of(size: Size) -> str:
    """Return a text that identifies a size: equal sizes have equal keys."""
    return str(size) if isinstance(size, int) else size.key


def _weight(size: Size) -> int:
    """Return the number of atoms in a size, at any depth."""
    return 0 if isinstance(size, int) else sum(atom.weight for atoms, _ in size.terms for atom in atoms)


def _term_order(term: tuple[Monomial, int]) -> tuple[int, tuple[str, ...]]:
    """Return a key for graded lexicographic order, in which leading terms multiply to leading terms."""
    atoms = term[0]
    return -len(atoms), tuple([atom.key for atom in atoms])


def _plus_number(size: Expr, by: int) -> Expr:
    """Return the size plus a number."""
    constant = size.constant
    terms = size.terms[:-1] if constant else size.terms
    return Expr((*terms, ((), constant + by)) if constant + by else terms)


def _sum(left: Expr, right: Expr, sign: int) -> Size:
    """Return the sum of two expressions, or their difference if `sign` is -1."""
    terms = dict(left.terms)
    for atoms, factor in right.terms:
        terms[atoms] = terms.get(atoms, 0) + sign * factor
    return polynomial(terms)


def _product(left: Expr, right: Size) -> Size:
    """Return the product of an expression and a size."""
    terms: dict[Monomial, int] = {}
    for atoms, factor in left.terms:
        for more, times in terms_of(right):
            merged = tuple(sorted(atoms + more, key=_atom_key)) if atoms and more else atoms or more
            terms[merged] = terms.get(merged, 0) + factor * times
    return polynomial(terms)


def _atom_key(atom: Atom) -> str:
    return atom.key


def apply(name: str, *args: Size) -> Size:
    """Return an operation on these arguments, or a number if their bounds determine it."""
    op = Op(name, args)
    low, high = op.bounds()
    return low if low is not None and low == high else polynomial({(op,): 1})


def floor_div(size: Size, by: Size) -> Size:
    """Return `size // by`; lost if `by` is the number zero."""
    if isinstance(by, int):
        if isinstance(size, int):
            return size // by if by else lost("division by zero")
        if by <= 0:
            return floor_div(-size, -by) if by else lost("division by zero")
        return _floor_int(size, by)
    whole, rest = split(size, by)
    return whole + _floor_symbolic(rest, by)


def _floor_int(size: Expr, by: int) -> Size:
    """Return the quotient of an expression and a positive number."""
    whole, rest = _split_int(size, by)
    if isinstance(rest, int):
        return whole + rest // by
    if rest.terms[0][1] < 0:  # (-x)//k is written as -ceil(x/k), a normal form for rounding up
        return whole - floor_div(by - 1 - rest, by)
    common = reduce(gcd, (factor for atoms, factor in rest.terms if atoms), by)
    if common > 1:
        rest, by = _quotient(rest, (), common), by // common
        return whole + floor_div(rest, by)
    low, high = rest.bounds()
    if low is not None and high is not None and low // by == high // by:
        return whole + low // by
    return whole + _nested_quotient(rest, by)


def _split_int(size: Expr, by: int) -> tuple[Size, Size]:
    """Return (whole, rest) with `size == whole*by + rest`, and the constant of the rest within 0 .. by-1."""
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for atoms, factor in size.terms:
        if not atoms:
            whole[()], rest[()] = divmod(factor, by)
        elif factor % by == 0:
            whole[atoms] = factor // by
        else:
            rest[atoms] = factor
    return polynomial(whole), polynomial(rest)


def _nested_quotient(size: Expr, by: Size) -> Size:
    """Return `size // by`, merged with a division inside it: (x//a + c)//b == (x + a*c)//(a*b) for b > 0."""
    inner = size.terms[0][0]
    alone = len(size.terms) == 1 or (len(size.terms) == 2 and size.constant)
    if alone and len(inner) == 1 and size.terms[0][1] == 1 and isinstance(inner[0], Op) and inner[0].name == "//":
        dividend, divisor = inner[0].args
        return floor_div(dividend + divisor * size.constant, divisor * by)
    return apply("//", size, by)


def split(size: Size, by: Expr) -> tuple[Size, Size]:
    """Return (whole, rest) with `size == whole*by + rest` by long division.

    The result is (0, size) if that is not simpler.
    """
    lead, unit = by.terms[0]
    whole: Size = 0
    kept: Size = 0
    rest = size
    for _ in range(MAX_TERMS):
        if rest == 0:
            break
        atoms, factor = terms_of(rest)[0]
        left = _monomial_quotient(atoms, lead)
        part = polynomial({left: factor // unit} if left is not None and factor % unit == 0 else {})
        if part == 0:
            leading = polynomial({atoms: factor})
            kept, rest = kept + leading, rest - leading
        else:
            whole, rest = whole + part, rest - part * by
    simpler = len(terms_of(kept)) < len(terms_of(size))
    return (whole, kept) if rest == 0 and simpler else (0, size)


def _monomial_quotient(atoms: Monomial, removed: Monomial) -> Monomial | None:
    """Return the quotient of two monomials, or None if it is not a monomial."""
    left = list(atoms)
    for atom in removed:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def _floor_symbolic(size: Size, by: Expr) -> Size:
    """Return the quotient of a size and an expression."""
    if size == 0:
        return 0
    size, reduced = _cancel(size, by)
    if isinstance(reduced, int):
        return floor_div(size, reduced)
    low = reduced.low()
    if low is None or low < 0:
        return apply("//", size, reduced)
    if terms_of(size)[0][1] < 0:  # (-x)//q is -((x - 1)//q + 1)
        return -(floor_div(-size - 1, reduced) + 1)
    return _nested_quotient(size, reduced) if isinstance(size, Expr) else apply("//", size, reduced)


def _cancel(size: Size, by: Expr) -> tuple[Size, Size]:
    """Return dividend and divisor without the common factors of all their terms (a divisor is never zero)."""
    terms = terms_of(size) + by.terms
    shared = reduce(Counter.__and__, (Counter(atoms) for atoms, _ in terms))
    unit = reduce(gcd, (factor for _, factor in terms))
    if not shared and unit == 1:
        return size, by
    removed = tuple(shared.elements())
    return _quotient(size, removed, unit), _quotient(by, removed, unit)


def _quotient(size: Size, atoms: Monomial, unit: int) -> Size:
    """Return the polynomial divided by a common factor of its terms; the constant is rounded down."""
    return polynomial({_monomial_quotient(own, atoms) or (): factor // unit for own, factor in terms_of(size)})


def modulo(size: Size, by: Size) -> Size:
    """Return `size % by`; lost if `by` is the number zero."""
    if isinstance(by, int):
        if isinstance(size, int):
            return size % by if by else lost("division by zero")
        if by <= 0:
            return -modulo(-size, -by) if by else lost("division by zero")
        return _modulo_int(size, by)
    rest = split(size, by)[1]
    return apply("%", rest, by) if rest != 0 else 0


def _modulo_int(size: Expr, by: int) -> Size:
    """Return the remainder of an expression and a positive number."""
    rest: Size = 0
    for atoms, factor in size.terms:
        rest = rest + _reduced_monomial(atoms, by) * (factor % by)
    if isinstance(rest, int):
        return rest % by
    if rest != size:
        return _modulo_int(rest, by)
    low, high = rest.bounds()
    if low is not None and high is not None and low // by == high // by:
        return rest - low // by * by
    common = reduce(gcd, (factor for _, factor in rest.terms), by)
    if common > 1:
        return common * modulo(_quotient(rest, (), common), by // common)
    return apply("%", rest, by)


def _reduced_monomial(atoms: Monomial, by: int) -> Size:
    """Return the monomial, or one with the same remainder: (x % m) % k == x % k if k divides m."""
    if len(atoms) == 1 and isinstance(atoms[0], Op) and atoms[0].name == "%":
        dividend, divisor = atoms[0].args
        if isinstance(divisor, int) and divisor % by == 0:
            return dividend
    return polynomial({atoms: 1})
