"""`+` of sequences: a list joins lists alone, and a tuple joins tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.item_join import joined_elements
from shapecheck.dataflow.paths.constraints import end_if_tolerated, require
from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Int, Range, Seq, Value, as_size
from shapecheck.shapes.facts import FALSE
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def added(t: Tracer, left: Value, right: Value, known: tuple[Value, Value], place: Place) -> Value | None:
    """Return the sum of two operands, of which this is known, if one is a sequence; None otherwise."""
    a, b = known
    if said := _never_added(a, b):
        with t.during(t.add_step("op", "+", [left, right], {}, place)):
            require(t, ClashKind.SEQUENCES, FALSE, said, left, right)
        end_if_tolerated(t, "+", place)
        return t.failed()
    if isinstance(a, (Seq, HomogeneousSeq, Range)) and isinstance(b, (Seq, HomogeneousSeq, Range)):
        if {getattr(each, "kind", "list") for each in (a, b)} == {"list", "shape"}:  # a tuple since Keras 3
            t.program.is_version_decisive |= t.target.is_unmarked
        return _concatenated(t, a, b)
    return None


def _concatenated(t: Tracer, a: Seq | HomogeneousSeq | Range, b: Seq | HomogeneousSeq | Range) -> Value:
    kind = "list" if isinstance(a, Range) else a.kind
    first, second = iteration.elements(t, a), iteration.elements(t, b)
    joined: Value
    if first is not None and second is not None:
        joined = Seq(kind, first + second)  # type: ignore[arg-type]
    else:
        length = iteration.length(t, a) + iteration.length(t, b)
        joined = HomogeneousSeq(kind, joined_elements(t, a, b), length)
    return t.new_container(kind, joined) if kind in ("list", "set") else joined


def _never_added(a: Value, b: Value) -> str:
    """Return why Python refuses to add two parts of a shape, a list and a tuple or a sequence and a number; "" if it
    does not, or if they are no parts of a shape."""
    kinds = [_kind(value) for value in (a, b)]
    if None in kinds or kinds[0] == kinds[1]:
        return ""
    return " and ".join(f"{'an' if kind == 'integer' else 'a'} {kind}" for kind in kinds if kind) + " cannot be added"


def _kind(value: Value) -> str | None:
    """Return what a value is as a part of a shape."""
    if isinstance(value, Seq) and value.kind in ("list", "tuple"):
        return value.kind if all(item == NONE or as_size(item) is not None for item in value.items) else None
    is_integer = isinstance(value, Int) or (isinstance(value, Const) and as_size(value) is not None)
    return "integer" if is_integer else None
