"""Special matrices of SciPy, and functions of matrices."""

from __future__ import annotations

from typing import Literal

from shapecheck.domain.values import FALSE, NONE
from shapecheck.models.lang import Answer, AnyValue, Flag, Shape, Size, Tensor, op, result
from shapecheck.models.scipy.decompositions import BATCHES
from shapecheck.shapes.shape import SCALAR, UNRANKED


@op("scipy.linalg.{hilbert,invhilbert,pascal,invpascal,hadamard}", dtype="?", oracle="none: small sizes only")
def of_size(n: Size) -> Answer:
    return Shape((n, n))


@op("scipy.linalg.dft", dtype="complex128", oracle="none: small sizes only")
def dft(n: Size) -> Answer:
    return Shape((n, n))


@op("scipy.linalg.helmert", dtype="float64", oracle="none: small sizes only")
def helmert(n: Size, full: Flag = False) -> Answer:
    return Shape((n if full else n - 1, n))


@op("scipy.linalg.{companion,fiedler_companion}", dtype="?", oracle=BATCHES)
def companion(a: Tensor) -> Answer:
    return ("n -> k k", {"k": "n - 1"}) if a.rank == 1 else UNRANKED


@op("scipy.linalg.fiedler", dtype="?", oracle=BATCHES)
def fiedler(a: Tensor) -> Answer:
    return "n -> n n" if a.rank == 1 else UNRANKED


@op("scipy.linalg.leslie", dtype="?", oracle=BATCHES)
def leslie(f: Tensor, s: Tensor) -> Answer:
    return "n, (n - 1) -> n n" if f.rank == s.rank == 1 else UNRANKED


@op("scipy.linalg.diagsvd", dtype="?", oracle="none: sizes that fit")
def diagsvd(s: Tensor, M: Size, N: Size) -> Answer:  # noqa: N803
    return Shape((M, N))


@op("scipy.linalg.convolution_matrix", dtype="?", oracle="none: sizes that fit")
def convolution_matrix(a: Tensor, n: Size, mode: Literal["full", "same", "valid"] = "full") -> Answer:
    """Return the matrix whose product with a vector of `n` values is the convolution."""
    if a.rank != 1:
        return UNRANKED
    rows = {"full": "m + w - 1", "same": "max(m, w)", "valid": "max(m, w) - min(m, w) + 1"}[mode]
    return "m -> r w", {"w": n, "r": rows}


@op("scipy.linalg.khatri_rao", dtype="?", oracle=BATCHES)
def khatri_rao(a: Tensor, b: Tensor) -> Answer:
    return "m k, n k -> (m * n) k" if a.rank == b.rank == 2 else UNRANKED


@op("scipy.linalg.{cosm,sinm,tanm,coshm,sinhm,tanhm}", dtype="?", oracle=BATCHES)
def of_matrix(A: Tensor) -> Answer:  # noqa: N803
    return "n n -> n n" if A.rank == 2 else UNRANKED


@op("scipy.linalg.fractional_matrix_power", dtype="?", oracle=BATCHES)
def fractional_matrix_power(A: Tensor, t: AnyValue) -> Answer:  # noqa: N803
    return of_matrix(A)


@op("scipy.linalg.signm", dtype="?", oracle=BATCHES)
def signm(A: Tensor, disp: AnyValue = NONE) -> Answer:  # noqa: N803
    """An estimate of the error is also returned, where nothing is to be printed."""
    return result(UNRANKED, UNRANKED) if disp == FALSE else of_matrix(A)


@op("scipy.linalg.funm", dtype="?", oracle=BATCHES)
def funm(A: Tensor, func: AnyValue, disp: Flag = True) -> Answer:  # noqa: N803
    return of_matrix(A) if disp else result(UNRANKED, UNRANKED)


@op("scipy.linalg.expm_frechet", dtype="?", oracle=BATCHES)
def expm_frechet(A: Tensor, E: Tensor, compute_expm: Flag = True) -> Answer:  # noqa: N803
    if A.rank != 2 or E.rank != 2:
        return result(UNRANKED, UNRANKED) if compute_expm else UNRANKED
    return "n n, n n -> n n, n n" if compute_expm else "n n, n n -> n n"


@op("scipy.linalg.subspace_angles", dtype="?", oracle=BATCHES)
def subspace_angles(A: Tensor, B: Tensor) -> Answer:  # noqa: N803
    """Return as many angles as the smaller space has dimensions."""
    return UNRANKED if A.rank != 2 or B.rank != 2 else "n _, n _ -> _"


@op("scipy.linalg.orthogonal_procrustes", dtype="?", oracle=BATCHES)
def orthogonal_procrustes(A: Tensor, B: Tensor) -> Answer:  # noqa: N803
    return "m n, m n -> n n," if A.rank == B.rank == 2 else result(UNRANKED, SCALAR)


@op("scipy.linalg.matrix_balance", dtype="?", oracle=BATCHES)
def matrix_balance(A: Tensor, separate: Flag = False) -> Answer:  # noqa: N803
    """Return the balanced matrix, and the transformation: a matrix, or a scaling and a permutation."""
    if A.rank != 2 or separate:
        return result(UNRANKED, UNRANKED)
    return "n n -> n n, n n"


@op("scipy.linalg.solve_lyapunov", dtype="?", oracle=BATCHES)
def solve_lyapunov(a: Tensor, q: Tensor) -> Answer:
    return "n n, n n -> n n" if a.rank == q.rank == 2 else UNRANKED
