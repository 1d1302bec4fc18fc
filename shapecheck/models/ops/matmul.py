"""Products of matrices: matmul, dot, inner, outer, tensordot, einsum and their relatives."""

from __future__ import annotations

from shapecheck.models.lang import Answer, AnyValue, Blind, Flag, Target, Tensor, also, op, result
from shapecheck.models.lang.needs import Need, equal, never
from shapecheck.models.lang.suspicious import mixed_tensors, outer_batches, written_over
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import product
from shapecheck.values import NONE, as_size, as_sizes, items_of
from shapecheck.values import Tensor as TensorValue

MOST_AXES = 64  # that NumPy's arrays may have


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
    if (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        raise Blind("transposed twice")
    left = "k m" if transpose_a or adjoint_a else "m k"
    right = "n k" if transpose_b or adjoint_b else "k n"
    batch = "*B" if target.tensorflow == 1 else "~B"
    notices = [] if target.numpy_behavior else mixed_tensors(a, b)
    return f"{batch} {left}, {batch} {right} -> {batch} m n", also(notices=notices)


@op("tf.sparse_tensor_dense_matmul", "tf.sparse.sparse_dense_matmul", "tf.sparse_matmul", oracle="none: sparse")
def sparse_matmul(
    a: Tensor,
    b: Tensor,
    adjoint_a: Flag = False,
    adjoint_b: Flag = False,
    transpose_a: Flag = False,
    transpose_b: Flag = False,
) -> Answer:
    left = "k m" if adjoint_a or transpose_a else "m k"
    return f"{left}, {'n k' if adjoint_b or transpose_b else 'k n'} -> m n"


@op("tf.linalg.matvec")
def matvec(a: Tensor, b: Tensor, transpose_a: Flag = False, adjoint_a: Flag = False) -> Answer:
    if transpose_a and adjoint_a:
        raise Blind("transposed twice")
    return f"~B {'k m' if transpose_a or adjoint_a else 'm k'}, ~B k -> ~B m"


@op("keras.backend.dot")
def backend_dot(x: Tensor, y: Tensor) -> Answer:
    if not x.rank or not y.rank:
        return UNRANKED
    return "m k, k n -> m n" if x.rank < 3 and y.rank < 3 else "*A k, *B k n -> *A *B n"


@op("np.dot", "keras.ops.dot", "np.ndarray.dot", dtype="promote")
def dot(a: Tensor, b: Tensor) -> Answer:
    if a.rank is None or b.rank is None:
        return UNRANKED
    if not a.rank or not b.rank:
        return "*A, *B -> *A *B"
    if b.rank == 1:
        return "*A k, k -> *A"
    return "*A k, *B k n -> *A *B n", also(notices=outer_batches(a, b))


@op("np.inner", "keras.ops.inner", dtype="promote")
def inner(a: Tensor, b: Tensor) -> Answer:
    if a.rank is None or b.rank is None:
        return UNRANKED
    return "*A k, *B k -> *A *B" if a.rank and b.rank else "*A, *B -> *A *B"


@op("np.outer", "keras.ops.outer", dtype="promote")
def outer(a: Tensor, b: Tensor) -> Answer:
    return "*A, *B -> (prod(A)) (prod(B))"


@op("np.vdot", "keras.ops.vdot", dtype="promote")
def vdot(a: Tensor, b: Tensor) -> Answer:
    return "*A, *B ->", "prod(A) == prod(B)"


@op("keras.ops.tensordot", dtype="promote", rung=3)
def keras_tensordot(x1: Tensor, x2: Tensor, axes: AnyValue) -> Answer:
    """Several axes given as a number pair differently from NumPy's."""
    count = as_size(axes)
    return UNRANKED if count is not None and count not in (0, 1) else tensordot(x1, x2, axes)


@op("{tf,tf.linalg}.tensordot", dtype="promote", rung=3)
def tf_tensordot(a: Tensor, b: Tensor, axes: AnyValue) -> Answer:
    """All contracted axes are made one first: only their product must agree."""
    return contracted(a, b, axes, as_one=True)


@op("{np,np.linalg}.tensordot", dtype="promote", rung=3)
def tensordot(a: Tensor, b: Tensor, axes: AnyValue) -> Answer:
    return contracted(a, b, axes, as_one=False)


def contracted(a: Tensor, b: Tensor, axes: AnyValue, as_one: bool) -> Answer:
    """Contracts the last axes of `a` with the first of `b`, or listed axes."""
    if a.rank is None or b.rank is None:
        return UNRANKED
    chosen = _contracted(axes, a.rank)
    if chosen is None:
        return UNRANKED
    left, right = chosen
    if len(left) > min(a.rank, b.rank):
        said = f"{len(left)} axes are contracted, a has rank {a.rank} and b has rank {b.rank}"
        return result(UNRANKED, needs=[never("axis-range", said)])
    if len(left) != len(right):
        return result(UNRANKED, needs=[never("rank", f"axes name {len(left)} axes of a and {len(right)} of b")])
    for operand, picked in ((a, left), (b, right)):
        for axis in picked:
            if not -len(operand.shape.head) <= axis < len(operand.shape.head):
                said = f"axis {axis} is out of range: {operand.name} has rank {operand.rank}"
                return result(UNRANKED, needs=[never("axis-range", said)])
    left, right = [axis % a.rank for axis in left], [axis % b.rank for axis in right]
    needs: list[Need] = []
    for i, j in zip(left, right, strict=True):
        x, y = a.shape.head[i], b.shape.head[j]
        needs.append(equal("axis", x, y, f"a has {x} on axis {i}, b has {y} on axis {j}"))
    if as_one and len(needs) > 1:
        x, y = (product(t.shape.head[axis] for axis in picked) for t, picked in ((a, left), (b, right)))
        needs = [equal("axis", x, y, f"the axes of a have {x} elements, those of b {y}")]
    kept = [size for axis, size in enumerate(a.shape.head) if axis not in left]
    kept += [size for axis, size in enumerate(b.shape.head) if axis not in right]
    return result(Shape(tuple(kept)), needs=needs)


def _contracted(axes: AnyValue, rank: int) -> tuple[list[int], list[int]] | None:
    count = as_size(axes)
    if isinstance(count, int):
        count = min(count, MOST_AXES)
        return list(range(rank - count, rank)), list(range(count))
    items = items_of(axes)
    if items is None or len(items) != 2:
        return None
    sides = []
    for item in items:
        single = as_size(item)
        several = (single,) if single is not None else as_sizes(item)
        if several is None or not all(isinstance(axis, int) for axis in several):
            return None
        sides.append([axis for axis in several if isinstance(axis, int)])
    return sides[0], sides[1]


@op("keras.backend.batch_dot", rung=3, oracle="none: an old name")
def batch_dot(x: Tensor, y: Tensor, axes: AnyValue = NONE) -> Answer:
    """Contracts one axis of each, the batch stays; of more than three axes Keras 2.2 contracted others."""
    chosen = _pair(axes, x.rank, y.rank)
    if x.rank is None or y.rank is None or chosen is None or 0 in chosen:
        return UNRANKED
    (left, right), (a, b) = chosen, (x.shape.head, y.shape.head)
    if left >= len(a) or right >= len(b):
        return UNRANKED
    said = f"x has {a[left]} on axis {left}, y has {b[right]} on axis {right}"
    if max(x.rank, y.rank) > 3:
        differ = isinstance(a[left], int) and isinstance(b[right], int) and a[left] != b[right]
        return UNRANKED, also(notices=[("version", f"{said}, which is refused since Keras 2.3")] if differ else [])
    kept = [*(size for at, size in enumerate(a) if at != left), *(b[at] for at in range(1, len(b)) if at != right)]
    return result(Shape((*kept, 1) if len(kept) == 1 else tuple(kept)), needs=[equal("axis", a[left], b[right], said)])


def _pair(axes: AnyValue, x: int | None, y: int | None) -> tuple[int, int] | None:
    """Which axis of each is contracted, counted from the front."""
    if x is None or y is None or x < 2 or y < 2:
        return None
    number = as_size(axes)
    given = (x - 1, y - 1 if y == 2 else y - 2) if axes == NONE else as_sizes(axes) if number is None else (number,) * 2
    pair = [axis for axis in given or () if isinstance(axis, int)]
    if len(pair) != 2:
        return None
    return pair[0] % x if pair[0] < 0 else pair[0], pair[1] % y if pair[1] < 0 else pair[1]


@op("tf.nn.xw_plus_b")
def xw_plus_b(x: Tensor, weights: Tensor, biases: Tensor) -> Answer:
    return "b i, i o, o -> b o"


@op("tf.nn.relu_layer")
def relu_layer(x: Tensor, weights: Tensor, biases: Tensor) -> Answer:
    return "b i, i o, o -> b o"


@op("{np,keras.ops}.kron", dtype="promote", rung=3)
def kron(a: Tensor, b: Tensor) -> Answer:
    if a.rank is None or b.rank is None:
        return UNRANKED
    longest = max(a.rank, b.rank)
    left, right = ((1,) * (longest - len(t.shape.head)) + t.shape.head for t in (a, b))
    return Shape(tuple(x * y for x, y in zip(left, right, strict=True)))
