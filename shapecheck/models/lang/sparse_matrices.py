"""Sparse matrices and arrays of SciPy, each of which is known by the dense array that it stands for."""

from __future__ import annotations

from shapecheck.domain.values import Ref, Tensor, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import Shape

SPARSE = "scipy.sparse"
MATRIX, ARRAY = f"{SPARSE}.Matrix", f"{SPARSE}.Array"
DENSE = "_array"  # as of tables, so that estimators read both alike


def is_sparse(value: Value) -> bool:
    """Return whether a value is a sparse matrix or array."""
    return isinstance(value, Ref) and value.cls in (MATRIX, ARRAY)


def unknown() -> Tensor:
    """Return a table of unknown size."""
    return Tensor(Shape((lost(), lost())), None, "np")


def sparse_matrix(ctx: Context, dense: Value, cls: str = MATRIX) -> Value:
    """Return the sparse matrix that stands for a dense array."""
    is_table = isinstance(dense, Tensor) and dense.shape.rank == 2
    return ctx.new(cls, **{DENSE: dense if is_table else unknown()})
