"""Operators and attributes that lists and tuples do not have: they are no arrays."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import end_if_tolerated, require
from shapecheck.domain.values import Const, Failed, HomogeneousSeq, Int, Ref, Seq, Value
from shapecheck.models.lang.packs import classes_of_arrays
from shapecheck.models.lang.registry import lookup_attribute, lookup_method
from shapecheck.shapes.facts import FALSE
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_SEQUENCES = {"list": list, "tuple": tuple}
_OF_NUMBERS = frozenset({"-", "/", "//", "**", "%", "@"})
_ORDERS = frozenset({"<", "<=", ">", ">="})


def refuse_sequence(t: Tracer, op: str, operands: tuple[Value, ...], place: Place) -> Failed | None:
    """State that an operator is defined for its operands; if it certainly is not, return the failed result.

    These are a list or tuple and a number, or two of them that are not ordered; one alone is negated. A number that a
    library gave may be one of its own, which takes lists.
    """
    known = tuple(t.freeze(value, deep=False) for value in operands)
    kinds = [_kind(value) for value in known]
    if None in kinds or not _is_undefined(op, kinds):
        return None
    return _refuse(t, op, f"{op} is not defined for {_said(kinds)}", operands, place)


def refuse_attribute(t: Tracer, owner: Value, name: str, place: Place) -> Failed | None:
    """State that what has this attribute is no list or tuple; if it certainly is one, return the failed result."""
    is_object = isinstance(owner, Ref) and owner.cls not in _SEQUENCES  # perhaps of a class derived from them
    kind = None if is_object else _kind(t.freeze(owner, deep=False))
    if kind not in _SEQUENCES or hasattr(_SEQUENCES[kind], name) or not _is_of_arrays(name):
        return None
    return _refuse(t, f".{name}", f".{name} is not defined for a {kind}", (owner,), place)


def _refuse(t: Tracer, op: str, said: str, operands: tuple[Value, ...], place: Place) -> Failed:
    with t.during(t.add_step("op", op, list(operands), {}, place)):
        require(t, ClashKind.SEQUENCES, FALSE, said, *operands)
    end_if_tolerated(t, op, place)
    return t.failed()


@cache
def _is_of_arrays(name: str) -> bool:
    """Return whether arrays have an attribute, and no class that models give as a sequence."""
    classes = classes_of_arrays()
    is_known = any(lookup_attribute(cls, name) or lookup_method(cls, name) for cls in classes)
    return is_known and not (lookup_attribute("tuple", name) or lookup_method("tuple", name))


def _said(kinds: list[str | None]) -> str:
    """Return the words for operands of these kinds."""
    one = kinds[0] if len(set(kinds)) == 1 else None
    return " and ".join(f"a {kind}" for kind in kinds) if one is None or len(kinds) == 1 else f"two {one}s"


def _is_undefined(op: str, kinds: list[str | None]) -> bool:
    """Return whether Python raises a TypeError for operands of these kinds."""
    sequences = [kind for kind in kinds if kind != "number"]
    if op in _ORDERS:
        return len(sequences) == 1
    if len(kinds) == 1 or op in _OF_NUMBERS:
        return bool(sequences)
    return op == "*" and len(sequences) == 2


def _kind(value: Value) -> str | None:
    """Return whether a value is a list, a tuple or a number of Python; None for others."""
    match value:
        case Seq(kind="list" | "tuple" as kind) | HomogeneousSeq(kind="list" | "tuple" as kind):
            return kind
        case Int() | Const(value=int() | float() | complex()):
            return "number"
    return None
