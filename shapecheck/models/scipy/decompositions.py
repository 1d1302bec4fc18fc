"""Factors of matrices, and solutions by them, of SciPy; batches of matrices are taken since a later release."""

from __future__ import annotations

from typing import Literal

from shapecheck.domain.values import NONE, Const, Value
from shapecheck.models.lang import Answer, AnyValue, Flag, Tensor, lost, op, result
from shapecheck.shapes.shape import UNRANKED

BATCHES = "none: batches since a later release"
MIN = {"k": "min(m, n)"}
FACTORS = {"full": "m n -> m m, m n", "economic": "m n -> m k, k n", "r": "m n -> m n"}
"""The factors that `qr` returns, before the order of the columns."""


@op("scipy.linalg.qr", returns="tuple", dtype="?", oracle=BATCHES)
def qr(a: Tensor, mode: Literal["full", "economic", "r", "raw"] = "full", pivoting: Flag = False) -> Answer:
    if a.rank != 2 or mode == "raw":
        return result(*(UNRANKED,) * ((1 if mode == "r" else 2) + pivoting))
    return FACTORS[mode] + ", n" * pivoting, MIN


@op("scipy.linalg.rq", dtype="?", oracle=BATCHES)
def rq(a: Tensor, mode: Literal["full", "economic", "r"] = "full") -> Answer:
    if a.rank != 2:
        return UNRANKED if mode == "r" else result(UNRANKED, UNRANKED)
    return {"full": "m n -> m n, n n", "r": "m n -> m n", "economic": "m n -> m k, k n"}[mode], MIN


@op("scipy.linalg.lu", dtype="?", oracle=BATCHES)
def lu(a: Tensor, permute_l: Flag = False, p_indices: Flag = False) -> Answer:
    """Return the order of the rows as a matrix or as indices, unless it is applied to the first factor."""
    order = "" if permute_l else "m, " if p_indices else "m m, "
    if a.rank != 2:
        return result(*(UNRANKED,) * (2 if permute_l else 3))
    return f"m n -> {order}m k, k n", MIN


@op("scipy.linalg.polar", dtype="?", oracle=BATCHES)
def polar(a: Tensor, side: Literal["right", "left"] = "right") -> Answer:
    if a.rank != 2:
        return result(UNRANKED, UNRANKED)
    return "m n -> m n, n n" if side == "right" else "m n -> m n, m m"


@op("scipy.linalg.schur", dtype="?", oracle=BATCHES)
def schur(a: Tensor, sort: AnyValue = NONE) -> Answer:
    """The number of eigenvalues that were moved to the front is also returned, if they are sorted."""
    count = "" if sort == NONE else ","
    return f"n n -> n n, n n{count}" if a.rank == 2 else result(*(UNRANKED,) * (2 if sort == NONE else 3))


@op("scipy.linalg.rsf2csf", dtype="?", oracle=BATCHES)
def rsf2csf(T: Tensor, Z: Tensor) -> Answer:  # noqa: N803
    return "n n, n n -> n n, n n" if T.rank == Z.rank == 2 else result(UNRANKED, UNRANKED)


@op("scipy.linalg.qz", dtype="?", oracle=BATCHES)
def qz(A: Tensor, B: Tensor) -> Answer:  # noqa: N803
    return "n n, n n -> n n, n n, n n, n n" if A.rank == B.rank == 2 else result(*(UNRANKED,) * 4)


@op("scipy.linalg.ldl", dtype="?", oracle=BATCHES)
def ldl(A: Tensor) -> Answer:  # noqa: N803
    return "n n -> n n, n n, n" if A.rank == 2 else result(*(UNRANKED,) * 3)


@op("scipy.linalg.hessenberg", dtype="?", oracle=BATCHES)
def hessenberg(a: Tensor, calc_q: Flag = False) -> Answer:
    if a.rank != 2:
        return result(UNRANKED, UNRANKED) if calc_q else UNRANKED
    return "n n -> n n, n n" if calc_q else "n n -> n n"


@op("scipy.linalg.null_space", dtype="?", oracle=BATCHES)
def null_space(A: Tensor) -> Answer:  # noqa: N803
    return ("_ n -> n k", {"k": lost()}) if A.rank == 2 else UNRANKED


@op("scipy.linalg.orth", dtype="?", oracle=BATCHES)
def orth(A: Tensor) -> Answer:  # noqa: N803
    return ("m _ -> m k", {"k": lost()}) if A.rank == 2 else UNRANKED


@op("scipy.linalg.svdvals", dtype="?", oracle=BATCHES)
def svdvals(a: Tensor) -> Answer:
    return ("m n -> k", MIN) if a.rank == 2 else UNRANKED


