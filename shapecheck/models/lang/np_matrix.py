"""`np.matrix`: NumPy's array that always has two axes, and whose `*` is the matrix product.

Elementwise functions and those below return a matrix for a matrix. The results of others are not followed: if they were
taken for arrays, their `*` would mean something else.
"""

from __future__ import annotations

from typing import TypeGuard

from shapecheck.domain import values
from shapecheck.domain.values import Tensor, Value
from shapecheck.models.lang.context import Context
from shapecheck.shapes.shape import Shape

MATRIX = "matrix"
BY_ELEMENT = ("ops.unary", "ops.binary")
KEEPING = frozenset(
    "np.dot np.matmul np.transpose np.concatenate np.hstack np.vstack np.append np.asanyarray np.zeros_like "
    "np.ones_like np.linalg.inv np.linalg.pinv np.ndarray.dot np.ndarray.transpose np.ndarray.copy np.ndarray.astype "
    "np.ndarray.reshape".split()
)
DROPPING = frozenset("np.array np.asarray np.copy np.ascontiguousarray np.asfortranarray".split())


def is_matrix(value: Value) -> TypeGuard[Tensor]:
    return isinstance(value, Tensor) and value.role == MATRIX


def of_matrices(result: Value, name: str, family: str, ctx: Context) -> Value:
    """Return the result of a NumPy function for matrices, given its result for arrays."""
    if not isinstance(result, Tensor) or result.library != "np" or name in DROPPING:
        return result
    shape = two_axes(result.shape)
    keeps = name in KEEPING or name.startswith("np.matrix.") or family.endswith(BY_ELEMENT)
    if shape is None or not (keeps or not shape.head):
        return ctx.lost("what is made of a matrix")
    return as_matrix(shape, result)


def as_matrix(shape: Shape, like: Tensor) -> Tensor:
    return values.Tensor(shape, like.dtype, "np", role=MATRIX if shape.head else "tensor")


def two_axes(shape: Shape) -> Shape | None:
    """Return the shape as that of a matrix, or of a single element; None if it cannot be one."""
    if shape.tail is not None or len(shape.head) > 2:
        return None
    return Shape((1, *shape.head)) if len(shape.head) == 1 else shape
