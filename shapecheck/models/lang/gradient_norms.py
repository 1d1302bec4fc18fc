"""Norms of gradients: where one is compared with 1, each sample of a batch should have its own."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Const
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.models.lang.suspicious import Notices

GRADIENT = "gradient"
"""The nature of gradients, and of what is computed of them and of numbers, element by element or by sums."""


def of_gradients(*operands: Tensor) -> str:
    """Return the nature of what is computed of some operands."""
    is_kept = any(map(_is_gradient, operands)) and all(each.rank == 0 or _is_gradient(each) for each in operands)
    return GRADIENT if is_kept else ""


def compared_with_one(x: Tensor, y: Tensor) -> Notices:
    """Notice the difference of 1 and what is computed of gradients."""
    for norm, number in ((x, y), (y, x)):
        if _is_gradient(norm) and isinstance(number.content, Const) and number.content.value == 1:
            return [(ClashKind.GRADIENT_NORM, f"{norm.name} has shape {norm.shape}")]
    return []


def _is_gradient(x: Tensor) -> bool:
    return x.nature == GRADIENT
