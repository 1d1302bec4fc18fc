"""Linear algebra on the last two axes."""

from __future__ import annotations

from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Value
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Flag,
    Need,
    Ranked,
    Refused,
    Size,
    Target,
    Tensor,
    equal,
    of_rank,
    op,
    result,
)
from shapecheck.models.lang.axis_positions import place_of
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize


@op(
    "{tf.linalg,np.linalg,keras.ops}.{inv,cholesky}",
    "tf.{matrix_inverse,cholesky,linalg.sqrtm,matrix_square_root}",
    "keras.ops.cholesky_inverse",
)
@op("tf.linalg.logm", "tf.linalg.expm")
def square(a: Tensor) -> Answer:
    return "*B n n -> *B n n"


@op("{tf.linalg,np.linalg,keras.ops}.pinv")
def pinv(a: Tensor) -> Answer:
    return "*B m n -> *B n m"


@op("{tf.linalg,np.linalg,keras.ops}.det", "tf.matrix_determinant", "tf.linalg.logdet", "keras.ops.logdet")
def det(a: Tensor) -> Answer:
    return "*B n n -> *B"


@op("{tf.linalg,np.linalg,keras.ops}.slogdet", returns="tuple")
def slogdet(a: Tensor) -> Answer:
    return "*B n n -> *B, *B"


@op("{tf.linalg,np.linalg,keras.ops}.eig", "tf.eig", returns="tuple", dtype="?")
@op("{tf.linalg,np.linalg,keras.ops}.eigh", "tf.self_adjoint_eig", returns="tuple")
def eigh(a: Tensor) -> Answer:
    return "*B n n -> *B n, *B n n"


@op("{tf.linalg,np.linalg}.eigvalsh", "tf.self_adjoint_eigvals")
@op("{np,tf}.linalg.eigvals", "tf.eigvals", dtype="?")
def eigenvalues(a: Tensor) -> Answer:
    return "*B n n -> *B n"


@op("tf.{linalg.qr,qr}", returns="tuple")
def tf_qr(a: Tensor, full_matrices: Flag = False) -> Answer:
    return "*B m n -> *B m k, *B k n", {"k": "m" if full_matrices else "min(m, n)"}


@op("keras.ops.qr", returns="tuple")
def keras_qr(x: Tensor, mode: Literal["reduced", "complete"] = "reduced") -> Answer:
    return tf_qr(x, mode == "complete")


@op("np.linalg.qr")
def qr(a: Tensor, mode: Literal["reduced", "complete", "r", "raw"] = "reduced") -> Answer:
    """Return both factors, or the second one, or the raw factorization."""
    if mode in ("r", "raw"):
        return "*B m n -> *B k n" if mode == "r" else "*B m n -> *B n m, *B k", {"k": "min(m, n)"}
    return tf_qr(a, mode == "complete")


@op("tf.linalg.svd", "tf.svd")
def svd(tensor: Tensor, full_matrices: Flag = False, compute_uv: Flag = True) -> Answer:
    if not compute_uv:
        return "*B m n -> *B k", {"k": "min(m, n)"}
    right = "*B k, *B m m, *B n n" if full_matrices else "*B k, *B m k, *B n k"
    return f"*B m n -> {right}", {"k": "min(m, n)"}


@op("np.linalg.svd", dtype="first mean -complex,first mean real,first mean")
@op("keras.ops.svd", dtype="first -complex,first real,first")
def np_svd(a: Tensor, full_matrices: Flag = True, compute_uv: Flag = True) -> Answer:
    if not compute_uv:
        return "*B m n -> *B k", {"k": "min(m, n)"}
    right = "*B m m, *B k, *B n n" if full_matrices else "*B m k, *B k, *B k n"
    return f"*B m n -> {right}", {"k": "min(m, n)"}


@op("tf.linalg.solve", "tf.matrix_solve")
def solve(matrix: Tensor, rhs: Tensor, adjoint: Flag = False) -> Answer:
    return "*B n n, *B n k -> *B n k"