@op("scipy.linalg.lstsq", dtype="?", oracle=BATCHES)
def lstsq(a: Tensor, b: Tensor) -> Answer:
    """Return the solution, its residuals if it is unique, the rank, and the singular values."""
    if a.rank != 2 or b.rank not in (1, 2):
        return result(*(UNRANKED,) * 4)
    columns = "" if b.rank == 1 else " c"
    return f"m n, m{columns} -> n{columns}, r, , k", MIN | {"r": lost()}


@op("scipy.linalg.cho_solve", dtype="?", oracle=BATCHES)
def cho_solve(c_and_lower: AnyValue, b: Tensor) -> Answer:
    return b.shape if b.rank in (1, 2) else UNRANKED


@op("scipy.linalg.cho_solve_banded", dtype="?", oracle=BATCHES)
def cho_solve_banded(cb_and_lower: AnyValue, b: Tensor) -> Answer:
    return b.shape if b.rank in (1, 2) else UNRANKED


@op("scipy.linalg.lu_solve", dtype="?", oracle=BATCHES)
def lu_solve(lu_and_piv: AnyValue, b: Tensor) -> Answer:
    return b.shape if b.rank in (1, 2) else UNRANKED


@op("scipy.linalg.solve_toeplitz", dtype="?", oracle=BATCHES)
def solve_toeplitz(c_or_cr: AnyValue, b: Tensor) -> Answer:
    return b.shape if b.rank in (1, 2) else UNRANKED


@op("scipy.linalg.solve_circulant", dtype="?", oracle=BATCHES)
def solve_circulant(c: Tensor, b: Tensor) -> Answer:
    return "n, n -> n" if c.rank == b.rank == 1 else UNRANKED


# Eigenvalues ---------------------------------------------------------------------------------------------------------


@op("scipy.linalg.eig", dtype="?", oracle=BATCHES)
def eig(a: Tensor, left: Flag = False, right: Flag = True) -> Answer:
    """Return the eigenvalues, and the vectors that are wanted."""
    wanted = ", n n" * (left + right)
    if a.rank != 2:
        return result(*(UNRANKED,) * (1 + left + right)) if wanted else UNRANKED
    return f"n n -> n{wanted}"


@op("scipy.linalg.eigh", dtype="?", oracle=BATCHES)
def eigh(
    a: Tensor, eigvals_only: Flag = False, subset_by_index: AnyValue = NONE, subset_by_value: AnyValue = NONE
) -> Answer:
    """Some of the eigenvalues may be chosen by their places in order, or by their values."""
    chosen = _chosen(subset_by_index, subset_by_value)
    if a.rank != 2:
        return UNRANKED if eigvals_only else result(UNRANKED, UNRANKED)
    return f"n n -> {chosen}" if eigvals_only else f"n n -> {chosen}, n {chosen}", {"k": lost()}


def _chosen(*options: Value) -> str:
    return "n" if all(each == NONE for each in options) else "k"


@op("scipy.linalg.eigvalsh", dtype="?", oracle=BATCHES)
def eigvalsh(a: Tensor, subset_by_index: AnyValue = NONE, subset_by_value: AnyValue = NONE) -> Answer:
    return (f"n n -> {_chosen(subset_by_index, subset_by_value)}", {"k": lost()}) if a.rank == 2 else UNRANKED


@op("scipy.linalg.eigvals", dtype="?", oracle=BATCHES)
def eigvals(a: Tensor, homogeneous_eigvals: Flag = False) -> Answer:
    return "n n -> n" if a.rank == 2 and not homogeneous_eigvals else UNRANKED


@op("scipy.linalg.eigh_tridiagonal", dtype="?", oracle="none: two vectors")
def eigh_tridiagonal(d: Tensor, e: Tensor, eigvals_only: Flag = False, select: AnyValue = NONE) -> Answer:
    """The second vector has one value less."""
    count = "n" if select in (NONE, Const("a")) else "k"
    made = count if eigvals_only else f"{count}, n {count}"
    return f"n, (n - 1) -> {made}", {"k": lost()}


@op("scipy.linalg.eigvalsh_tridiagonal", dtype="?", oracle="none: two vectors")
def eigvalsh_tridiagonal(d: Tensor, e: Tensor, select: AnyValue = NONE) -> Answer:
    return f"n, (n - 1) -> {'n' if select in (NONE, Const('a')) else 'k'}", {"k": lost()}


@op("scipy.linalg.eig_banded", dtype="?", oracle="none: bands of a matrix")
def eig_banded(a_band: Tensor, eigvals_only: Flag = False, select: AnyValue = NONE) -> Answer:
    count = "n" if select in (NONE, Const("a")) else "k"
    return f"_ n -> {count}" if eigvals_only else f"_ n -> {count}, n {count}", {"k": lost()}
