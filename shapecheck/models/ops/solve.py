"""Linear systems and factorizations: triangular, tridiagonal, LU, norms, chains of products."""

from __future__ import annotations

from typing import TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import (
    Answer,
    Axes,
    Axis,
    Blind,
    Flag,
    Need,
    Ranked,
    Refused,
    Size,
    Tensor,
    Tensors,
    at,
    equal,
    op,
    reduced,
    result,
)
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.constraints import one_of
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import product

Sizes: TypeAlias = tuple[AnySize, ...]


@op(
    "tf.linalg.{triangular_solve,cholesky_solve}", "tf.{matrix_triangular_solve,cholesky_solve}", was={"chol": "matrix"}
)
def triangular_solve(matrix: Tensor, rhs: Tensor) -> Answer:
    return "~B n n, ~B n k -> ~B n k"


@op("keras.ops.solve_triangular")
def keras_solve_triangular(a: Ranked, b: Ranked) -> Answer:
    if b.rank > a.rank:
        return UNRANKED
    return "~B n n, ~B n -> ~B n" if b.rank == a.rank - 1 else "~B n n, ~B n k -> ~B n k"


@op("tf.linalg.lu", returns="tuple", dtype=",int32")
def lu(input: Tensor) -> Answer:
    return "*B n n -> *B n n, *B n"


@op("keras.ops.lu_factor", returns="tuple", dtype=",int32")
def lu_factor(x: Tensor) -> Answer:
    return "n n -> n n, n" if x.rank == 2 else result(UNRANKED, UNRANKED)


@op("tf.linalg.lu_reconstruct", oracle="none: takes a permutation")
@op("tf.linalg.lu_matrix_inverse")
def lu_matrix(lower_upper: Tensor, perm: Tensor) -> Answer:
    return "n n, n -> n n" if lower_upper.rank == 2 and perm.rank == 1 else UNRANKED


@op("tf.linalg.lu_solve")
def lu_solve(lower_upper: Tensor, perm: Tensor, rhs: Tensor) -> Answer:
    plain = lower_upper.rank == 2 and perm.rank == 1 and rhs.rank == 2
    return "n n, n, n k -> n k" if plain else UNRANKED


@op("tf.linalg.tridiagonal_matmul", oracle="none: several forms of diagonals")
@op("tf.linalg.tridiagonal_solve", oracle="none: several forms of diagonals")
@op("tf.linalg.banded_triangular_solve", oracle="none: several forms of bands", was={"bands": "diagonals"})
def tridiagonal(diagonals: Tensor, rhs: Tensor) -> Answer:
    return rhs.shape


@op("tf.linalg.eigh_tridiagonal")
def eigh_tridiagonal(alpha: Tensor, beta: Tensor, eigvals_only: Flag = True) -> Answer:
    rows = alpha.shape.size(0)
    if not isinstance(rows, int) or rows < 2 or (alpha.rank, beta.rank) != (1, 1):
        raise Blind("how many there are")
    return ("n, m -> n" if eigvals_only else "n, m -> n, n n"), "m == n - 1"


