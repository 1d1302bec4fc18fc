"""Numbers where each row of a batch may be meant to have its own: what a sum without an axis gives."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Int, Ref, Seq
from shapecheck.models.lang.gradient_norms import compared_with_one, of_gradients
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.models.lang.suspicious import Notices, met_by_rows, stretched

WHOLE = "sum of all"
"""The nature of a number that is the sum of a whole table, with a sign and a factor."""
_KEEPING = tuple("+-*")
"""Operators whose result is a sum of all, too. Divided, it may be a mean."""


_OF_SQUARES = ("+", "*", "**")
"""Operators that compute squares of gradients, and roots of sums."""


def of_all(x: Tensor, axis: object) -> str:
    """Return the nature of a sum along an axis; of None, it is one number."""
    return of_gradients(x) or (WHOLE if axis is None and (x.rank or 0) > 1 else "")


def scaled(sign: str, *operands: Tensor) -> str:
    """Return the nature of what an operator computes of numbers, or of gradients."""
    if sign in _OF_SQUARES and (nature := of_gradients(*operands)):
        return nature
    is_sum = sign in _KEEPING and all(operand.rank == 0 for operand in operands) and any(map(_is_whole, operands))
    return WHOLE if is_sum and all(map(_is_told, operands)) else ""


def _is_told(factor: Tensor) -> bool:
    """Return whether a factor is known, or computed from arrays: another may divide by the number of rows."""
    return factor.content is not None or bool(getattr(factor.value, "step", 0))


def _is_whole(x: Tensor) -> bool:
    return x.rank == 0 and x.nature == WHOLE


def averaged(x: Tensor) -> Notices:
    """Notice the mean of one number that is a sum."""
    return [(ClashKind.NUMBER_AVERAGED, f"{x.name} is one number")] if _is_whole(x) else []


def combined_with(sign: str, x: Tensor, y: Tensor) -> Notices:
    """Notice suspicious shapes of the operands of an operator."""
    notices = [*stretched(x, y), *(met_by_rows(x, y) if sign in tuple("+-*/") else ())]
    notices += compared_with_one(x, y) if sign == "-" else []
    notices += _added_to_sizes(x, y) or _added_to_sizes(y, x) if sign == "+" else []
    return [*notices, *(_added(x, y) or _added(y, x) if sign in tuple("+-") else ())]


def _added(number: Tensor, others: Tensor) -> Notices:
    """Notice one number, the sum of all rows, that is added to each row."""
    if others.rank not in (1, 2) or not _is_whole(number):
        return []
    return [(ClashKind.NUMBER_ADDED, f"{number.name} is one number, {others.name} has shape {others.shape}")]


def _added_to_sizes(one: Tensor, shape: Tensor) -> Notices:
    """Notice a list or tuple of one number that is added to several sizes, as if shapes were joined."""
    is_list = isinstance(one.given, Seq) or (isinstance(one.given, Ref) and one.given.cls == "list")
    sizes = shape.content.items if isinstance(shape.content, Seq) else ()
    if not is_list or one.shape.head != (1,) or len(sizes) < 2 or not any(type(size) is Int for size in sizes):
        return []
    return [(ClashKind.SHAPE_ADDED, f"{one.name} is added to each of {len(sizes)} sizes, and not put beside them")]
