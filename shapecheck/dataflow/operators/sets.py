"""Operators between sets."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.item_join import joined_elements
from shapecheck.domain.join import generalise
from shapecheck.domain.values import Class, HomogeneousSeq, Library, Seq, Value, is_constant
from shapecheck.models.lang.traits import has
from shapecheck.shapes.size import Kind, fresh, unknown

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

OPERATORS = ("-", "&", "|", "^")
DTYPES = ("is a dtype of numbers", "is a dtype of texts", "is a dtype of NumPy")


def as_container(items: Seq | HomogeneousSeq, kind: Any) -> Seq | HomogeneousSeq:
    """Return a container of items; the size of a set is known only if all items are constants, tuples of them, or
    dtypes and classes."""
    if isinstance(items, HomogeneousSeq):
        return HomogeneousSeq(kind, items.element, items.length)
    if kind == "set" and not all(is_constant(item) or _is_distinct(item) for item in items.items):
        element = functools.reduce(generalise, items.items)
        return HomogeneousSeq(kind, element, fresh("n", Kind.LOST, why="number of distinct items"))
    return Seq(kind, tuple(dict.fromkeys(items.items)) if kind == "set" else items.items)


def _is_distinct(item: Value) -> bool:
    """Return whether a value equals no other one."""
    return isinstance(item, Class) or (isinstance(item, Library) and any(has(item.name, trait) for trait in DTYPES))


def set_operation(t: Tracer, op: str, a: Value, b: Value) -> Value | None:
    """Return the result of an operator on two frozen sets; None for other values."""
    if op not in OPERATORS or not all(
        isinstance(side, (Seq, HomogeneousSeq)) and side.kind == "set" for side in (a, b)
    ):
        return None
    return t.new_container("set", _constant_result(op, a, b) or _unknown_result(t, op, a, b))


def _constant_result(op: str, a: Value, b: Value) -> Seq | None:
    """Return the result for sets of constants."""
    if not isinstance(a, Seq) or not isinstance(b, Seq):
        return None
    if not all(map(is_constant, a.items + b.items)):
        return None
    left, right = dict.fromkeys(a.items), dict.fromkeys(b.items)
    both = left.keys() & right.keys()
    kept = {
        "-": [item for item in left if item not in both],
        "&": [item for item in left if item in both],
        "|": [*left, *(item for item in right if item not in both)],
        "^": [item for item in (*left, *right) if item not in both],
    }
    return Seq("set", tuple(kept[op]))


def _unknown_result(t: Tracer, op: str, a: Value, b: Value) -> HomogeneousSeq:
    """Return the result with an unknown number of items."""
    element = iteration.element(t, a) if op in "-&" else joined_elements(t, a, b)
    kind = unknown([iteration.length(t, a), iteration.length(t, b)])
    return HomogeneousSeq("set", element, fresh("n", kind, why="items of a set"))
