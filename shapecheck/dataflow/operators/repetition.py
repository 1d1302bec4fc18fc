"""Repetition of sequences: `[0] * n`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.paths.float_counts import check_counts
from shapecheck.domain.values import Choice, Const, HomogeneousSeq, Int, Lost, Ref, Scalar, Seq, Tensor, Value, as_size
from shapecheck.shapes.dtype import canonical, kind
from shapecheck.shapes.size import Kind, Size, fresh
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_REPEAT = 4096


def repeated(t: Tracer, sequence: Seq | HomogeneousSeq, count: Value, place: Place) -> Value:
    """Return a sequence times a value. If the value is lost, it may be an array: then a list of numbers is a factor."""
    if isinstance(count, Lost) and _is_array_like(t, sequence):
        return t.lost("operator on a lost value")
    check_counts(t, "*", [count], "the number of repetitions is a float, not an integer", place)
    return _repeat(t, sequence, as_size(count))


def repeated_by_scalar(t: Tracer, left: Value, right: Value) -> Value | None:
    """Return a list times a NumPy integer, which is a longer list and not a product; None for other operands."""
    for sequence, count in ((left, right), (right, left)):
        frozen = t.freeze(sequence, deep=False)
        if not isinstance(frozen, (Seq, HomogeneousSeq)) or not isinstance(count, Tensor) or count.shape.rank != 0:
            continue
        if count.dtype is None:  # a factor or a number of repetitions
            return t.lost("a list times a number of unknown type")
        if kind(canonical(count.dtype) or "") == "int":
            return _repeat(t, frozen, as_size(count))
    return None


def _repeat(t: Tracer, sequence: Seq | HomogeneousSeq, count: Size | None) -> Value:
    """Return the repeated sequence."""
    kind = sequence.kind
    result: Value
    if isinstance(sequence, Seq) and isinstance(count, int) and len(sequence.items) * max(count, 0) <= MAX_REPEAT:
        result = Seq(sequence.kind, sequence.items * count)
    else:
        times = fresh("n", Kind.LOST, why="repetitions of a sequence") if count is None else count
        length = iteration.length(t, sequence) * times
        result = HomogeneousSeq(kind, iteration.element(t, sequence), length)
    return t.new_container(kind, result) if kind in ("list", "set") else result


def _is_array_like(t: Tracer, value: Value) -> bool:
    """Return whether an array can be multiplied by a value: a number, or nested sequences of numbers."""
    match value:
        case Const(value=constant):
            return isinstance(constant, (int, float, complex))
        case Scalar(kind=kind):
            return kind != "str"
        case Ref(cls="list"):
            return _is_array_like(t, t.freeze(value, deep=False))
        case Seq(items=items):
            return all(_is_array_like(t, item) for item in items)
        case HomogeneousSeq():
            return _is_array_like(t, iteration.element(t, value))
        case Choice():
            return any(_is_array_like(t, option) for _, option in value.options)
    return isinstance(value, (Int, Tensor, Lost))