@op("keras.ops.solve")
def keras_solve(a: Ranked, b: Ranked) -> Answer:
    return "*B n n, *B n -> *B n" if b.rank == a.rank - 1 else "*B n n, *B n k -> *B n k"


@op("np.linalg.solve")
def np_solve(a: Tensor, b: Ranked, target: Target = Target()) -> Answer:
    """Before NumPy 2, an operand with one axis less than the matrices was always read as rows of vectors."""
    are_rows = a.rank is None or b.rank == a.rank - 1
    if b.rank > 1 and target.numpy != 2 and are_rows:
        return "~B n n, ~B n -> ~B n" if a.rank is not None and target.numpy == 1 else UNRANKED
    return "~B n n, n -> ~B n" if b.rank == 1 and (are_rows or target.numpy != 1) else "~B n n, ~B n k -> ~B n k"


@op("tf.{linalg.trace,trace}", "np.linalg.trace")
def trace(x: Tensor) -> Answer:
    return "*B m n -> *B"


@op("{np,np.ndarray,keras.ops}.trace")
def np_trace(a: Tensor, axis1: Axis = 0, axis2: Axis = 1) -> Answer:
    """Along the first two axes, if no others are told."""
    before, rest = _two_of(a, axis1, axis2)
    return f"{before} -> {rest}"


def _two_of(a: Tensor, axis1: int, axis2: int) -> tuple[str, str]:
    """All axes of an array, with two of them called m and n; and the others."""
    if (axis1, axis2) == (0, 1):
        return "m n *S", "*S"
    one, other = place_of(a, axis1), place_of(a, axis2)
    if one == other:
        raise Refused(ClashKind.AXIS_RANGE, f"axes {axis1} and {axis2} of {a.name} are the same")
    names = [f"n{axis}" for axis in range(a.rank or 0)]
    rest = " ".join(name for axis, name in enumerate(names) if axis not in (one, other))
    names[one], names[other] = "m", "n"
    return " ".join(names), rest


@op("tf.linalg.diag", "tf.matrix_diag")
def diag(diagonal: Tensor, k: Size | AnyValue = 0) -> Answer:
    """An offset from the main diagonal adds as many rows and columns."""
    return ("*B n -> *B {s} {s}", {"s": f"n + {abs(k)}"}) if isinstance(k, int) else UNRANKED


@op("tf.linalg.tensor_diag", "tf.diag")
def tensor_diag(diagonal: Tensor) -> Answer:
    return UNRANKED if diagonal.rank == 0 else "*S -> *S *S"


@op("tf.linalg.diag_part", "tf.matrix_diag_part")
def diag_part(input: Tensor, k: Size | AnyValue = 0) -> Answer:
    return ("*B m n -> *B {d}", {"d": "min(m, n)"}) if k == 0 else UNRANKED


@op("keras.ops.diag")
def keras_diag(x: Ranked, k: Size = 0) -> Answer:
    return np_diag(x, k) if x.rank == 1 or k == 0 else UNRANKED


@op("np.diag")
def np_diag(v: Ranked, k: Size = 0) -> Answer:
    """A vector becomes the diagonal of a matrix, a matrix gives its diagonal; `k` is the column where it starts."""
    if v.rank == 1:
        return "n -> s s", {"s": "n + max(k, -k)"}
    return "m n -> d", {"d": "max(min(m + min(k, 0), n - max(k, 0)), 0)"}


@op("np.linalg.diagonal")
def last_diagonal(x: Tensor, offset: Size = 0) -> Answer:
    return "*B m n -> *B d", {"d": _along_diagonal(offset)}


def _along_diagonal(offset: Size) -> str:
    """Return the length of a diagonal above or below the main one."""
    if not isinstance(offset, int):
        raise Blind("which diagonal")
    return f"max(min(m - {max(-offset, 0)}, n - {max(offset, 0)}), 0)" if offset else "min(m, n)"


@op("np.{diagonal,ndarray.diagonal}", "keras.ops.diagonal")
def diagonal(a: Tensor, offset: Size = 0, axis1: Axis = 0, axis2: Axis = 1) -> Answer:
    """Of the first two axes, if no others are told."""
    before, rest = _two_of(a, axis1, axis2)
    return f"{before} -> {rest} d", {"d": _along_diagonal(offset)}