@op("tf.linalg.tensor_diag_part", "tf.diag_part")
def tensor_diag_part(input: Ranked) -> Answer:
    """The first half of the axes equals the second."""
    if input.rank % 2:
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, an even rank is needed")
    half = " ".join(f"n{axis}" for axis in range(input.rank // 2))
    return f"{half} {half} -> {half}"


@op("tf.linalg.normalize", was={"keep_dims": "keepdims"}, returns="tuple")
def normalize_by_norm(tensor: Tensor, axis: Axes = None) -> Answer:
    """Return the tensor, and its norm with all its axes."""
    return at(axis, "d -> d, 1")


@op("np.linalg.cond")
def cond(x: Tensor) -> Answer:
    return "*B m n -> *B"


@op("np.linalg.matrix_norm")
def matrix_norm(x: Tensor, keepdims: Flag = False) -> Answer:
    return "*B m n -> *B 1 1" if keepdims else "*B m n -> *B"


@op("np.linalg.vector_norm")
def vector_norm(x: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    if x.rank == 0 or axis == ():
        return UNRANKED
    return reduced(axis, keepdims)


@op("np.linalg.svdvals")
def svdvals(x: Tensor) -> Answer:
    return "*B m n -> *B k", {"k": "min(m, n)"}


@op("{np,np.linalg}.vecdot", dtype="promote")
def vecdot(x1: Tensor, x2: Tensor, axis: Axis = -1, keepdims: Flag = False) -> Answer:
    if axis != -1:
        return UNRANKED
    return "~B k, ~B k -> ~B 1" if keepdims else "~B k, ~B k -> ~B"


@op("np.matvec", dtype="promote")
def matvec(x1: Tensor, x2: Tensor) -> Answer:
    return "~B m k, ~B k -> ~B m"


@op("np.vecmat", dtype="promote")
def vecmat(x1: Tensor, x2: Tensor) -> Answer:
    return "~B k, ~B k n -> ~B n"


@op("np.linalg.outer", dtype="promote")
def outer(x1: Tensor, x2: Tensor) -> Answer:
    return "m, n -> m n"


@op("np.cross", "np.linalg.cross", "keras.ops.cross", dtype="promote", oracle="none: pairs are an old form")
def cross(
    a: Tensor, b: Tensor, axisa: Axis = -1, axisb: Axis = -1, axisc: Axis = -1, axis: Axis | None = None
) -> Answer:
    """The vectors have three numbers along the last axes."""
    if (axisa, axisb, axisc) != (-1, -1, -1) or axis not in (None, -1):
        return UNRANKED
    is_plain = all(tensor.shape.size(-1) == 3 for tensor in (a, b))
    return "~B 3, ~B 3 -> ~B 3" if is_plain else (UNRANKED, *(_are_vectors(a) + _are_vectors(b)))


def _are_vectors(given: Tensor) -> list[Need]:
    size = given.shape.size(-1)
    said = f"{given.name} has {size} numbers along the last axis, not 3 (or 2)"
    return [] if size is None else [one_of(ClashKind.AXIS, size, (2, 3), said)]


@op("np.linalg.multi_dot", dtype="promote", oracle="none: takes a list of matrices that fit")
def multi_dot(arrays: Tensors) -> Answer:
    """Multiply a chain of matrices; the first and the last may be vectors."""
    shapes = [item.shape.head for item in arrays.items]
    if arrays.repeat is not None or len(shapes) < 2 or any(item.rank not in (1, 2) for item in arrays.items):
        raise Blind("what is multiplied")
    return Shape((*shapes[0][:-1], *shapes[-1][1:])), *map(_meet, shapes, shapes[1:])


def _meet(left: Sizes, right: Sizes) -> Need:
    return equal(ClashKind.AXIS, left[-1], right[0], f"{left[-1]} columns are multiplied by {right[0]} rows")


@op("np.linalg.tensorinv")
def tensorinv(a: Ranked, ind: Size = 2) -> Answer:
    """The first `ind` axes have as many elements as the others."""
    if not isinstance(ind, int) or not 0 < ind <= a.rank:
        return UNRANKED
    first, second = a.shape.head[:ind], a.shape.head[ind:]
    return Shape((*second, *first)), _square(first, second)


def _square(first: Sizes, second: Sizes) -> Need:
    said = f"the axes {first} and {second} of a do not make a square matrix"
    return equal(ClashKind.ELEMENTS, product(first), product(second), said)


@op("np.linalg.tensorsolve", oracle="none: needs axes that fit")
def tensorsolve(a: Ranked, b: Ranked) -> Answer:
    return Shape(a.shape.head[b.rank :])


@op("keras.ops.lstsq")
def lstsq(a: Tensor, b: Ranked) -> Answer:
    return "m n, m -> n" if b.rank == 1 else "m n, m p -> n p"


@op("keras.ops.cdist")
def cdist(x1: Tensor, x2: Tensor) -> Answer:
    return "~B m k, ~B n k -> ~B m n"


@op("keras.ops.psnr")
def psnr(x1: Tensor, x2: Tensor) -> Answer:
    return SCALAR, *same(x1, x1.shape, x2, x2.shape)
