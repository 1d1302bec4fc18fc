"""Matrix products: matmul, dot, inner, outer, tensordot, einsum and related functions."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Value, as_size, as_sizes, items_of
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import Answer, AnyValue, Blind, Flag, Need, Ranked, Refused, Target, Tensor, also, equal, op
from shapecheck.models.lang.axis_positions import aligned, place_of
from shapecheck.models.lang.suspicious import mixed_tensors, outer_batches, written_over
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import product

TWO = Const(2)  # the axes, where none are given
MOST_AXES = 64  # the limit for NumPy arrays


@op("keras.ops.matmul", "np.linalg.matmul", dtype="promote")
def matmul(x1: Tensor, x2: Tensor) -> Answer:
    return "~B m? k, ~B k n? -> ~B m? n?"


@op("np.matmul", operator="@", dtype="promote")
def np_matmul(x1: Tensor, x2: Tensor, out: AnyValue = NONE) -> Answer:
    notices = written_over(x1, x2, out.shape) if isinstance(out, TensorValue) else []
    return "~B m? k, ~B k n? -> ~B m? n?", also(notices=notices)


@op(
    "tf.matmul",
    "tf.linalg.matmul",
    "tf.batch_matmul",
    was={"x": "a", "y": "b", "adj_x": "adjoint_a", "adj_y": "adjoint_b"},
)
@op("tf.Tensor.__matmul__", operator="@", oracle="tf.matmul")
def tf_matmul(
    a: Tensor,
    b: Tensor,
    transpose_a: Flag = False,
    transpose_b: Flag = False,
    adjoint_a: Flag = False,
    adjoint_b: Flag = False,
    target: Target = Target(),
) -> Answer:
    left, right = _turned("m k", transpose_a, adjoint_a), _turned("k n", transpose_b, adjoint_b)
    mixed = [] if target.numpy_behavior else mixed_tensors(a, b)
    stretched = _stretched(a, b) if target.tensorflow == 1 and not target.since_1_14 else []
    return f"~B {left}, ~B {right} -> ~B m n", also(notices=[*mixed, *stretched])


def _stretched(a: Tensor, b: Tensor) -> list[tuple[ClashKind, str]]:
    """Return the notice of batches that broadcast, which old versions reject."""
    if a.rank is None or b.rank is None or min(a.rank, b.rank) < 2:
        return []
    pairs = zip(a.shape.head[:-2], b.shape.head[:-2], strict=False)
    if a.rank == b.rank and not any(
        x != y and 1 in (x, y) and isinstance(x, int) and isinstance(y, int) for x, y in pairs
    ):
        return []
    said = f"{a.name} has shape {a.shape}, {b.name} has shape {b.shape}, rejected before TensorFlow 1.14"
    return [(ClashKind.VERSION, said)]


def _turned(axes: str, transpose: bool, adjoint: bool) -> str:
    """Return the axes of a matrix, in the order after an optional transposition."""
    if transpose and adjoint:
        raise Blind("transposed twice")
    return axes[::-1] if transpose or adjoint else axes


@op("tf.sparse_tensor_dense_matmul", "tf.sparse.sparse_dense_matmul", "tf.sparse_matmul", oracle="none: sparse")
def sparse_matmul(
    a: Tensor,
    b: Tensor,
    adjoint_a: Flag = False,
    adjoint_b: Flag = False,
    transpose_a: Flag = False,
    transpose_b: Flag = False,
) -> Answer:
    return f"{_turned('m k', transpose_a, adjoint_a)}, {_turned('k n', transpose_b, adjoint_b)} -> m n"


@op("tf.linalg.matvec")
def matvec(a: Tensor, b: Tensor, transpose_a: Flag = False, adjoint_a: Flag = False) -> Answer:
    return f"~B {_turned('m k', transpose_a, adjoint_a)}, ~B k -> ~B m"


@op("keras.backend.dot")
def backend_dot(x: Tensor, y: Tensor) -> Answer:
    if not x.rank or not y.rank:
        return UNRANKED
    return "m k, k n -> m n" if x.rank < 3 and y.rank < 3 else "*A k, *B k n -> *A *B n"


@op("np.dot", "keras.ops.dot", "np.ndarray.dot", dtype="promote")
def dot(a: Ranked, b: Ranked) -> Answer:
    if not a.rank or not b.rank:
        return "*A, *B -> *A *B"
    form = "*A k, k -> *A" if b.rank == 1 else "*A k, *B k n -> *A *B n"
    return form, also(notices=outer_batches(a, b))


@op("np.inner", "keras.ops.inner", dtype="promote")
def inner(a: Ranked, b: Ranked) -> Answer:
    return "*A k, *B k -> *A *B" if a.rank and b.rank else "*A, *B -> *A *B"


@op("np.outer", "keras.ops.outer", dtype="promote")
def outer(a: Tensor, b: Tensor) -> Answer:
    return "*A, *B -> (prod(A)) (prod(B))"


@op("np.vdot", "keras.ops.vdot", dtype="promote")
def vdot(a: Tensor, b: Tensor) -> Answer:
    return "*A, *B ->", "prod(A) == prod(B)"


@op("keras.ops.tensordot", dtype="promote")
def keras_tensordot(x1: Ranked, x2: Ranked, axes: AnyValue = TWO) -> Answer:
    return tf_tensordot(x1, x2, axes)


@op("{tf,tf.linalg}.tensordot", dtype="promote")
def tf_tensordot(a: Ranked, b: Ranked, axes: AnyValue) -> Answer:
    """All contracted axes are merged into one first: only their product must agree."""
    left, right = _contracted(axes, a, b)
    return _kept(a, left, b, right), *(_meet_as_one if len(left) > 1 else _meet)(a, left, b, right)


@op("{np,np.linalg}.tensordot", dtype="promote")
def tensordot(a: Ranked, b: Ranked, axes: AnyValue = TWO) -> Answer:
    """The last axes of `a` are contracted with the first of `b`, or with the listed axes."""
    left, right = _contracted(axes, a, b)
    return _kept(a, left, b, right), *_meet(a, left, b, right)


def _contracted(axes: AnyValue, a: Ranked, b: Ranked) -> tuple[list[int], list[int]]:
    """Return the axes of each that are contracted, counted from the front."""
    left, right = _listed(axes, a.rank)
    if len(left) > min(a.rank, b.rank):
        said = f"{len(left)} axes are contracted, a has rank {a.rank} and b has rank {b.rank}"
        raise Refused(ClashKind.AXIS_RANGE, said)
    if len(left) != len(right):
        raise Refused(ClashKind.RANK, f"axes name {len(left)} axes of a and {len(right)} of b")
    return [place_of(a, axis) for axis in left], [place_of(b, axis) for axis in right]


def _listed(axes: AnyValue, rank: int) -> tuple[list[int], list[int]]:
    """Return the axes as given: a number of axes, or a list for each operand."""
    count = as_size(axes)
    if isinstance(count, int):
        count = min(count, MOST_AXES)
        return list(range(rank - count, rank)), list(range(count))
    sides = [_side(item) for item in items_of(axes) or ()]
    if len(sides) != 2:
        raise Blind("which axes are contracted")
    return sides[0], sides[1]


def _side(axes: Value) -> list[int]:
    single = as_size(axes)
    several = (single,) if single is not None else as_sizes(axes)
    known = [axis for axis in several or () if isinstance(axis, int)]
    if several is None or len(known) < len(several):
        raise Blind("which axes are contracted")
    return known


def _meet(a: Ranked, left: list[int], b: Ranked, right: list[int]) -> list[Need]:
    """Return the constraint that contracted axes are equal one by one."""
    pairs = [(i, a.shape.head[i], j, b.shape.head[j]) for i, j in zip(left, right, strict=True)]
    return [equal(ClashKind.AXIS, x, y, f"a has {x} on axis {i}, b has {y} on axis {j}") for i, x, j, y in pairs]


def _meet_as_one(a: Ranked, left: list[int], b: Ranked, right: list[int]) -> list[Need]:
    x, y = product(a.shape.head[i] for i in left), product(b.shape.head[j] for j in right)
    return [equal(ClashKind.AXIS, x, y, f"the axes of a have {x} elements, those of b {y}")]


def _kept(a: Ranked, left: list[int], b: Ranked, right: list[int]) -> Shape:
    """Return all other axes."""
    sizes = [size for axis, size in enumerate(a.shape.head) if axis not in left]
    return Shape((*sizes, *(size for axis, size in enumerate(b.shape.head) if axis not in right)))


@op("keras.backend.batch_dot", oracle="none: an old name")
def batch_dot(x: Ranked, y: Ranked, axes: AnyValue = NONE) -> Answer:
    """One axis of each is contracted and the batch stays; for more than three axes, Keras 2.2 contracts others."""
    left, right = _pair(axes, x.rank, y.rank)
    if max(x.rank, y.rank) > 3:
        return UNRANKED, also(notices=_refused_later(x, left, y, right))
    return _product_of_batches(x.rank, left, y.rank, right)


def _pair(axes: AnyValue, x: int, y: int) -> tuple[int, int]:
    """Return the axis of each that is contracted, counted from the front; raise `Blind` unless both are known."""
    number = as_size(axes)
    given = (x - 1, y - 1 if y == 2 else y - 2) if axes == NONE else as_sizes(axes) if number is None else (number,) * 2
    pair = [axis for axis in given or () if isinstance(axis, int)]
    if len(pair) != 2 or min(x, y) < 2:
        raise Blind("which axes are contracted")
    left, right = pair[0] % x if pair[0] < 0 else pair[0], pair[1] % y if pair[1] < 0 else pair[1]
    if left not in range(1, x) or right not in range(1, y):
        raise Blind("which axes are contracted")
    return left, right


def _refused_later(x: Tensor, left: int, y: Tensor, right: int) -> list[tuple[ClashKind, str]]:
    """Return the notice of contracted axes that differ, which Keras rejects since 2.3."""
    a, b = x.shape.head[left], y.shape.head[right]
    if not isinstance(a, int) or not isinstance(b, int) or a == b:
        return []
    return [(ClashKind.VERSION, f"x has {a} on axis {left}, y has {b} on axis {right}, which Keras rejects since 2.3")]


def _product_of_batches(x: int, left: int, y: int, right: int) -> str:
    """Return the signature for these ranks; the result for a batch has one column where no axis is left."""
    first, second = ["b", "i", "j"][:x], ["_", "m", "n"][:y]
    first[left] = second[right] = "k"
    kept = [axis for axis in (*first, *second[1:]) if axis != "k"]
    return f"{' '.join(first)}, {' '.join(second)} -> {' '.join(kept if len(kept) > 1 else [*kept, '1'])}"


@op("tf.nn.{xw_plus_b,relu_layer}")
def xw_plus_b(x: Tensor, weights: Tensor, biases: Tensor) -> Answer:
    return "~B b i, ~B i o, o -> ~B b o"


@op("{np,keras.ops}.kron", dtype="promote")
def kron(a: Tensor, b: Tensor) -> Answer:
    """The result has the product of the sizes, axis by axis."""
    return Shape(tuple(x * y for x, y in zip(*aligned(a.shape, b.shape), strict=True)))
