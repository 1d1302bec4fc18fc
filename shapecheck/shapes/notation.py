"""The usual notation of expressions: `4*B`, `H//2`, `ceil(H/2)`, `7*B + 1`, `max(a, b)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeGuard, Union

from shapecheck.shapes.symbol import Symbol

Written: TypeAlias = Union[int, "Polynomial"]
Atom: TypeAlias = Union[Symbol, "Operation"]
Terms: TypeAlias = Sequence[tuple[Sequence[Atom], int]]


class Operation(Protocol):
    """The attributes of a quotient, remainder, minimum or maximum that are needed to write it."""

    @property
    def name(self) -> str: ...
    @property
    def args(self) -> Sequence[Written]: ...


class Polynomial(Protocol):
    """The attributes of an expression that are needed to write it."""

    @property
    def terms(self) -> Terms: ...


def write(size: Written) -> str:
    """Return the text of a size, with symbols by name."""
    return str(size) if isinstance(size, int) else _write_terms(size.terms)


def _write_terms(terms: Terms) -> str:
    """Return the text of a sum of terms."""
    constant = 0
    parts: list[tuple[str, bool]] = []
    for atoms, factor in terms:
        if atoms:
            parts.append((_write_term(atoms, abs(factor)), factor < 0))
            constant -= factor if len(atoms) == 1 and _is_symbolic_ceiling(atoms[0]) else 0
        else:
            constant += factor
    if constant:
        parts.append((str(abs(constant)), constant < 0))
    if all(minus for _, minus in parts) and len(terms[0][0]) == 1:  # the minus sign would belong to the dividend only
        parts[0] = (_write_term(terms[0][0], -terms[0][1], closed=True), True)
    return _write_sum(parts)


def _write_sum(parts: list[tuple[str, bool]]) -> str:
    """Return the sum of texts with signs (True is minus); a term without a minus comes first, if there is one."""
    first = next((at for at, (_, minus) in enumerate(parts) if not minus), 0)
    (text, minus), rest = parts[first], parts[:first] + parts[first + 1 :]
    signed = [f" {'-' if minus else '+'} {part}" for part, minus in rest]
    return ("-" if minus else "") + text + "".join(signed)


def _write_term(atoms: Sequence[Atom], factor: int, *, closed: bool = False) -> str:
    """Return the text of a product with a positive factor; `closed` adds brackets for a minus before it."""
    if len(atoms) == 1 and _is_symbolic_ceiling(atoms[0]):
        text = _write_ceiling(atoms[0])
        return text if factor == 1 else f"{factor}*{text}"
    if len(atoms) == 1 and factor == 1 and not closed:
        return _write_atom(atoms[0])
    factors = [str(factor)] if factor > 1 else []
    return "*".join(factors + [_write_factor(atom) for atom in atoms])


def _write_factor(atom: Atom) -> str:
    """Return the text of an atom as a factor."""
    closed = isinstance(atom, Symbol) or atom.name in ("min", "max") or _is_ceiling(atom)
    return _write_atom(atom) if closed else f"({_write_atom(atom)})"


def _write_atom(atom: Atom) -> str:
    """Return the text of an atom."""
    if isinstance(atom, Symbol):
        return atom.name
    if atom.name in ("min", "max"):
        return f"{atom.name}({', '.join(write(arg) for arg in atom.args)})"
    if _is_ceiling(atom):
        return _write_ceiling(atom)
    return f"{_write_operand(atom.args[0])}{_SIGNS[atom.name]}{_write_divisor(atom.args[1])}"


def _write_ceiling(op: Operation) -> str:
    """Return the text of a quotient that is rounded up."""
    return f"ceil({_write_operand(_without_constant(op.args[0]))}/{_write_divisor(op.args[1])})"


_SIGNS = {"//": "//", "%": " % "}


def _write_operand(terms: Written) -> str:
    """Return the text of a dividend; a product needs no brackets."""
    if isinstance(terms, int):
        return str(terms) if terms >= 0 else f"({terms})"
    (atoms, factor), *more = terms.terms
    if more or factor < 0:
        return f"({write(terms)})"
    if len(atoms) > 1 or factor > 1:
        return write(terms) if not _is_symbolic_ceiling(atoms[0]) else f"({write(terms)})"
    return _write_factor(atoms[0])


def _write_divisor(size: Written) -> str:
    """Return the text of a divisor."""
    if isinstance(size, int):
        return str(size) if size >= 0 else f"({size})"
    (atoms, factor), *more = size.terms
    return _write_factor(atoms[0]) if len(atoms) == 1 and factor == 1 and not more else f"({write(size)})"


def _is_ceiling(atom: Operation) -> bool:
    """Return whether an operation is (x + k - 1)//k, which is written as ceil(x/k)."""
    return atom.name == "//" and isinstance(atom.args[1], int) and _constant(atom.args[0]) == atom.args[1] - 1


def _is_symbolic_ceiling(atom: Atom) -> TypeGuard[Operation]:
    """Return whether an atom is (x - 1)//q with a symbolic q, which as a term is written as ceil(x/q) - 1."""
    if isinstance(atom, Symbol) or atom.name != "//" or isinstance(atom.args[1], int):
        return False
    return _constant(atom.args[0]) == -1 and not isinstance(atom.args[0], int)


def _constant(size: Written) -> int:
    """Return the constant term of a size."""
    if isinstance(size, int):
        return size
    atoms, factor = size.terms[-1]
    return 0 if atoms else factor


@dataclass(frozen=True)
class _Plain:
    """A polynomial with only the attributes that writing needs."""

    terms: Terms


def _without_constant(size: Written) -> Written:
    """Return the size without its constant term."""
    return 0 if isinstance(size, int) else _Plain(size.terms[:-1])
