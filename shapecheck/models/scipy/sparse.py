"""Sparse matrices and arrays of SciPy: each is known by the dense array that it stands for."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Int,
    Library,
    Partial,
    Ref,
    Seq,
    SliceValue,
    Tensor,
    Value,
    as_size,
    as_sizes,
    items_of,
)
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.sparse_matrices import ARRAY, DENSE, MATRIX, SPARSE, is_sparse, sparse_matrix, unknown
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size

CLASSES = f"{SPARSE}.{{Matrix,Array}}"

FACTORS = f"{SPARSE}.linalg.SuperLU"

base(MATRIX, "object")
base(ARRAY, "object")
base(FACTORS, "object")


def _floats(shape: Shape) -> Tensor:
    return Tensor(shape, None, "np")


def _dense(ctx: Context, value: Value) -> Tensor:
    """Return the dense array of a sparse one, or an array itself."""
    if is_sparse(value):
        found = ctx.get(value, DENSE)
        return found if isinstance(found, Tensor) else unknown()
    return as_tensor(ctx.freeze(value), ctx)


def _kind(value: Value) -> str:
    return value.cls if isinstance(value, Ref) else ARRAY


def _new(ctx: Context, cls: str, dense: Value) -> Value:
    return sparse_matrix(ctx, dense, cls)


def _like(ctx: Context, self: Value, dense: Value) -> Value:
    return _new(ctx, _kind(self), dense)


def _sizes(*values: Value) -> Tensor:
    sizes = tuple(map(as_size, values))
    return _floats(Shape(tuple(lost() if size is None else size for size in sizes)))


# Making them ----------------------------------------------------------------------------------------------------------


def _maker(suffix: str, cls: str) -> None:
    @behaviour(f"{SPARSE}.{{bsr,coo,csc,csr,dia,dok,lil}}_{suffix}")
    def made(ctx: Context, arg1: Value, shape: Value = NONE, *others: Value, **keywords: Value) -> Value:
        return _new(ctx, cls, _said(ctx, arg1, shape))


_maker("matrix", MATRIX)
_maker("array", ARRAY)


def _are_parts(ctx: Context, given: Value) -> None:
    """State that values have as many positions: a row and a column each, or indices."""
    values, positions, *_ = given.items if isinstance(given, Seq) and len(given.items) in (2, 3) else (NONE, NONE)
    each = items_of(positions) if isinstance(given, Seq) and len(given.items) == 2 else (positions,)
    arrays = [as_tensor(part, ctx) for part in (values, *(each or ())) if part != NONE]
    if len(arrays) < 2 or any(array.shape.rank != 1 for array in arrays):
        return
    (count,) = arrays[0].shape.sizes
    for array in arrays[1:]:
        (size,) = array.shape.sizes
        said = f"there are {ctx.resolve(count)} values and {ctx.resolve(size)} positions"
        ctx.require(ClashKind.AXIS, Equal(count, size), said, arrays[0], array)


def _said(ctx: Context, given: Value, shape: Value) -> Tensor:
    """Return the dense array of what a sparse one is made of: an array, another sparse one, a shape, or its parts."""
    _are_parts(ctx, ctx.freeze(given))
    told = as_sizes(ctx.freeze(shape)) if shape != NONE else None
    if told is not None:
        return _floats(Shape(told))
    frozen = ctx.freeze(given)
    if isinstance(frozen, Seq) and frozen.kind == "tuple":
        sizes = as_sizes(frozen)
        return unknown() if sizes is None or len(sizes) != 2 else _floats(Shape(sizes))
    return _dense(ctx, given)


def _square(suffix: str, cls: str) -> None:
    @behaviour(f"{SPARSE}.eye{suffix}")
    def eye(ctx: Context, m: Value, n: Value = NONE, *others: Value, **keywords: Value) -> Value:
        return _new(ctx, cls, _sizes(m, m if n == NONE else n))

    @behaviour(f"{SPARSE}.diags{suffix}")
    def diags(
        ctx: Context,
        diagonals: Value,
        offsets: Value = Const(0),
        shape: Value = NONE,
        *others: Value,
        **keywords: Value,
    ) -> Value:
        """The first diagonal tells the size, where no shape is given."""
        told = as_sizes(ctx.freeze(shape)) if shape != NONE else None
        if told is not None:
            return _new(ctx, cls, _floats(Shape(told)))
        size = None if shape != NONE or "shape" in keywords else _first_diagonal(ctx, diagonals, offsets)
        return _new(ctx, cls, unknown() if size is None else _floats(Shape((size, size))))


_square("", MATRIX)
_square("_array", ARRAY)


def _first_diagonal(ctx: Context, diagonals: Value, offsets: Value) -> Size | None:
    """Return the size of a square matrix with these diagonals."""
    rows, places = items_of(ctx.freeze(diagonals)), items_of(ctx.freeze(offsets))
    place = as_size(places[0] if places else offsets)
    first = as_tensor(rows[0], ctx) if rows else None
    if first is None or not isinstance(place, int) or first.shape.rank is None:
        return None
    whole = as_tensor(ctx.freeze(diagonals), ctx) if first.shape.rank == 0 else first
    return whole.shape.sizes[0] + abs(place) if whole.shape.rank == 1 else None


@behaviour(f"{SPARSE}.identity")
def identity(ctx: Context, n: Value, *others: Value, **keywords: Value) -> Value:
    return _new(ctx, MATRIX, _sizes(n, n))


@behaviour(f"{SPARSE}.{{random,rand}}")
def random(ctx: Context, m: Value, n: Value, *others: Value, **keywords: Value) -> Value:
    return _new(ctx, MATRIX, _sizes(m, n))


@behaviour(f"{SPARSE}.spdiags")
def spdiags(ctx: Context, data: Value, diags: Value, m: Value = NONE, n: Value = NONE, *others: Value) -> Value:
    return _new(ctx, MATRIX, unknown() if NONE in (m, n) else _sizes(m, n))


@behaviour(f"{SPARSE}.kron")
def kron(ctx: Context, A: Value, B: Value, *others: Value, **keywords: Value) -> Value:  # noqa: N803
    return _like(ctx, A, ctx.apply("np.kron", _dense(ctx, A), _dense(ctx, B)))


def _stacked(name: str) -> None:
    @behaviour(f"{SPARSE}.{name}")
    def stacked(ctx: Context, blocks: Value, *others: Value, **keywords: Value) -> Value:
        items = items_of(ctx.freeze(blocks))
        if not items:
            return _new(ctx, MATRIX, unknown())
        parts = Seq("list", tuple(_dense(ctx, item) for item in items))
        return _like(ctx, items[0], ctx.apply(f"np.{name}", parts))


_stacked("vstack")
_stacked("hstack")


@behaviour(f"{SPARSE}.{{tril,triu}}")
def part(ctx: Context, A: Value, *others: Value, **keywords: Value) -> Value:  # noqa: N803
    return _like(ctx, A, _dense(ctx, A))


# Their attributes and methods -----------------------------------------------------------------------------------------


@attribute(f"{CLASSES}.shape")
def shape(ctx: Context, self: Value) -> Value:
    shape = _dense(ctx, self).shape
    return Seq("tuple", tuple(map(_size, shape.sizes))) if shape.is_ranked else ctx.lost("a shape of unknown rank")


def _size(size: Size) -> Value:
    return Const(size) if isinstance(size, int) else Int(size)


@attribute(f"{CLASSES}.ndim")
def ndim(ctx: Context, self: Value) -> Value:
    return Const(2)


@behaviour(f"{CLASSES}.nonzero")
def nonzero(ctx: Context, self: Value) -> Value:
    places = Tensor(Shape((lost(),)), "int32", "np")
    return Seq("tuple", (places, places))


@attribute(f"{CLASSES}.nnz")
def nnz(ctx: Context, self: Value) -> Value:
    return Int(lost())


@attribute(f"{CLASSES}.{{data,indices,row,col}}")
def kept(ctx: Context, self: Value) -> Value:
    return _floats(UNRANKED)


@behaviour(f"{CLASSES}.__getitem__")
def item(ctx: Context, self: Value, key: Value) -> Value:
    """A part of a matrix has two axes, too; one by two arrays of indices is dense."""
    made = ctx.apply("np.ndarray.__getitem__", _dense(ctx, self), key)
    entries = items_of(key) or () if isinstance(key, Seq) and key.kind == "tuple" else (key,)
    if not isinstance(made, Tensor) or sum(isinstance(entry, (Seq, Tensor)) for entry in entries) > 1:
        return made if _kind(self) == ARRAY else ctx.lost("a part of a sparse matrix")
    if _kind(self) == MATRIX:
        made = ctx.apply("np.matrix.__getitem__", _dense(ctx, self), key)
    return _like(ctx, self, made) if isinstance(made, Tensor) and made.shape.rank == 2 else ctx.lost("a sparse row")


@behaviour(f"{MATRIX}.getrow")
def row(ctx: Context, self: Value, i: Value) -> Value:
    return item(ctx, self, i)


@behaviour(f"{MATRIX}.getcol")
def column(ctx: Context, self: Value, j: Value) -> Value:
    return item(ctx, self, Seq("tuple", (SliceValue(NONE, NONE, NONE), j)))


@attribute(f"{CLASSES}.offsets")
def offsets(ctx: Context, self: Value) -> Value:
    return Tensor(Shape((lost(),)), "int32", "np")


@attribute(f"{CLASSES}.T")
def transposed(ctx: Context, self: Value) -> Value:
    return _like(ctx, self, ctx.apply("np.transpose", _dense(ctx, self)))


@behaviour(f"{CLASSES}.transpose")
def transpose(ctx: Context, self: Value, *others: Value, **keywords: Value) -> Value:
    return transposed(ctx, self)


@behaviour(f"{CLASSES}.toarray")
def toarray(ctx: Context, self: Value, *others: Value, **keywords: Value) -> Value:
    return _dense(ctx, self)


@attribute(f"{CLASSES}.A")
def dense_array(ctx: Context, self: Value) -> Value:
    return _dense(ctx, self)


@behaviour(f"{CLASSES}.todense")
def todense(ctx: Context, self: Value, *others: Value, **keywords: Value) -> Value:
    return _as_dense(ctx, self, _dense(ctx, self))


def _as_dense(ctx: Context, self: Value, dense: Value) -> Value:
    """Return a dense result, which is a matrix if a sparse one is."""
    return ctx.apply("np.asmatrix", dense) if _kind(self) == MATRIX else dense


@behaviour(f"{CLASSES}.{{copy,conj,conjugate,astype,tocsr,tocsc,tocoo,todia,tolil,todok,tobsr,asformat,power,sqrt}}")
@behaviour(f"{CLASSES}.{{__neg__,__pow__,__abs__}}")
def similar(ctx: Context, self: Value, *others: Value, **keywords: Value) -> Value:
    """Return one of the same shape."""
    return _like(ctx, self, _dense(ctx, self))


@behaviour(f"{CLASSES}.{{dot,__matmul__}}", f"{MATRIX}.__mul__")
def product(ctx: Context, self: Value, other: Value) -> Value:
    dense = _dense(ctx, other)
    if dense.shape == SCALAR:
        return similar(ctx, self)
    made = ctx.apply("np.matmul", _dense(ctx, self), dense)
    return _like(ctx, self, made) if is_sparse(other) else made


@behaviour(f"{CLASSES}.__rmatmul__", f"{MATRIX}.__rmul__")
def product_from_left(ctx: Context, self: Value, other: Value) -> Value:
    dense = _dense(ctx, other)
    return similar(ctx, self) if dense.shape == SCALAR else ctx.apply("np.matmul", dense, _dense(ctx, self))


@behaviour(f"{CLASSES}.__truediv__")
def divided(ctx: Context, self: Value, other: Value) -> Value:
    return similar(ctx, self) if _dense(ctx, other).shape == SCALAR else ctx.lost("a quotient of a sparse matrix")


@behaviour(f"{ARRAY}.{{__mul__,__rmul__}}", f"{CLASSES}.multiply")
def multiplied(ctx: Context, self: Value, other: Value) -> Value:
    return _like(ctx, self, ctx.apply("np.multiply", _dense(ctx, self), _dense(ctx, other)))


@behaviour(f"{CLASSES}.{{__add__,__radd__,__sub__,__rsub__}}")
def added(ctx: Context, self: Value, other: Value) -> Value:
    """A sparse matrix is added to another one, or to a dense one."""
    made = ctx.apply("np.add", _dense(ctx, self), _dense(ctx, other))
    return _like(ctx, self, made) if is_sparse(other) or other == Const(0) else _as_dense(ctx, self, made)


@behaviour(f"{CLASSES}.diagonal")
def diagonal(ctx: Context, self: Value, k: Value = Const(0)) -> Value:
    return ctx.apply("np.diagonal", _dense(ctx, self), offset=k)


@behaviour(f"{CLASSES}.{{sum,mean}}")
def reduced(ctx: Context, self: Value, axis: Value = NONE, *others: Value, **keywords: Value) -> Value:
    """A matrix gives a matrix, with one row or one column."""
    if axis == NONE:
        return _floats(SCALAR)
    return ctx.apply(
        "np.matrix.sum" if _kind(self) == MATRIX else "np.sum", _as_dense(ctx, self, _dense(ctx, self)), axis
    )


@behaviour(f"{CLASSES}.{{max,min}}")
def extreme(ctx: Context, self: Value, axis: Value = NONE, *others: Value, **keywords: Value) -> Value:
    made = reduced(ctx, self, axis)
    if axis == NONE:
        return made
    return _like(ctx, self, made) if _kind(self) == MATRIX else ctx.lost("a sparse row")


@behaviour(f"{CLASSES}.{{setdiag,eliminate_zeros,sum_duplicates,sort_indices}}")
def changed(ctx: Context, self: Value, *others: Value, **keywords: Value) -> Value:
    return NONE


@behaviour(f"{SPARSE}.block_diag")
def block_diag(ctx: Context, mats: Value, *others: Value, **keywords: Value) -> Value:
    """Numbers and vectors are matrices too."""
    items = items_of(ctx.freeze(mats)) or ()
    shapes = [_dense(ctx, item).shape for item in items]
    if not items or any(shape.rank != 2 for shape in shapes):
        return _new(ctx, MATRIX, unknown())
    rows, columns = zip(*(shape.sizes for shape in shapes), strict=True)
    return _like(ctx, items[0], _floats(Shape((sum(rows), sum(columns)))))


@behaviour(f"{SPARSE}.{{bmat,block_array}}")
def block_matrix(ctx: Context, blocks: Value, *others: Value, **keywords: Value) -> Value:
    """A block tells the rows of its row and the columns of its column; a place without one is None."""
    rows = [items_of(row) or () for row in items_of(ctx.freeze(blocks)) or ()]
    shapes = [[_dense(ctx, item).shape for item in row if item != NONE] for row in rows]
    columns = [[_dense(ctx, item).shape for item in column if item != NONE] for column in zip(*rows, strict=False)]
    first = next((item for row in rows for item in row if item != NONE), NONE)
    if not rows or any(not line or line[0].rank != 2 for line in (*shapes, *columns)):
        return _new(ctx, _kind(first) if is_sparse(first) else MATRIX, unknown())
    whole = Shape((sum(row[0].sizes[0] for row in shapes), sum(column[0].sizes[1] for column in columns)))
    return _new(ctx, _kind(first) if is_sparse(first) else MATRIX, _floats(whole))


# Solvers --------------------------------------------------------------------------------------------------------------


@behaviour(f"{SPARSE}.linalg.spsolve")
def spsolve(ctx: Context, A: Value, b: Value, *others: Value, **keywords: Value) -> Value:  # noqa: N803
    """A single column becomes a vector."""
    _meet(ctx, A, b)
    right = _dense(ctx, b)
    are_columns = right.shape.rank == 2 and isinstance(right.shape.sizes[1], int) and right.shape.sizes[1] > 1
    if is_sparse(b):
        return ctx.lost("a sparse solution")
    return _floats(right.shape if are_columns else _vector(right))


@behaviour(f"{SPARSE}.linalg.{{splu,spilu}}")
def factors(ctx: Context, A: Value, *others: Value, **keywords: Value) -> Value:  # noqa: N803
    return ctx.new(FACTORS, shape=shape(ctx, A) if is_sparse(A) else ctx.lost("a shape"), matrix=A)


@behaviour(f"{SPARSE}.linalg.factorized")
def factorized(ctx: Context, A: Value) -> Value:  # noqa: N803
    return Partial(Library(f"{FACTORS}.solve"), (factors(ctx, A),))


@behaviour(f"{FACTORS}.solve")
def solved(ctx: Context, self: Value, rhs: Value, *others: Value, **keywords: Value) -> Value:
    right = _dense(ctx, rhs)
    _meet(ctx, ctx.get(self, "matrix") or NONE, rhs)
    return _floats(right.shape)


@behaviour(f"{SPARSE}.linalg.{{cg,gmres,bicg,bicgstab,minres,lgmres,qmr,cgs,tfqmr,gcrotmk}}")
def iterative(ctx: Context, A: Value, b: Value, *others: Value, **keywords: Value) -> Value:  # noqa: N803
    _meet(ctx, A, b)
    return Seq("tuple", (_floats(_vector(_dense(ctx, b))), Int(lost())))


@behaviour(f"{SPARSE}.linalg.{{eigs,eigsh}}")
def eigenvalues(
    ctx: Context,
    A: Value,  # noqa: N803
    k: Value = Const(6),
    *others: Value,
    return_eigenvectors: Value = TRUE,
    **keywords: Value,
) -> Value:
    """Return some eigenvalues, and a column for each."""
    (rows, count) = _rows(ctx, A), as_size(k)
    if return_eigenvectors not in (TRUE, FALSE) or len(others) > 6 or count is None:
        return ctx.lost("eigenvalues of a sparse matrix")
    values = _floats(Shape((count,)))
    return values if return_eigenvectors == FALSE else Seq("tuple", (values, _floats(Shape((rows, count)))))


def _rows(ctx: Context, matrix: Value) -> Size:
    found = _dense(ctx, matrix).shape.size(0) if is_sparse(matrix) or isinstance(matrix, Tensor) else None
    return lost() if found is None else found


@behaviour(f"{SPARSE}.linalg.svds")
def singular_values(
    ctx: Context,
    A: Value,  # noqa: N803
    k: Value = Const(6),
    *others: Value,
    return_singular_vectors: Value = TRUE,
    **keywords: Value,
) -> Value:
    shape, count = _dense(ctx, A).shape, as_size(k)
    if return_singular_vectors != TRUE or len(others) > 5 or count is None or shape.rank != 2:
        return ctx.lost("singular values of a sparse matrix")
    rows, columns = shape.sizes
    return Seq("tuple", tuple(_floats(Shape(sizes)) for sizes in ((rows, count), (count,), (count, columns))))


@behaviour(f"{SPARSE}.linalg.{{expm,inv}}")
def square(ctx: Context, A: Value) -> Value:  # noqa: N803
    return _like(ctx, A, _dense(ctx, A)) if is_sparse(A) else _floats(_dense(ctx, A).shape)


@behaviour(f"{SPARSE}.linalg.norm")
def norm(ctx: Context, x: Value, ord: Value = NONE, axis: Value = NONE) -> Value:
    return _floats(SCALAR) if axis == NONE else ctx.apply("np.linalg.norm", _dense(ctx, x), axis=axis)


def _least_squares(name: str, parts: int) -> None:
    @behaviour(f"{SPARSE}.linalg.{name}")
    def solved(ctx: Context, A: Value, b: Value, *others: Value, **keywords: Value) -> Value:  # noqa: N803
        """Return the solution, and what tells how it was found."""
        columns = _dense(ctx, A).shape.size(1) if is_sparse(A) else None
        solution = _floats(Shape((lost() if columns is None else columns,)))
        return Seq("tuple", (solution, *(ctx.lost("what a solver tells") for _ in range(parts - 1))))


_least_squares("lsqr", 10)
_least_squares("lsmr", 8)


def _meet(ctx: Context, matrix: Value, right: Value) -> None:
    """State that a system of equations has as many unknowns and right sides as equations."""
    dense, given = _dense(ctx, matrix), _dense(ctx, right)
    if dense.shape.rank != 2 or not given.shape.is_ranked or given.shape == SCALAR:
        return
    (rows, columns), count = dense.shape.sizes, given.shape.sizes[0]
    said = f"the matrix has {ctx.resolve(rows)} rows and {ctx.resolve(columns)} columns"
    ctx.require(ClashKind.AXIS, Equal(rows, columns), said, dense)
    said = f"the matrix has {ctx.resolve(rows)} rows, the right side {ctx.resolve(count)}"
    ctx.require(ClashKind.AXIS, Equal(rows, count), said, dense, given)


def _vector(given: Tensor) -> Shape:
    sizes: Sequence[Size] = given.shape.sizes if given.shape.is_ranked else ()
    return Shape((sizes[0],)) if len(sizes) == 1 or (len(sizes) == 2 and sizes[1] == 1) else UNRANKED
