"""Statistics of SciPy along an axis, which is the first one unless another is named."""

from __future__ import annotations

from typing import Literal

from shapecheck.domain.values import NONE
from shapecheck.models.lang import Answer, AnyValue, Axes, Axis, Blind, Flag, Size, Tensor, at, op, reduced, result
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

VALUES = "none: numbers of some values only"


def _along(a: Tensor, axis: tuple[int, ...] | None, keepdims: bool = False) -> Answer:
    """Return what is left of an axis; the result for a data frame depends on the version."""
    if a.is_object:
        raise Blind("what is made of a table")
    return reduced(axis, keepdims) if a.rank else UNRANKED


@op("scipy.stats.{gmean,hmean}", dtype="?", oracle=VALUES)
def mean(a: Tensor, axis: Axes = (0,), keepdims: Flag = False) -> Answer:
    return _along(a, axis, keepdims)


@op("scipy.stats.{sem,skew,kurtosis,variation,tsem,tvar,tstd,tmin,tmax,gstd}", dtype="?", oracle=VALUES)
def statistic(a: Tensor, axis: Axes = (0,), keepdims: Flag = False) -> Answer:
    return _along(a, axis, keepdims)


@op("scipy.stats.{iqr,tmean,circmean,circvar,circstd,kstat,kstatvar}", dtype="?", oracle=VALUES)
def statistic_of_all(x: Tensor, axis: Axes = None, keepdims: Flag = False) -> Answer:
    """These are of all values, unless an axis is named."""
    return _along(x, axis, keepdims)


@op("scipy.stats.{median_abs_deviation,differential_entropy}", dtype="?", oracle=VALUES)
def deviation(x: Tensor, axis: Axes = (0,), keepdims: Flag = False) -> Answer:
    return _along(x, axis, keepdims)


@op("scipy.stats.{pmean,trim_mean}", dtype="?", oracle=VALUES)
def mean_of_some(a: Tensor, p: AnyValue, axis: Axes = (0,), keepdims: Flag = False) -> Answer:
    return _along(a, axis, keepdims)


@op("scipy.stats.entropy", dtype="?", oracle=VALUES)
def entropy(
    pk: Tensor, qk: AnyValue = NONE, base: AnyValue = NONE, axis: Axes = (0,), keepdims: Flag = False
) -> Answer:
    """Two distributions broadcast."""
    return _along(pk, axis, keepdims) if qk == NONE else UNRANKED


@op("scipy.stats.moment", dtype="?", oracle=VALUES)
def moment(a: Tensor, order: Tensor | None = None, axis: Axes = (0,), keepdims: Flag = False) -> Answer:
    """Several moments are along a new axis."""
    return _along(a, axis, keepdims) if order is None or order.rank == 0 else UNRANKED


@op("scipy.stats.rankdata", dtype="?", oracle=VALUES)
def rankdata(
    a: Tensor, method: Literal["average", "min", "max", "dense", "ordinal"] = "average", axis: Axis | None = None
) -> Answer:
    """Ranks are those of all values in a row, unless an axis is named."""
    if axis is None:
        return "*S -> {prod(S)}"
    return at(axis, "d -> d") if a.rank else UNRANKED


@op("scipy.stats.gzscore", dtype="?", oracle=VALUES)
def gzscore(a: Tensor, axis: Axis | None = 0) -> Answer:
    if a.is_object:
        raise Blind("what is made of a table")
    return a.shape


@op("scipy.stats.zmap", dtype="?", oracle=VALUES)
def zmap(scores: Tensor, compare: Tensor, axis: Axis | None = 0) -> Answer:
    """The mean and deviation of the second operand broadcast."""
    return scores.shape if axis == 0 and scores.rank == compare.rank == 1 else UNRANKED


@op("scipy.stats.{boxcox,yeojohnson}", returns="tuple", dtype="?", oracle=VALUES)
def power_transform(x: Tensor, lmbda: AnyValue = NONE, alpha: AnyValue = NONE) -> Answer:
    """The best power is also returned, if none is given."""
    if (lmbda, alpha) != (NONE, NONE):
        raise Blind("whether a power is given")
    return result(x.shape if x.rank == 1 else UNRANKED, SCALAR)


@op("scipy.stats.percentileofscore", dtype="float64", oracle=VALUES)
def percentileofscore(a: Tensor, score: Tensor) -> Answer:
    return score.shape


@op("scipy.stats.random_correlation.rvs", dtype="float64", oracle=VALUES)
def random_correlation(eigs: Tensor) -> Answer:
    return "n -> n n"


@op("scipy.stats.{ortho_group,special_ortho_group,unitary_group}.rvs", dtype="?", oracle=VALUES)
def random_matrix(dim: Size, size: Size = 1) -> Answer:
    """One matrix has no axis of its own; it is not known of a number that is not known."""
    matrix = (dim, dim)
    return Shape(matrix if size == 1 else (size, *matrix)) if isinstance(size, int) else UNRANKED
