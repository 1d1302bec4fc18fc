"""Selection by value or by position: sets, partitions, lists of indices, positions to fill."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Seq, Value, as_size, items_of
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Context,
    Flag,
    Ranked,
    ShapeArg,
    Size,
    Tensor,
    Tensors,
    at,
    behaviour,
    op,
    result,
)
from shapecheck.models.lang.apply import together
from shapecheck.models.lang.constraints import Need, Refused, at_least, each_equal, never
from shapecheck.models.lang.unknown_sizes import counted, lost
from shapecheck.shapes.shape import UNRANKED, Shape


def _vector(why: str) -> Shape:
    return Shape((counted(why),))


# Sets --------------------------------------------------------------------------------------------------------------


@op("np.{union1d,setxor1d,setdiff1d}")
def sets(x: Tensor, y: Tensor) -> Answer:
    return _vector("as many as the sets tell")


@op("np.intersect1d", was={"ar1": "x", "ar2": "y"})
def intersect1d(x: Tensor, y: Tensor, return_indices: Flag = False) -> Answer:
    """Return also the indices in either array, if they are requested."""
    common = _vector("as many as are in both")
    if not return_indices:
        return common
    return result(Seq("tuple", tuple(values.Tensor(common, kind, "np") for kind in (None, "int64", "int64"))))


@op("np.unique_values")
def unique_values(x: Tensor) -> Answer:
    return _vector("as many as there are different ones")


@op("np.unique_counts", returns="tuple", dtype=",int64")
def unique_counts(x: Tensor) -> Answer:
    one = _vector("as many as there are different ones")
    return result(one, one)


@op("np.unique_inverse", returns="tuple", dtype=",int64")
def unique_inverse(x: Tensor) -> Answer:
    return result(_vector("as many as there are different ones"), x.shape)


@op("np.unique_all", returns="tuple", dtype=",int64")
def unique_all(x: Tensor) -> Answer:
    one = _vector("as many as there are different ones")
    return result(one, one, x.shape, one)


@op("tf.unique_with_counts", returns="tuple", dtype=",int32")
def unique_with_counts(x: Tensor) -> Answer:
    one = _vector("as many as there are different ones")
    return "n -> k, n, k", {"k": one.head[0]}


@op("keras.ops.unique", oracle="none: may return several arrays")
def keras_unique(x: Tensor) -> Answer:
    return UNRANKED


@op("{np,keras.ops}.isin", dtype="bool")
def isin(element: Tensor, test_elements: Tensor) -> Answer:
    return "*S, *T -> *S"


@op("keras.ops.in_top_k", dtype="bool")
def in_top_k(targets: Tensor, predictions: Tensor) -> Answer:
    return "b, b _ -> b"


@op("tf.{setdiff1d,listdiff}", returns="tuple", dtype=",int32", oracle="none: two vectors of integers")
def setdiff1d(x: Tensor, y: Tensor) -> Answer:
    return "n, m -> k, k", {"k": counted("as many as differ")}


# Order -------------------------------------------------------------------------------------------------------------


@op("keras.ops.argpartition", dtype="int32", oracle="none: fails on some shapes")
def keras_argpartition(x: Tensor, kth: Size, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d") if x.rank and kth == 0 else UNRANKED


@op("np.{argpartition,ndarray.argpartition}", dtype="int64")
@op("np.partition")
def partition(a: Tensor, kth: Size | AnyValue, axis: Axis | None = -1) -> Answer:
    if not a.rank:
        return UNRANKED
    return "*S -> (prod(S))" if axis is None else at(axis, "d -> d"), *_within(a, kth, axis)


def _within(a: Tensor, kth: object, axis: int | None) -> list[Need]:
    size = a.shape.elements() if axis is None else a.shape.size(axis)
    if size is None or not isinstance(kth, int) or kth < 0:
        return []
    return [at_least(ClashKind.INDEX_RANGE, size - 1, kth, f"there is no element {kth} among {size}")]


@op("np.sort_complex", dtype="?")
def sort_complex(a: Tensor) -> Answer:
    return at(-1, "d -> d") if a.rank else UNRANKED


@op("np.lexsort", dtype="int64", oracle="none: takes keys of one shape")
def lexsort(keys: Tensors) -> Answer:
    return keys.items[0].shape if keys.items else UNRANKED


# Conditions --------------------------------------------------------------------------------------------------------


@op("np.extract", dtype="?", was={"condition": "mask"})
def extract(mask: Tensor, arr: Tensor) -> Answer:
    return _vector("as many as are true")


@op("np.compress", dtype="?", oracle="none: lengths may differ")
def compress(condition: AnyValue, a: Tensor, axis: Axis | None = None) -> Answer:
    """The axis is that of the array, not of the condition."""
    return compressed(a, condition, axis)


@op("np.ndarray.compress", dtype="?", oracle="none: lengths may differ")
def compressed(a: Tensor, condition: AnyValue, axis: Axis | None = None) -> Answer:
    if axis is None:
        return _vector("as many as are true")
    return at(axis, "d -> n"), {"n": counted("as many as are true")}


@op("{np,keras.ops}.select", dtype="?", oracle="none: takes two lists")
def select(condlist: Tensors, choicelist: Tensors) -> Answer:
    return _together([*condlist.items, *choicelist.items])


@op("np.choose", "np.ndarray.choose", dtype="?", oracle="none: takes legal indices")
def choose(a: Tensor, choices: Tensors) -> Answer:
    return _together([a, *choices.items])


def _together(parts: list[Tensor]) -> Answer:
    shape, needs = together([part.shape for part in parts])
    return shape, *needs


@op("np.piecewise", oracle="none: takes functions")
def piecewise(x: Tensor, condlist: AnyValue, funclist: AnyValue) -> Answer:
    return "*S -> *S", *_pieces(items_of(condlist), items_of(funclist))


def _pieces(tests: Sequence[Value] | None, made: Sequence[Value] | None) -> list[Need]:
    """Return the need for a function or a number for each condition, and perhaps another one for all else."""
    if tests is None or made is None or not all(isinstance(test, values.Tensor) and test.shape.rank for test in tests):
        return []
    said = f"{len(tests)} conditions do not go with {len(made)} functions"
    return [] if len(made) - len(tests) in (0, 1) else [never(ClashKind.AXIS, said)]


@behaviour("np.{put,place,putmask,put_along_axis,fill_diagonal}", "np.ndarray.{put,partition,setfield}")
def in_place(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return NONE


# Indices -----------------------------------------------------------------------------------------------------------


@op("np.indices", dtype="int64")
def indices(dimensions: ShapeArg, sparse: Flag = False) -> Answer:
    """Return one array of positions for each axis."""
    if sparse:
        return result(values.Lost("a tuple of positions"))
    wrong = [never(ClashKind.NEGATIVE_SIZE, f"a size is {size}") for size in dimensions.head if size == -1]
    return "-> (rank(D)) *D", {"D": dimensions}, *wrong


@behaviour("np.diag_indices")
def diag_indices(ctx: Context, n: Value, ndim: Value = values.Const(2)) -> Value:
    rank, size = as_size(ndim), as_size(n)
    if not isinstance(rank, int) or rank > 8 or size is None:
        return ctx.lost("the number of indices")
    return Seq("tuple", (values.Tensor(Shape((size,)), "int64", "np"),) * rank)


@op("np.diag_indices_from", returns="tuple", dtype="int64")
def diag_indices_from(arr: Ranked) -> Answer:
    if arr.rank < 2:
        raise Refused(ClashKind.RANK, f"arr has rank {arr.rank}, at least 2 is needed")
    needs = each_equal(ClashKind.AXIS, arr.shape.head[:1] * arr.rank, arr.shape.head, "arr has axes of {} and {}")
    return result(*[Shape(arr.shape.head[:1])] * arr.rank, needs=needs)


@op("np.{tril_indices,triu_indices}", returns="tuple", dtype="int64")
def triangle_indices(n: Size) -> Answer:
    one = _vector("as many as the triangle has")
    return result(one, one)


@op("np.{tril_indices_from,triu_indices_from}", returns="tuple", dtype="int64")
def triangle_indices_from(arr: Tensor) -> Answer:
    one = _vector("as many as the triangle has")
    return "m n -> k, k", {"k": one.head[0]}


@op("np.ravel_multi_index", dtype="int64", oracle="none: takes legal indices")
def ravel_multi_index(multi_index: Tensors, dims: ShapeArg) -> Answer:
    return _together(list(multi_index.items)) if multi_index.items else UNRANKED


@op("{tf,keras.ops}.unravel_index", dtype="int64", oracle="none: needs legal indices")
def unravel_index(indices: Tensor, dims: ShapeArg) -> Answer:
    return UNRANKED


@op("np.{packbits,unpackbits}", dtype="uint8", oracle="none: takes bytes")
def bits(a: Tensor, axis: Axis | None = None) -> Answer:
    return "*S -> _" if axis is None else at(axis, "d -> _")


@op("np.trim_zeros", oracle="none: what is left depends on the numbers")
def trim_zeros(filt: Tensor) -> Answer:
    """Every axis is trimmed; old versions accept vectors only."""
    return at(None, "d -> _")


@op("np.resize")
def resize(a: Tensor, new_shape: ShapeArg) -> Answer:
    """The elements are repeated or truncated."""
    return new_shape, *[never(ClashKind.NEGATIVE_SIZE, f"a size is {size}") for size in new_shape.head if size == -1]


@op("tf.dynamic_stitch", dtype="?", oracle="none: takes legal indices")
@op("tf.parallel_stack", oracle="none: in graphs only")
def stitched(indices: Tensors) -> Answer:
    return UNRANKED


@op("tf.shape_n", returns="list", dtype="int32")
def shape_n(input: Tensors) -> Answer:
    ranks = [lost("the rank") if item.rank is None else item.rank for item in input.each]
    return result(*[Shape((rank,)) for rank in ranks])


@op("tf.identity_n", returns="list")
def identity_n(input: Tensors) -> Answer:
    return result(*[item.shape for item in input.each])
