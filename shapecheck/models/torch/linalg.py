"""Matrix products and linear algebra."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, as_size, as_sizes, items_of
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Flag,
    Ranked,
    Refused,
    Tensor,
    Tensors,
    equal,
    op,
    result,
)
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.axis_positions import place_of
from shapecheck.models.lang.constraints import Need, equal_ranks
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

BOTH = "{torch,torch.Tensor}"


@op(f"{BOTH}.matmul", "torch.linalg.matmul", operator="@", dtype="promote")
def matmul(input: Tensor, other: Tensor) -> Answer:
    return "~B m? k, ~B k n? -> ~B m? n?"


@op(f"{BOTH}.mm")
def mm(input: Tensor, mat2: Tensor) -> Answer:
    return "m k, k n -> m n"


@op(f"{BOTH}.bmm")
def bmm(input: Tensor, mat2: Tensor) -> Answer:
    return "b m k, b k n -> b m n"


@op(f"{BOTH}.mv")
def mv(input: Tensor, vec: Tensor) -> Answer:
    return "m k, k -> m"


@op(f"{BOTH}.{{dot,vdot}}")
def dot(input: Tensor, other: Tensor) -> Answer:
    return "n, n ->"


@op(f"{BOTH}.inner", dtype="promote")
def inner(input: Tensor, other: Tensor) -> Answer:
    if 0 in (input.rank, other.rank):
        return "~B, ~B -> ~B"
    return UNRANKED if None in (input.rank, other.rank) else "*A k, *C k -> *A *C"


@op(f"{BOTH}.{{outer,ger}}", dtype="promote")
def outer(input: Tensor, vec2: Tensor) -> Answer:
    return "m, n -> m n"


@op(f"{BOTH}.addmm", dtype="?")
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor) -> Answer:
    """The product is added to a tensor that is stretched to it."""
    return "*S, m k, k n -> m n", *_added(input, mat1, mat2)


def _added(input: Tensor, one: Tensor, other: Tensor) -> list[Need]:
    if one.rank is None or other.rank is None or min(one.rank, other.rank) < 2:
        return []
    return stretches_to(input, Shape((*one.shape.head[:-1], other.shape.head[-1])))


@op(f"{BOTH}.baddbmm", dtype="?")
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor) -> Answer:
    return "*S, b m k, b k n -> b m n", *_added(input, batch1, batch2)


@op(f"{BOTH}.addmv", dtype="?")
def addmv(input: Tensor, mat: Tensor, vec: Tensor) -> Answer:
    needs = stretches_to(input, Shape(mat.shape.head[:1])) if mat.rank == 2 else []
    return "*S, m k, k -> m", *needs


@op(f"{BOTH}.addr", dtype="?")
def addr(input: Tensor, vec1: Tensor, vec2: Tensor) -> Answer:
    are_rows = vec1.rank == vec2.rank == 1
    return "*S, m, n -> m n", *(stretches_to(input, Shape((*vec1.shape.head, *vec2.shape.head))) if are_rows else [])


@op(f"{BOTH}.addbmm", dtype="?")
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor) -> Answer:
    """The products of all batches are added."""
    are_batches = batch1.rank == batch2.rank == 3
    whole = Shape((batch1.shape.head[1], batch2.shape.head[2])) if are_batches else UNRANKED
    return "*S, b m k, b k n -> m n", *(stretches_to(input, whole) if are_batches else [])


@op("torch.tensordot", "torch.Tensor.tensordot")
def tensordot(a: Ranked, b: Ranked, dims: AnyValue = NONE) -> Answer:
    """The axes of both are named, or their number is: the last of one, the first of the other."""
    return _contracted(a, b, dims)


def _contracted(a: Ranked, b: Ranked, dims: AnyValue) -> Answer:
    count = 2 if dims == NONE else as_size(dims)
    if isinstance(count, int):
        if count > min(a.rank, b.rank):
            raise Refused(ClashKind.RANK, f"{count} axes are summed, {a.name} has {a.rank} and {b.name} has {b.rank}")
        left, right = list(range(a.rank - count, a.rank)), list(range(count))
    else:
        left, right = _named(a, b, dims)
    needs = [need for one, other in zip(left, right, strict=True) for need in _equal(a, b, one, other)]
    kept: list[AnySize] = [size for at, size in enumerate(a.shape.head) if at not in left]
    kept += [size for at, size in enumerate(b.shape.head) if at not in right]
    return result(Shape(tuple(kept)), needs=needs)


def _named(a: Tensor, b: Tensor, dims: AnyValue) -> tuple[list[int], list[int]]:
    pair = [as_sizes(one) for one in items_of(dims) or ()]
    if len(pair) != 2 or pair[0] is None or pair[1] is None:
        raise Blind("the axes")
    if len(pair[0]) != len(pair[1]):
        raise Refused(ClashKind.RANK, f"{len(pair[0])} and {len(pair[1])} axes are summed")
    return [place_of(a, axis) for axis in pair[0]], [place_of(b, axis) for axis in pair[1]]


def _equal(a: Tensor, b: Tensor, one: int, other: int) -> list[Need]:
    """An axis of size 1 is stretched, which an unknown one may be."""
    x, y = a.shape.head[one], b.shape.head[other]
    if not isinstance(x, int) or not isinstance(y, int) or 1 in (x, y):
        return []
    return [equal(ClashKind.AXIS, x, y, f"{a.name} has {x} on axis {one}, {b.name} has {y} on axis {other}")]


@op("torch.linalg.{inv,matrix_exp}", f"{BOTH}.{{inverse,matrix_exp}}", "torch.linalg.cholesky")
def square(input: Tensor) -> Answer:
    return "*B n n -> *B n n"


@op("torch.linalg.det", f"{BOTH}.{{det,logdet}}")
def det(input: Tensor) -> Answer:
    return "*B n n -> *B"


@op("torch.linalg.pinv", f"{BOTH}.pinverse")
def pinv(input: Tensor) -> Answer:
    return "*B m n -> *B n m"


@op("torch.linalg.solve")
def solve(a: Tensor, b: Tensor) -> Answer:
    if a.rank != 2 or b.rank not in (1, 2):
        raise Blind("batches of systems")
    return "n n, n -> n" if b.rank == 1 else "n n, n k -> n k"


@op(f"{BOTH}.svd", dtype="?")
def svd(input: Tensor, some: Flag = True) -> Answer:
    if not some:
        return "*B m n -> *B m m, *B (min(m, n)), *B n n"
    return "*B m n -> *B m (min(m, n)), *B (min(m, n)), *B n (min(m, n))"


@op("torch.linalg.qr")
def qr(a: Tensor, mode: AnyValue = NONE) -> Answer:
    if mode != NONE:
        raise Blind("a mode")
    return "*B m n -> *B m (min(m, n)), *B (min(m, n)) n"


@op("torch.linalg.eigvalsh", dtype="first real")
def eigvalsh(a: Tensor) -> Answer:
    return "*B n n -> *B n"


@op("torch.linalg.eigh", dtype="?")
def eigh(a: Tensor) -> Answer:
    return "*B n n -> *B n, *B n n"


@op(f"{BOTH}.cross", dtype="promote")
def cross(input: Tensor, other: Tensor, dim: Axis | None = None) -> Answer:
    """Vectors are along the axis, by default along the first that has size 3 in the first operand."""
    equal_ranks(input, other)
    return _crossed(input, other, _first_of_3(input) if dim is None else dim)


def _first_of_3(input: Tensor) -> int | None:
    """Return the first axis of size 3; None if it is not known."""
    sizes = input.shape.head
    if input.rank is None or not all(isinstance(size, int) for size in sizes):
        return None
    if 3 not in sizes:
        raise Refused(ClashKind.AXIS, f"{input.name} {input.shape} has no axis of size 3")
    return sizes.index(3)


@op("torch.linalg.cross", dtype="promote")
def linalg_cross(input: Tensor, other: Tensor, dim: Axis = -1) -> Answer:
    equal_ranks(input, other)
    return _crossed(input, other, dim)


def _crossed(input: Tensor, other: Tensor, dim: int | None) -> Answer:
    """Vectors have three elements each; other axes broadcast."""
    if dim is None:
        return "~B, ~B -> ~B"
    sizes = [(each, each.shape.size(place_of(each, dim) if each.rank is not None else dim)) for each in (input, other)]
    said = "{0} has {1} elements along axis {2}, vectors have 3"
    needs = [
        equal(ClashKind.AXIS, size, 3, said.format(each.name, size, dim)) for each, size in sizes if size is not None
    ]
    return "~B, ~B -> ~B", *needs


@op("torch.cdist", dtype="first")
def cdist(x1: Tensor, x2: Tensor) -> Answer:
    return "~B p m, ~B r m -> ~B p r"


@op("torch.chain_matmul", varargs="matrices")
def chain_matmul(matrices: Tensors) -> Answer:
    is_known = matrices.repeat is None and len(matrices.items) > 1
    return _chained(matrices) if is_known and all(each.rank == 2 for each in matrices.items) else UNRANKED


def _chained(matrices: Tensors) -> Answer:
    pairs = zip(matrices.items, matrices.items[1:], strict=False)
    return result(
        Shape((matrices.items[0].shape.head[0], matrices.items[-1].shape.head[1])),
        needs=[need for one, other in pairs for need in _fit(one, other)],
    )


def _fit(one: Tensor, other: Tensor) -> list[Need]:
    columns, rows = one.shape.head[1], other.shape.head[0]
    said = f"{one.name} has {columns} columns, {other.name} has {rows} rows"
    return [] if columns == rows else [equal(ClashKind.AXIS, columns, rows, said)]


@op("torch.cumulative_trapezoid", dtype="?")
def cumulative_trapezoid(y: Tensor) -> Answer:
    return "*S n -> *S (n - 1)"


@op("torch.trapezoid", "torch.trapz", dtype="?")
def trapezoid(y: Tensor) -> Answer:
    return "*S n -> *S"


@op("torch.nn.functional.linear")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Answer:
    """A weight of one axis gives one number."""
    if input.rank and bias is not None and bias.rank:
        return _biased(input, weight, bias)
    return UNRANKED if weight.rank is None else "*S k, k -> *S" if weight.rank == 1 else "*S k, n k -> *S n"


def _is_many(size: AnySize | None) -> bool:
    return isinstance(size, int) and size != 1


def _biased(input: Tensor, weight: Tensor, bias: Tensor) -> Answer:
    """The bias broadcasts to the result, one number for each column or for all."""
    if weight.rank == 1:
        raise Refused(ClashKind.RANK, f"{weight.name} has rank 1, so that the bias must be one number")
    if weight.rank != 2:
        return UNRANKED
    if bias.rank == 1 and _is_many(bias.shape.size(0)):
        return "*S k, n k, n -> *S n"
    if input.rank == 1 and bias.rank == 2 and bias.shape.head[0] == 1:
        return "k, n k, _ _ -> n"
    return "*S k, n k -> *S n", *stretches_to(bias, Shape((*input.shape.head[:-1], weight.shape.head[0])))


@op("torch.nn.functional.bilinear", "torch.bilinear")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Answer:
    return "*S i, *S j, n i j, n -> *S n" if bias is not None else "*S i, *S j, n i j -> *S n"
