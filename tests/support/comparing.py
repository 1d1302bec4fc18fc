"""Comparison of the results of models with real shapes and dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.domain import values
from shapecheck.domain.values import Seq, Value, items_of
from shapecheck.shapes.size import Size, Symbol, evaluate, symbols


def fits(found: Value, shapes: Any, true: dict[Symbol, int]) -> bool:
    """Return whether a result may have these shapes, where the hidden sizes are `true`."""
    if isinstance(shapes, dict):
        if not isinstance(found, Seq):
            return isinstance(found, (values.Lost, values.HomogeneousSeq))
        parts = shapes["many"]
        return len(parts) == len(found.items) and all(map(lambda a, b: fits(a, b, true), found.items, parts))
    if is_number(found):
        return list(shapes) == []
    if not isinstance(found, values.Tensor):
        return isinstance(found, values.Lost)
    shape = found.shape
    if shape.tail is None and len(shape.head) != len(shapes):
        return False
    if shape.min_rank > len(shapes):
        return False
    pairs = [*zip(shape.head, shapes, strict=False), *zip(reversed(shape.tail or ()), reversed(shapes), strict=False)]
    return all(may_be(size, wanted, true) for size, wanted in pairs)


def is_number(found: Value) -> bool:
    """Return whether a result is a number of Python, which has no axes."""
    return isinstance(found, values.Scalar) and found.kind in ("int", "float")


def may_be(size: Size, wanted: int, true: dict[Symbol, int]) -> bool:
    if not symbols(size) <= set(true):
        return True
    try:
        return evaluate(size, true) == wanted
    except ZeroDivisionError:
        return True


def wrong_dtypes(found: Value, real: list[str]) -> tuple[str, str] | None:
    """Yield each wrong dtype of the model, with the library's."""
    told = [dtype_of(part) for part in items_of(found) or (found,)]
    pairs = zip(told, real, strict=False)
    return next(((mine, theirs) for mine, theirs in pairs if mine and theirs and mine != theirs), None)


def dtype_of(part: Value) -> str | None:
    """Return the dtype of one result; numbers of Python are arrays of the widest types."""
    if is_number(part):
        return {"int": "int64", "float": "float64"}[str(getattr(part, "kind", ""))]
    return part.dtype if isinstance(part, values.Tensor) else None


def is_ranked(found: Value) -> bool:
    if isinstance(found, Seq):
        return all(map(is_ranked, found.items))
    return is_number(found) or (isinstance(found, values.Tensor) and found.shape.tail is None)


def is_known(found: Value) -> bool:
    if isinstance(found, Seq):
        return all(map(is_known, found.items))
    return is_ranked(found) and all(isinstance(size, int) for size in shape_of(found))


def shape_of(found: Value) -> Sequence[Size]:
    return found.shape.head if isinstance(found, values.Tensor) else ()


def is_as_precise(found: Value, told: Any) -> bool:
    """Return whether a model knows every rank and every size that the library infers; the others are None."""
    if told is None:
        return True
    if isinstance(told, dict):
        parts = told["many"]
        items = items_of(found) or ()
        return len(items) == len(parts) and all(map(is_as_precise, items, parts))
    if not is_ranked(found) or len(shape_of(found)) != len(told):
        return False
    return all(size is None or ours == size for ours, size in zip(shape_of(found), told, strict=True))


def shown(found: Value) -> str:
    if isinstance(found, Seq):
        return f"[{', '.join(map(shown, found.items))}]"
    return str(found.shape) if isinstance(found, values.Tensor) else str(found)
