"""Filters and measurements of images of SciPy, of any rank."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Int
from shapecheck.models.lang import Answer, AnyValue, Blind, Flag, Size, Tensor, op, result
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

OPTIONS = "none: sizes, weights or functions of many forms"
MOST_AXES = 32

# Filters --------------------------------------------------------------------------------------------------------------


@op("scipy.ndimage.{binary_opening,binary_closing,binary_propagation,binary_hit_or_miss}", dtype="?", oracle=OPTIONS)
@op(
    "scipy.ndimage.{convolve1d,correlate1d,generic_filter,generic_filter1d,fourier_shift}",
    dtype="?",
    oracle=OPTIONS,
)
@op("scipy.ndimage.{rank_filter,gaussian_gradient_magnitude,generic_gradient_magnitude}", dtype="?", oracle=OPTIONS)
@op("scipy.ndimage.{generic_laplace,white_tophat,black_tophat,morphological_gradient}", dtype="?", oracle=OPTIONS)
@op("scipy.ndimage.{morphological_laplace,spline_filter,spline_filter1d,watershed_ift}", dtype="?", oracle=OPTIONS)
@op("scipy.ndimage.{fourier_gaussian,fourier_uniform,fourier_ellipsoid,percentile_filter}", dtype="?", oracle=OPTIONS)
def filtered_anyhow(input: Tensor) -> Answer:
    return "*S -> *S"


# Measurements ---------------------------------------------------------------------------------------------------------


@op("scipy.ndimage.{label,measurements.label}", returns="tuple", dtype="int32,?", oracle=OPTIONS)
def label(input: Tensor, output: AnyValue = NONE) -> Answer:
    """Return the number of each element's object, and how many there are."""
    if output != NONE:
        raise Blind("where labels are written to")
    return result(input.shape, Int(lost("objects of an image")))


@op("scipy.ndimage.{sum,sum_labels,mean,median,maximum,minimum,variance,standard_deviation}", dtype="?", oracle=OPTIONS)
def measured(input: Tensor, labels: AnyValue = NONE, index: Tensor | None = None) -> Answer:
    """There is a number for each object that is asked for, or a single one."""
    return SCALAR if index is None else index.shape


@op("scipy.ndimage.{distance_transform_edt,distance_transform_bf,distance_transform_cdt}", dtype="?", oracle=OPTIONS)
def distance_transform(
    input: Tensor,
    return_distances: Flag = True,
    return_indices: Flag = False,
    distances: AnyValue = NONE,
    indices: AnyValue = NONE,
) -> Answer:
    """Return the distance of each element, and the place of the element that is as far, if that is asked for."""
    if (distances, indices) != (NONE, NONE):
        raise Blind("where distances are written to")
    both = (input.shape, _places(input))  # one of them is asked for, at least
    return result(*both) if return_distances == return_indices else result(both[return_indices])


def _places(input: Tensor) -> Shape:
    """Return the shape of an index on each axis, for each element."""
    return UNRANKED if input.rank is None else Shape((input.rank, *input.shape.sizes))


@op("scipy.ndimage.generate_binary_structure", dtype="bool", oracle="none: few axes only")
def binary_structure(rank: Size, connectivity: Size) -> Answer:
    return Shape((3,) * rank) if isinstance(rank, int) and 0 < rank <= MOST_AXES else UNRANKED