@op("tf.linalg.set_diag", "tf.matrix_set_diag")
def set_diag(input: Tensor, diagonal: Tensor) -> Answer:
    return "*B m n, *B d -> *B m n", {"e": "min(m, n)"}, "d == e"


@op("tf.linalg.band_part", "tf.matrix_band_part")
def band_part(input: Tensor) -> Answer:
    return "*B m n -> *B m n"


@op("tf.linalg.cross", "tf.cross")
def cross(a: Tensor, b: Tensor) -> Answer:
    return "*B 3, *B 3 -> *B 3"


@op("np.linalg.lstsq", dtype="?")
def lstsq(a: Tensor, b: Tensor) -> Answer:
    if b.rank is None:
        return result(*[UNRANKED] * 4)
    return ("m n, m -> n, _, , k" if b.rank == 1 else "m n, m p -> n p, _, , s"), {"k": "min(m, n)", "s": "min(m, n)"}


@op("tf.linalg.lstsq", "tf.matrix_solve_ls")
def tf_lstsq(matrix: Tensor, rhs: Tensor) -> Answer:
    return "~B m n, ~B m k -> ~B n k"


@op("np.{cov,corrcoef}", dtype="?")
def cov(m: Ranked, y: Ranked | None = None, rowvar: Flag = True, target: Target = Target()) -> Answer:
    """Return the covariance of the variables of both; before NumPy 2, a single row was always one variable."""
    variables = sum((_variables(part, rowvar) for part in (m, y) if part is not None), start=0)
    is_row = m.shape.size(0) == 1 and target.numpy != 2
    return UNRANKED if is_row else _covariances(m, y, rowvar, variables)


def _covariances(m: Ranked, y: Ranked | None, rowvar: Flag, variables: AnySize) -> Answer:
    """Return the matrix of all pairs of variables; the variance of a single one is a number."""
    if y is not None:
        return Shape((variables, variables)), _observed(m, y, rowvar)
    if variables == 1:
        return SCALAR
    return Shape((variables, variables)) if _is_several(variables) else UNRANKED


def _variables(part: Ranked, rowvar: bool) -> AnySize:
    """Return the number of variables: one in a vector, one in each row or column of a table."""
    of_rank(part, 0, 1, 2)
    return 1 if part.rank < 2 else part.shape.head[0 if rowvar else 1]


def _observed(m: Ranked, y: Ranked, rowvar: bool) -> Need:
    """Return the constraint that both have the same number of observations."""
    one, other = _often(m, rowvar), _often(y, rowvar)
    return equal(ClashKind.AXIS, one, other, f"{m.name} has {one} observations, {y.name} has {other}")


def _often(part: Ranked, rowvar: bool) -> AnySize:
    if part.rank < 2:
        return part.shape.head[0] if part.rank else 1
    return part.shape.head[1 if rowvar else 0]


@op("keras.ops.corrcoef")
def corrcoef(x: Tensor) -> Answer:
    return "n _ -> n n" if x.rank == 2 and _is_several(x.shape.head[0]) else UNRANKED


def _is_several(variables: Size) -> bool:
    """Return whether there are several variables; the matrix of a single one is a scalar."""
    return isinstance(variables, int) and variables > 1


@op("tf.linalg.matrix_rank", dtype="int32")
def tf_matrix_rank(a: Tensor) -> Answer:
    return "*B m n -> *B"


@op("keras.ops.matrix_rank", dtype="int32")
@op("np.linalg.matrix_rank", dtype="int64")
def matrix_rank(a: Ranked, tol: AnyValue = NONE, rtol: AnyValue = NONE) -> Answer:
    """Arrays of tolerances broadcast with the matrices."""
    return "*B m n -> *B" if a.rank >= 2 and not has_arrays(tol, rtol) else UNRANKED


def has_arrays(*given: Value) -> bool:
    """Return whether some argument that is most often a number may be an array."""
    return any(isinstance(value, TensorValue) and value.shape.rank != 0 for value in given)
