"""Sums, means and extremes over segments, which are entries with the same segment number."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Value, as_size
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Blind,
    DtypeArg,
    Flag,
    Ranked,
    Size,
    Sizes,
    Tensor,
    also,
    everywhere,
    of_rank,
    op,
    result,
)
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.constraints import Need, Refused, at_least, each_equal
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize


@op("{tf,tf.math}.segment_{sum,mean,max,min,prod}")
def segment(data: Tensor, segment_ids: Tensor) -> Answer:
    """There are as many segments as the last number determines."""
    return "n *S, n -> _ *S"


@op("keras.ops.segment_{sum,max,min,prod}")
def keras_segment(data: Tensor, segment_ids: Tensor, num_segments: Size | None = None) -> Answer:
    count = lost("as many as the largest number tells") if num_segments is None else num_segments
    if count == 0 or not data.rank:
        return UNRANKED
    return "n *S, n -> {k} *S", {"k": count}


@op("{tf,tf.math}.unsorted_segment_{sum,mean,max,min,prod,sqrt_n}")
def unsorted_segment(data: Ranked, segment_ids: Ranked, num_segments: Size) -> Answer:
    """The axes of the segment numbers are the first of the data's; they are merged into one."""
    if segment_ids.rank > data.rank:
        raise Refused(ClashKind.RANK, f"segment_ids has rank {segment_ids.rank}, data has rank {data.rank}")
    needs = each_equal(ClashKind.AXIS, segment_ids.shape.head, data.shape.head, "segment_ids has {} where data has {}")
    return Shape((num_segments, *data.shape.head[segment_ids.rank :])), *needs


@op("tf.sparse.segment_{sum,mean,sqrt_n}", "tf.sparse_segment_{sum,mean,sqrt_n}")
def sparse_segment(data: Tensor, indices: Tensor, segment_ids: Tensor) -> Answer:
    """Reduce rows that are selected by indices."""
    return "n *S, k, k -> _ *S"


@op("{tf,tf.math}.bincount", dtype="?")
def tf_bincount(arr: Tensor, weights: Tensor | None = None, axis: AnyValue = NONE, dtype: DtypeArg = None) -> Answer:
    """The largest number, of all or of each row, determines the length; weights may have more axes in TensorFlow 1."""
    forms: dict[Value, str] = {NONE: "*S -> _", Const(0): "*S -> _", Const(-1): "*S n -> *S _"}
    is_plain = weights is None or weights.rank in {0, arr.rank} - {None}
    counted = forms.get(axis, UNRANKED) if is_plain else UNRANKED
    return counted, also(dtype=weights.dtype if weights is not None else "int32" if dtype is None else None)


@op("np.bincount", dtype="?")
def bincount(x: Tensor, weights: Tensor | None = None) -> Answer:
    return "n, n -> _", also(dtype=None if weights is None else "float64")


@op("keras.ops.bincount", dtype="?", oracle="none: weights and lengths decide")
def keras_bincount(x: Tensor) -> Answer:
    return UNRANKED if x.rank is None else Shape((*x.shape.head[:-1], lost("the largest")))


@op("{tf,tf.math}.confusion_matrix", dtype="int32")
def confusion_matrix(labels: Tensor, predictions: Tensor, num_classes: Size | None = None) -> Answer:
    classes = lost("as many as there are classes") if num_classes is None else num_classes
    return "n, n -> {c} {c}", {"c": classes}


@op("np.histogram", returns="tuple", dtype="?,float64")
def np_histogram(a: Tensor, bins: Tensor | None = None, weights: Tensor | None = None, density: Flag = False) -> Answer:
    """The bins are given by number, by their edges, or by a named rule, whose number of bins is not known."""
    counts = "float64" if density else "int64" if weights is None else weights.dtype
    weighted = [] if weights is None else same(weights, weights.shape, a, a.shape)
    edges, kind, needs = (11, None, []) if bins is None else _binned(bins)
    return result(Shape((edges - 1,)), Shape((edges,)), needs=[*weighted, *needs], dtype=(counts, kind))


def _binned(bins: Tensor) -> tuple[AnySize, str | None, list[Need]]:
    """Return how many edges bins have, the dtype of given edges, and what the bins require."""
    of_rank(bins, 0, 1)
    edges = _edges(bins)
    if bins.rank == 1:
        return edges, bins.dtype, []
    return edges, None, [at_least(ClashKind.NEGATIVE_SIZE, edges, 2, f"{edges - 1} bins")] if bins.rank == 0 else []


def _edges(bins: Tensor) -> AnySize:
    """Return the edges: one more than bins, or as many as are given."""
    if bins.rank == 1:
        return bins.shape.head[0]
    count = as_size(bins.value)
    return lost("what a rule tells of the numbers") if count is None else count + 1


@op("keras.ops.histogram", returns="tuple", oracle="none: takes a number of bins only")
def histogram(a: Tensor, bins: Size = 10) -> Answer:
    return "*S -> {b}, {e}", {"b": bins, "e": bins + 1}, at_least(ClashKind.NEGATIVE_SIZE, bins, 1, f"{bins} bins")


@op("np.histogram2d", returns="tuple", dtype="float64,?")
def histogram2d(x: Tensor, y: Tensor, bins: Sizes = everywhere(10)) -> Answer:
    """Both axes have the same number of bins, or each its own."""
    if not bins.fits(2):
        raise Blind("the edges of the bins")
    rows, columns = bins.spread(2)
    return "n, n -> r c, (r + 1), (c + 1)", {"r": rows, "c": columns}, "r >= 1", "c >= 1"


@op("np.histogram_bin_edges")
def histogram_bin_edges(a: Tensor, bins: Tensor | None = None) -> Answer:
    edges = 11 if bins is None else _edges(bins)
    kind = bins.dtype if bins is not None and bins.rank == 1 else None
    return Shape((edges,)) if edges != 1 else UNRANKED, also(dtype=kind)


@op("tf.histogram_fixed_width", dtype="int32", oracle="none: needs a range")
def histogram_fixed_width(values: Tensor, value_range: Tensor, nbins: Size = 100) -> Answer:
    return "*S, 2 -> {n}", {"n": nbins}


@op("tf.histogram_fixed_width_bins", dtype="int32", oracle="none: needs a range")
def histogram_fixed_width_bins(values: Tensor, value_range: Tensor) -> Answer:
    return "*S, 2 -> *S"
