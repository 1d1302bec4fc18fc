"""Operators between sets."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.item_join import joined_elements
from shapecheck.domain.join import generalise
from shapecheck.domain.values import Const, HomogeneousSeq, Seq, Value
from shapecheck.shapes.size import Kind, fresh, unknown

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

OPERATORS = ("-", "&", "|", "^")


def as_container(items: Seq | HomogeneousSeq, kind: Any) -> Seq | HomogeneousSeq:
    """A container of some kind made of items; how many of them a set keeps is told by constants alone."""
    if isinstance(items, HomogeneousSeq):
        return HomogeneousSeq(kind, items.element, items.length)
    if kind == "set" and not all(isinstance(item, Const) for item in items.items):
        element = functools.reduce(generalise, items.items)
        return HomogeneousSeq(kind, element, fresh("n", Kind.LOST, why="distinct items"))
    return Seq(kind, tuple(dict.fromkeys(items.items)) if kind == "set" else items.items)


def set_operation(t: Tracer, op: str, a: Value, b: Value) -> Value | None:
    """What an operator makes of two frozen sets; None if they are none."""
    if op not in OPERATORS or not all(
        isinstance(side, (Seq, HomogeneousSeq)) and side.kind == "set" for side in (a, b)
    ):
        return None
    return t.new_container("set", _known(op, a, b) or _some(t, op, a, b))


def _known(op: str, a: Value, b: Value) -> Seq | None:
    if not isinstance(a, Seq) or not isinstance(b, Seq):
        return None
    if not all(isinstance(item, Const) for item in a.items + b.items):
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


def _some(t: Tracer, op: str, a: Value, b: Value) -> HomogeneousSeq:
    """As many items as the computation tells."""
    element = iteration.element(t, a) if op in "-&" else joined_elements(t, a, b)
    kind = unknown([iteration.length(t, a), iteration.length(t, b)])
    return HomogeneousSeq("set", element, fresh("n", kind, why="as many as the sets tell"))
