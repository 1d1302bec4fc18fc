"""Factors of matrices, and systems of equations."""

from __future__ import annotations

from shapecheck.domain.values import NONE
from shapecheck.models.lang import Answer, AnyValue, Axis, Blind, Flag, Size, Tensor, op
from shapecheck.models.torch.reduce import similarity
from shapecheck.shapes.shape import UNRANKED, Shape

BOTH = "{torch,torch.Tensor}"


@op(f"{BOTH}.{{cholesky,cholesky_inverse,matrix_power}}")
def of_square(input: Tensor) -> Answer:
    return "*B n n -> *B n n"


@op("torch.linalg.{cholesky_ex,inv_ex}", dtype="first,int32")
def with_state(input: Tensor) -> Answer:
    return "*B n n -> *B n n, *B"


@op("torch.linalg.eig", dtype="?")
def eig(a: Tensor) -> Answer:
    return "*B n n -> *B n, *B n n"


@op(f"{BOTH}.slogdet", dtype="?")
def slogdet(a: Tensor) -> Answer:
    return "*B n n -> *B, *B"


@op("torch.linalg.svd", dtype="?")
def svd(a: Tensor, full_matrices: Flag = True) -> Answer:
    if full_matrices:
        return "*B m n -> *B m m, *B (min(m, n)), *B n n"
    return "*B m n -> *B m (min(m, n)), *B (min(m, n)), *B (min(m, n)) n"


@op(f"{BOTH}.qr")
def qr(input: Tensor, some: Flag = True) -> Answer:
    if not some:
        return "*B m n -> *B m m, *B m n"
    return "*B m n -> *B m (min(m, n)), *B (min(m, n)) n"


@op(f"{BOTH}.geqrf")
def geqrf(input: Tensor) -> Answer:
    return "*B m n -> *B m n, *B (min(m, n))"


@op("torch.linalg.lu_factor", dtype="first,int32")
def lu_factor(a: Tensor) -> Answer:
    return "*B m n -> *B m n, *B (min(m, n))"


@op("torch.linalg.lu_factor_ex", dtype="first,int32,int32")
def lu_factor_with_state(a: Tensor) -> Answer:
    return "*B m n -> *B m n, *B (min(m, n)), *B"


@op("torch.linalg.lu")
def lu(a: Tensor, pivot: AnyValue = NONE) -> Answer:
    if pivot != NONE:
        raise Blind("whether rows are exchanged")
    return "*B m n -> *B m m, *B m (min(m, n)), *B (min(m, n)) n"


@op("torch.linalg.ldl_factor", dtype="first,int32")
def ldl_factor(a: Tensor) -> Answer:
    return "*B n n -> *B n n, *B n"


@op("torch.linalg.ldl_factor_ex", dtype="first,int32,int32")
def ldl_factor_with_state(a: Tensor) -> Answer:
    return "*B n n -> *B n n, *B n, *B"


@op("torch.linalg.solve_triangular")
def solve_triangular(a: Tensor, b: Tensor, left: Flag = True) -> Answer:
    return "~B n n, ~B n k -> ~B n k" if left else "~B n n, ~B k n -> ~B k n"


@op("torch.Tensor.triangular_solve", "torch.triangular_solve")
def triangular_solve(b: Tensor, a: Tensor) -> Answer:
    """The coefficients are returned as well."""
    return "~B n k, ~B n n -> ~B n k, ~B n n"


@op("torch.linalg.householder_product", f"{BOTH}.orgqr", oracle="none: reflections")
def householder_product(input: Tensor, tau: Tensor) -> Answer:
    return "*B m n, *B k -> *B m n"


@op("torch.linalg.lu_solve", oracle="none: pivots")
def lu_solve(lu: Tensor, pivots: Tensor, b: Tensor) -> Answer:
    return "~B n n, *P, ~B n k -> ~B n k"


@op(f"{BOTH}.lu_solve", oracle="none: pivots")
def solve_factored(b: Tensor, lu: Tensor) -> Answer:
    return "~B n k, ~B n n -> ~B n k"


@op("torch.linalg.solve_ex", oracle="none: as solve, with a state")
def solve_with_state(a: Tensor, b: Tensor) -> Answer:
    if a.rank != 2 or b.rank != 2:
        raise Blind("batches of systems")
    return "n n, n k -> n k, *S", {"S": Shape(())}


@op("torch.linalg.diagonal")
def diagonal(a: Tensor, offset: AnyValue = NONE, dim1: AnyValue = NONE, dim2: AnyValue = NONE) -> Answer:
    if any(given != NONE for given in (offset, dim1, dim2)):
        raise Blind("other axes")
    return "*B m n -> *B (min(m, n))"


@op(f"{BOTH}.cholesky_solve")
def cholesky_solve(input: Tensor, l: Tensor) -> Answer:  # noqa: E741
    return "~B n k, ~B n n -> ~B n k"


@op("torch.linalg.lstsq", dtype="?", oracle="none: what else is returned depends on the rank")
def lstsq(a: Tensor, b: Tensor) -> Answer:
    """The solution comes first; residuals, rank and singular values are there for some matrices only."""
    if a.rank != 2 or b.rank != 2:
        raise Blind("batches of systems")
    rest = {"R": UNRANKED, "K": UNRANKED, "S": UNRANKED}
    return "m n, m k -> n k, *R, *K, *S", rest


@op("torch.linalg.vander", dtype="first sum")
def vander(x: Tensor, n: Size | None = None) -> Answer:
    return "*S n -> *S n n" if n is None else "*S _ -> *S {n}"


@op("torch.linalg.vecdot", dtype="promote")
def vecdot(x: Tensor, y: Tensor, dim: Axis = -1) -> Answer:
    return "n, n ->" if x.rank == y.rank == 1 else similarity(x, y, dim)


@op("torch.linalg.tensorinv", oracle="none: a square number of elements")
def tensorinv(input: Tensor, ind: Size = 2) -> Answer:
    if not isinstance(ind, int) or input.rank is None:
        raise Blind("the first axes")
    return Shape((*input.shape.head[ind:], *input.shape.head[:ind]))


@op("torch.linalg.tensorsolve", oracle="none: a square number of elements")
def tensorsolve(a: Tensor, b: Tensor) -> Answer:
    if a.rank is None or b.rank is None:
        raise Blind("the axes of the solution")
    return Shape(a.shape.head[b.rank :])


@op("torch.{svd_lowrank}", dtype="?", oracle="none: draws numbers")
def svd_lowrank(input: Tensor, q: Size = 6) -> Answer:
    return "*B m n -> *B m {q}, *B {q}, *B n {q}"


# Products ------------------------------------------------------------------------------------------------------------


@op(f"{BOTH}.dist", dtype="?")
def dist(input: Tensor, other: Tensor) -> Answer:
    return "~B, ~B ->"
