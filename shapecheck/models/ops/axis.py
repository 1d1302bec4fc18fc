"""Functions along axes: reductions, and those that keep every axis."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Seq, as_sizes, of_size, walk
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    DtypeArg,
    Flag,
    Need,
    Ranked,
    Refused,
    Size,
    Tensor,
    Tensors,
    also,
    at,
    never,
    of_rank,
    op,
    reduced,
    result,
)
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.axis_positions import place_of
from shapecheck.models.lang.dtypes import by_rule
from shapecheck.models.lang.gradient_norms import of_gradients
from shapecheck.models.lang.summed import averaged, of_all
from shapecheck.models.lang.suspicious import normalised_together, over_batch, over_rows
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.ops.join import joins
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh, product
from shapecheck.shapes.size import Size as AnySize

WAS = {"keep_dims": "keepdims", "reduction_indices": "axis", "dimension": "axis", "dim": "axis", "axes": "axis"}


@op("{tf,tf.math}.reduce_mean", "{keras.ops,keras.backend}.mean", was=WAS)
def mean(x: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    return reduced(axis, keepdims), also(notices=averaged(x))


@op("{tf,tf.math}.reduce_sum", "{keras.ops,keras.backend}.sum", was=WAS)
def summed(x: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    return reduced(axis, keepdims), also(nature=of_all(x, axis))


@op("{tf,tf.math}.{reduce_max,reduce_min,reduce_logsumexp}", was=WAS)
@op("tf.math.{reduce_std,reduce_variance,reduce_euclidean_norm}", "{tf,tf.math}.reduce_prod", was=WAS)
@op("keras.ops.{std,var,max,min,amax,amin,median,logsumexp,ptp,nansum,nanmean,nanstd,nanvar}", was=WAS)
@op("keras.ops.{nanmax,nanmin,nanprod,nanmedian}", was=WAS)
@op("keras.backend.{std,var,max,min,prod,logsumexp}", was=WAS)
def reduce(x: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    return reduced(axis, keepdims)


@op("keras.ops.prod", was=WAS)
def keras_prod(x: Tensor, axis: Axes = None, keepdims: Flag = False, dtype: DtypeArg = None) -> Answer:
    """The `dtype` argument takes effect only for values that are not computed yet."""
    return reduced(axis, keepdims), also(dtype=x.dtype if dtype is not None and not x.is_symbolic else None)


@op("{np,np.ndarray}.mean", was=WAS)
def np_mean(a: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    return np_reduce(a, axis, keepdims), also(notices=averaged(a))


@op("np.{std,var,min,amin,median,nansum,nanmean,nanstd,nanvar,nanmax,nanmin,ptp}", was=WAS)
@op("np.ndarray.{std,var,min,prod}", "np.{nanprod,nanmedian}", was=WAS)
def np_reduce(a: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """NumPy accepts the first axis for a scalar, and keeps the columns of a table."""
    if a.is_object:
        return UNRANKED
    return _of_number(a, axis) if a.rank == 0 and axis else reduced(axis, keepdims)


def _of_number(a: Tensor, axes: Sequence[int]) -> Answer:
    """Refuse all axes of a number but the first: most often, a second number is in the position of the axis."""
    if axes[0] not in (0, -1):
        raise Refused(ClashKind.AXIS_RANGE, f"axis {axes[0]} is out of range: {a.name} has rank 0")
    return UNRANKED


@op("{np,np.ndarray}.sum", was=WAS)
def np_sum(a: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """The content stays known: the sum of sizes is a size, and that of a mask the number of its true entries."""
    is_told = axis is None and not keepdims and not a.is_object and a.content is not None
    items = (_truths(a) or as_sizes(a.value)) if is_told else None
    content = of_size(sum(items)) if items else None
    return np_reduce(a, axis, keepdims), also(content=content, nature=of_all(a, axis))


def _truths(a: Tensor) -> tuple[Size, ...] | None:
    """Return the known entries of a mask as numbers; None if they are not known."""
    entries = [item for item in walk(a.content) if not isinstance(item, Seq)] if a.content is not None else []
    is_known = entries and all(entry in (TRUE, FALSE) for entry in entries)
    return tuple(int(entry == TRUE) for entry in entries) if is_known else None


@op("np.average", was=WAS)
def average(a: Tensor, axis: Axes = None, weights: Tensor | None = None, keepdims: Flag = False) -> Answer:
    needs = [] if weights is None else _weighed(a, axis, weights)
    return np_reduce(a, axis, keepdims), *needs


def _weighed(a: Tensor, axis: tuple[int, ...] | None, weights: Tensor) -> Sequence[Need]:
    """Return the needs that weights have the shape of the whole, or of the averaged axes, in their order."""
    if a.rank is None or weights.rank is None or not all(-a.rank <= place < a.rank for place in axis or ()):
        return ()
    if weights.rank == a.rank and (axis is None or len(axis) < a.rank):
        return same(weights, weights.shape, a, a.shape)
    if axis is None:
        said = f"{weights.name} has shape {weights.shape}, {a.name} has shape {a.shape}, and no axis is given"
        return (never(ClashKind.RANK, said),)
    return same(weights, weights.shape, a, Shape(tuple(a.shape.sizes[place] for place in axis)))


@op("keras.ops.average", was=WAS, dtype="promote float")
def keras_average(x: Tensor, axis: Axes = None, weights: Tensor | None = None) -> Answer:
    """Weights of the same rank broadcast if there are several axes; others have one axis."""
    if weights is None or x.rank is None or (weights.rank == x.rank and weights.shape == x.shape):
        return np_reduce(x, axis)
    is_of_axis = weights.rank == 1 and len(axis or ()) == 1
    return (reduced(axis, False), *_weighed(x, axis, weights)) if is_of_axis else UNRANKED


@op("np.{max,amax}", "np.ndarray.max", was=WAS)
def largest(a: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """The maximum of integers is the same number wherever it is used, for example in the number of classes."""
    is_one = axis is None and not keepdims and not a.is_object and (a.dtype or "").startswith(("int", "uint"))
    return np_reduce(a, axis, keepdims), also(content=of_size(_most(a)) if is_one else None)


def _most(a: Tensor) -> AnySize:
    """Return the largest element, known or not."""
    items = as_sizes(a.value) if a.content is not None else None
    numbers = [item for item in items or () if isinstance(item, int)]
    return max(numbers) if items and len(numbers) == len(items) else fresh("n", Kind.DATA, low=None)


@op("np.prod", was=WAS)
def prod(a: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """The content stays known: the product of a shape becomes a size."""
    is_told = axis is None and not a.is_object and a.content is not None
    items = as_sizes(a.value) if is_told else None
    return np_reduce(a, axis, keepdims), also(content=of_size(product(items)) if items is not None else None)


@op("{tf,tf.math}.{reduce_all,reduce_any}", "{keras.ops,keras.backend}.{all,any}", was=WAS, dtype="bool")
def test(x: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    return UNRANKED if x.is_object or (x.rank == 0 and axis) else reduced(axis, keepdims)


@op("np.all", "np.ndarray.all", was=WAS, dtype="bool")
def every(a: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """The result is known where all elements are, as those of an empty array."""
    known = _elements(a) if axis is None else None
    return test(a, axis, keepdims), also(content=None if known is None else Const(all(known)))


@op("np.any", "np.ndarray.any", was=WAS, dtype="bool")
def some(a: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    known = _elements(a) if axis is None else None
    return test(a, axis, keepdims), also(content=None if known is None else Const(any(known)))


def _elements(a: Tensor) -> list[int] | None:
    """Return the elements of an array, where all are known."""
    items = as_sizes(a.value) if a.content is not None and not a.is_object else None
    numbers = [item for item in items or () if isinstance(item, int)]
    return numbers if a.shape.elements() == 0 or (items and len(numbers) == len(items)) else None


@op("keras.ops.count_nonzero", was=WAS, dtype="int32")
@op("tf.math.count_nonzero", "tf.count_nonzero", "np.count_nonzero", was=WAS, dtype="int64")
def count_nonzero(input: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    if input.rank == 0 and axis:
        return UNRANKED
    items = _truths(input) if axis is None and not keepdims else None
    return reduced(axis, keepdims), also(content=of_size(sum(items)) if items else None)


def _only_one(x: Tensor, axis: int) -> list[tuple[ClashKind, str]]:
    return [(ClashKind.SIZE1_AXIS, f"axis {axis} of {x.name} has size 1")] if x.shape.size(axis) == 1 else []


@op("{tf,tf.math}.{argmax,argmin}", "tf.{arg_max,arg_min}", was=WAS, dtype="int64")
def tf_argmax(input: Tensor, axis: Axis = 0) -> Answer:
    return at(axis, "d ->"), also(notices=[*_only_one(input, axis), *over_rows(input, axis)])


@op("keras.ops.{argmax,argmin,nanargmax,nanargmin}", dtype="int32")
@op("np.{argmax,argmin,nanargmax,nanargmin}", "np.ndarray.{argmax,argmin}", dtype="int64")
def argmax(a: Tensor, axis: Axis | None = None, keepdims: Flag = False) -> Answer:
    if axis is not None and not a.rank:
        return UNRANKED
    notices = [*(_only_one(a, axis) if axis is not None else ()), *over_rows(a, axis)]
    return reduced(axis, keepdims), also(notices=notices)


@op("keras.backend.{argmax,argmin}", dtype="int64")
def backend_argmax(x: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d ->"), also(notices=_only_one(x, axis))


@op("{tf.nn,tf.math,keras.activations,keras.ops,keras.backend}.softmax", was=WAS)
def softmax(logits: Tensor, axis: Axis = -1) -> Answer:
    notices = [*_only_one(logits, axis), *over_batch(logits, axis)]
    return at(axis, "d -> d"), also(notices=notices, nature="softmax" if axis == -1 or axis + 1 == logits.rank else "")


@op("{tf.nn,tf.math,keras.activations,keras.ops}.log_softmax", was=WAS)
def log_softmax(logits: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d"), also(notices=_only_one(logits, axis))


@op("{tf,tf.math}.{cumsum,cumprod}", "tf.math.cumulative_logsumexp")
def cumsum(x: Tensor, axis: Axis = 0) -> Answer:
    return at(axis, "d -> d")


@op("{np,keras.ops}.{cumsum,cumprod,nancumsum,nancumprod}", "np.ndarray.{cumsum,cumprod}")
def np_cumsum(a: Tensor, axis: Axis | None = None) -> Answer:
    if a.rank == 0 and axis is not None:
        return UNRANKED
    return "*S -> (prod(S))" if axis is None else at(axis, "d -> d")


@op("tf.{norm,linalg.norm}", was=WAS)
def norm(tensor: Tensor, ord: AnyValue = NONE, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """An integer is one axis, a list is two."""
    return reduced(axis, keepdims), also(nature=of_gradients(tensor))


@op("keras.ops.norm")
def keras_norm(x: Tensor, ord: AnyValue = NONE, axis: Axes = None, keepdims: Flag = False) -> Answer:
    if axis is None and x.rank is not None and x.rank > 2:
        raise Refused(ClashKind.AXIS_RANGE, f"x has rank {x.rank}, so an axis is needed")
    return np_norm(x, ord, axis, keepdims)


@op("np.linalg.norm")
def np_norm(x: Tensor, ord: AnyValue = NONE, axis: Axes = None, keepdims: Flag = False) -> Answer:
    if x.rank == 0:
        return UNRANKED
    count = x.rank if axis is None else len(axis)
    return reduced(axis, keepdims), *_misordered(ord, count)


def _misordered(ord: AnyValue, count: int | None) -> list[Need]:
    """Return the need that a norm has a valid order: that of a vector is a number, that of a matrix may be a name."""
    if not isinstance(ord, Const) or ord == NONE or count in (None, 2):
        return []
    if count != 1:
        return [never(ClashKind.RANK, f"a norm over {count} axes has no order")]
    return [never(ClashKind.AXIS_RANGE, f"{ord.value!r} is a norm of matrices")] if isinstance(ord.value, str) else []


@op("tf.{nn,math,linalg}.l2_normalize", "keras.backend.l2_normalize", was=WAS)
def normalize(x: Tensor, axis: Axes = None) -> Answer:
    """Without an axis, all numbers have one norm together."""
    if axis is None:
        return result(x.shape, notices=normalised_together(x))
    return at(axis, "d -> d") if x.rank else UNRANKED


@op("keras.ops.normalize")
def normalize_rows(x: Tensor, axis: Axes = None) -> Answer:
    """Without an axis, the last one is meant."""
    return normalize(x, axis or (-1,))


@op("keras.utils.normalize", was=WAS)
def normalize_data(x: Tensor, axis: Axes = None) -> Answer:
    """A row becomes a table for some versions and kinds of arrays."""
    return UNRANKED if x.rank == 1 else normalize(x, axis or (-1,))


@op("tf.nn.moments", was=WAS, returns="tuple")
def moments(x: Tensor, axes: Axes, keepdims: Flag = False) -> Answer:
    """Return the mean and the variance."""
    return at(axes, "d -> 1, 1" if keepdims else "d -> ,")


@op("np.{percentile,quantile,nanpercentile,nanquantile}", was=WAS)
def np_percentile(a: Tensor, q: Ranked, axis: Axes = None, keepdims: Flag = False) -> Answer:
    of_rank(q, 0, 1, 2)
    shape = percentile(a, q, axis, keepdims)
    is_double = "float64" in (a.dtype, q.dtype)  # of other dtypes, some are kept
    return (shape, also(dtype="float64")) if q.rank and is_double else shape


@op("keras.ops.{percentile,quantile,nanpercentile,nanquantile}", was=WAS)
def percentile(a: Tensor, q: Ranked, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """Several percentiles add a first axis."""
    if q.rank == 0:
        return reduced(axis, keepdims)
    return UNRANKED if a.rank is None else Shape((*q.shape.head, *_without(a, axis, keepdims)))


def _without(a: Tensor, axis: Axes, keepdims: Flag) -> list[AnySize]:
    """Return the sizes that remain where axes are reduced; None stands for all of them."""
    gone = set(range(len(a.shape.head))) if axis is None else {place_of(a, place) for place in axis}
    if axis is not None and len(gone) < len(axis):
        raise Refused(ClashKind.AXIS_RANGE, f"axis {list(axis)} names an axis of {a.name} twice")
    return [1 if place in gone else size for place, size in enumerate(a.shape.head) if keepdims or place not in gone]


@op("{np,keras.ops}.diff")
def diff(
    a: Tensor, n: Size = 1, axis: Axis = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Answer:
    """`prepend` and `append` are first joined to the axis: an array, or a number for all positions."""
    if n == 0 or (a.rank == 0 and not isinstance(n, int)):
        return UNRANKED
    return _differences(a, n, axis, [end for end in (prepend, append) if end is not None])


def _differences(a: Tensor, n: Size, axis: Axis, ends: Sequence[Tensor]) -> Answer:
    """Return the n-th differences of an array that is first extended at its ends."""
    more = sum((_length(end, axis) for end in ends), start=0)
    met = [need for end in ends if end.rank for need in joins(a, end, axis)]
    kind = by_rule("common", "np.diff", [a, *ends]) if ends else None
    return at(axis, "d -> (max(d + more - steps, 0))"), {"steps": n, "more": more}, *met, also(dtype=kind)


def _length(end: Tensor, axis: int) -> AnySize:
    size = 1 if end.rank == 0 else end.shape.size(axis)
    return lost("what is joined to an axis") if size is None else size


@op("np.linalg.matrix_power")
def matrix_power(a: Tensor) -> Answer:
    return "*B n n -> *B n n"


@op("tf.global_norm", "tf.linalg.global_norm")
def global_norm(t_list: Tensors) -> Answer:
    return Shape(())


@op("tf.{nn,math}.zero_fraction")
def zero_fraction(value: Tensor) -> Answer:
    return "*S ->"
