"""Sums, pairs and sample functions of SciPy's optimizers and integrals, which call no function of the program."""

from __future__ import annotations

from shapecheck.domain.values import NONE
from shapecheck.models.lang import Answer, AnyValue, Axis, Tensor, at, op, reduced, result
from shapecheck.shapes.shape import SCALAR, UNRANKED


@op("scipy.optimize.nnls", returns="tuple", dtype="float64", oracle="none: sizes that fit")
def nnls(A: Tensor, b: Tensor) -> Answer:  # noqa: N803
    """Return the solution, and how far it is from the right side."""
    if A.rank != 2 or b.rank != 1:
        return result(UNRANKED, SCALAR)
    return "m n, m -> n,"


@op("scipy.optimize.linear_sum_assignment", dtype="int64", oracle="none: tables only")
def assignment(cost_matrix: Tensor) -> Answer:
    """Return the rows of the pairs, and their columns; the smaller side is assigned wholly."""
    return "m n -> k, k", {"k": "min(m, n)"}


@op("scipy.optimize.rosen_der", dtype="?", oracle="none: at least two numbers")
def rosen_der(x: Tensor) -> Answer:
    return "*S -> *S"


@op("scipy.optimize.rosen", dtype="?", oracle="none: at least two numbers")
def rosen(x: Tensor) -> Answer:
    return reduced(0, keepdims=False) if x.rank else UNRANKED


@op("scipy.integrate.romb", dtype="?", oracle="none: powers of two and one")
def romb(y: Tensor, axis: Axis = -1) -> Answer:
    return reduced(axis, keepdims=False) if y.rank else UNRANKED


@op("scipy.integrate.cumulative_simpson", dtype="?", oracle="none: at least three numbers")
def cumulative_simpson(y: Tensor, axis: Axis = -1, initial: AnyValue = NONE) -> Answer:
    """There is a value for each step, and one before these, if that is given."""
    if not y.rank:
        return UNRANKED
    return at(axis, "d -> (d - 1)" if initial == NONE else "d -> d")
