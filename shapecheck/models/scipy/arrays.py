"""The most frequently used array functions of SciPy."""

from __future__ import annotations

import math
from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Const, Seq, Value, items_of
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Blind,
    Context,
    Flag,
    Ranked,
    Size,
    Tensor,
    Tensors,
    at,
    behaviour,
    op,
    result,
)
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.axis_positions import aligned, instead
from shapecheck.models.lang.constraints import Need, equal, equal_ranks, of_rank
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.ops.axis import np_norm
from shapecheck.models.ops.numeric import not_empty
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind
from shapecheck.shapes.size import Size as AnySize

WAS = {"a": "x"}

# ndimage -------------------------------------------------------------------------------------------------------------


@op("scipy.ndimage.{binary_erosion,binary_dilation,binary_fill_holes}", dtype="bool")
@op("scipy.ndimage.{gaussian_filter,laplace}")
@op("scipy.ndimage.{uniform_filter,gaussian_laplace,shift}")
@op("scipy.ndimage.{median_filter,maximum_filter,minimum_filter}", oracle="none: needs a size or a footprint")
def filtered(input: Tensor) -> Answer:
    return "*S -> *S"


@behaviour("scipy.ndimage.{uniform_filter1d,gaussian_filter1d,maximum_filter1d,minimum_filter1d}")
@behaviour("scipy.ndimage.{grey_opening,grey_closing,grey_erosion,grey_dilation}")
def filtered_line(ctx: Context, input: Value, *others: Value, **keywords: Value) -> Value:
    return TensorValue(as_tensor(ctx.freeze(input), ctx).shape, None, "np")


@op("scipy.ndimage.{convolve,correlate}", oracle="none: weights of any rank")
def convolve_image(input: Tensor, weights: Tensor, axes: AnyValue = NONE) -> Answer:
    if axes == NONE:
        equal_ranks(weights, input)
    return input.shape


@behaviour("scipy.ndimage.zoom")
def zoom(ctx: Context, input: Value, zoom: Value, *args: Value, **keywords: Value) -> Value:
    """Each size is multiplied by its factor and rounded."""
    tensor = as_tensor(ctx.freeze(input), ctx)
    factors = items_of(ctx.freeze(zoom))
    if tensor.shape.rank is None or (factors is not None and len(factors) != tensor.shape.rank):
        return TensorValue(UNRANKED, None, "np")
    each = factors or (zoom,) * tensor.shape.rank
    return TensorValue(Shape(tuple(map(_zoomed, tensor.shape.sizes, each))), None, "np")


def _zoomed(size: AnySize, factor: Value) -> AnySize:
    known = factor.value if isinstance(factor, Const) else None
    if isinstance(size, int) and isinstance(known, (int, float)) and math.isfinite(known):
        return round(size * known)
    return lost()


@op("scipy.ndimage.{rotate,affine_transform}", oracle="none: sizes are rounded")
def moved(input: Ranked) -> Answer:
    return Shape(tuple(lost() for _ in input.shape.head))


@op("scipy.ndimage.map_coordinates", oracle="none: a row for each axis")
def map_coordinates(input: Tensor, coordinates: Tensor) -> Answer:
    """The first axis of the coordinates has a row for each axis of the input."""
    if not coordinates.rank:
        return UNRANKED
    return result(Shape(coordinates.shape.sizes[1:]), needs=_a_row_for_each_axis(coordinates, input.rank, input.name))


def _a_row_for_each_axis(coordinates: Tensor, rank: int | None, name: str) -> list[Need]:
    rows = coordinates.shape.sizes[0]
    said = f"{coordinates.name} has {rows} on axis 0, {name} has {rank} axes"
    return [] if rank is None else [equal(ClashKind.AXIS, rows, rank, said)]


@behaviour("scipy.ndimage.{find_objects,center_of_mass}")
@behaviour("scipy.io.loadmat")
@behaviour("scipy.stats.{mode,spearmanr,ttest_ind,describe}")
@behaviour("scipy.spatial.{ConvexHull,Delaunay}")
def not_followed(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what SciPy makes")


@behaviour("scipy.stats.{pearsonr,linregress,kendalltau,ttest_rel}")
def paired(ctx: Context, x: Value, y: Value = values.NONE, *args: Value, **keywords: Value) -> Value:
    """Return numbers in pairs."""
    tensors = [as_tensor(ctx.freeze(value), ctx) for value in (x, y)]
    if all(tensor.shape.rank == 1 for tensor in tensors):
        (first,), (second,) = (tensor.shape.sizes for tensor in tensors)
        ctx.require(ClashKind.AXIS, Equal(first, second), f"x has {first} values, y has {second}", *tensors)
    return ctx.lost("what SciPy makes")


@behaviour("scipy.io.wavfile.read")
def read_sound(ctx: Context, filename: Value = values.NONE, *args: Value, **keywords: Value) -> Value:
    """Return the rate, and samples of one or more channels."""
    told = ctx.facts_of(filename) or {}
    if "sound" not in told:
        return Seq("tuple", (values.Scalar("int"), TensorValue(UNRANKED, None, "np")))
    frames, channels, rate, dtype = told["sound"]
    length: AnySize = frames if told["is_named"] else ctx.fresh("frames", Kind.FREE, "read from a file")
    shape = Shape((length,) if channels == 1 else (length, channels))
    return Seq("tuple", (values.Const(rate), TensorValue(shape, dtype, "np")))


@behaviour("scipy.io.{savemat,wavfile.write}")
def write_file(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return values.NONE


@op("scipy.ndimage.{sobel,prewitt}")
def edges(input: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d")


# signal --------------------------------------------------------------------------------------------------------------


@op("scipy.signal.{convolve2d,correlate2d}", dtype="common")
def convolve2d(in1: Tensor, in2: Tensor, mode: Literal["full", "same", "valid"] = "full") -> Answer:
    """Return the part of either operand that lies wholly in the other one, if it is to be valid."""
    made = {"same": "n m", "full": "(n + k - 1) (m + l - 1)", "valid": "{p} {q}"}[mode]
    return f"n m, k l -> {made}", {"p": lost(), "q": lost()}, *not_empty("an array", in1, in2)


@op("scipy.signal.{convolve,correlate}", dtype="common")
def convolve(in1: Tensor, in2: Tensor, mode: Literal["full", "same", "valid"] = "full") -> Answer:
    equal_ranks(in1, in2)
    if not in1.rank or in1.rank != in2.rank or 0 in (*in1.shape.head, *in2.shape.head):
        return UNRANKED
    return Shape(tuple(_overlap(n, m, mode) for n, m in zip(in1.shape.sizes, in2.shape.sizes, strict=True)))


@op("scipy.signal.{fftconvolve,oaconvolve}", dtype="?", oracle="none: numbers are taken in any mode")
def fftconvolve(
    in1: Tensor, in2: Tensor, mode: Literal["full", "same", "valid"] = "full", axes: AnyValue = NONE
) -> Answer:
    """The other axes broadcast, if some are named."""
    return convolve(in1, in2, mode) if axes == NONE else UNRANKED


def _overlap(n: AnySize, m: AnySize, mode: str) -> AnySize:
    """Return the number of places where two lengths overlap; which is longer must be known for those of all."""
    if mode == "valid":
        return abs(n - m) + 1 if isinstance(n, int) and isinstance(m, int) else lost()
    return n if mode == "same" else n + m - 1


@op("scipy.signal.correlation_lags", dtype="int64")
def lags(in1_len: Size, in2_len: Size, mode: Literal["full", "same", "valid"] = "full") -> Answer:
    if mode == "valid":
        longer = in1_len - in2_len
        return Shape((abs(longer) + 1 if isinstance(longer, int) else lost(),))
    return Shape((in1_len + in2_len - 1 if mode == "full" else in1_len,))


@op("scipy.signal.{medfilt,wiener}", dtype="?")
def medfilt(volume: Tensor) -> Answer:
    return "*S -> *S" if volume.rank else UNRANKED


@op("scipy.signal.detrend", dtype="?")
def along(data: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d") if data.rank else UNRANKED


@op("scipy.signal.hilbert", dtype="?")
def hilbert(x: Tensor, N: Size | None = None, axis: Axis = -1) -> Answer:  # noqa: N803
    """The number of points may be given."""
    if not x.rank:
        return UNRANKED
    return at(axis, "d -> d") if N is None else (at(axis, "d -> n"), {"n": N})


@op("scipy.signal.filtfilt", oracle="none: filters of many forms")
def filtfilt(b: Tensor, a: Tensor, x: Tensor) -> Answer:
    return x.shape


@op("scipy.signal.lfilter", oracle="none: filters of many forms")
def lfilter(x: Tensor, zi: AnyValue = values.NONE) -> Answer:
    """The final state of the filter is also returned, where the initial one is given."""
    if isinstance(zi, values.Lost):
        raise Blind("zi")
    state = TensorValue(UNRANKED, None, "np")
    return x.shape if zi == values.NONE else Seq("tuple", (TensorValue(x.shape, None, "np"), state))


@op("scipy.signal.savgol_filter", oracle="none: windows of odd length")
def savgol_filter(x: Tensor) -> Answer:
    return "*S -> *S"


@op("scipy.signal.resample", dtype="?")
def resample(x: Tensor, num: Size, t: AnyValue = NONE, axis: Axis = 0) -> Answer:
    """The new times are also returned, where the old ones are given."""
    is_placed = bool(x.rank) and axis in range(-(x.rank or 0), x.rank or 0)
    if t == NONE:
        return (at(axis, "d -> n"), {"n": num}, "n >= 1") if is_placed else UNRANKED
    return result(instead(x.shape, axis, Shape((num,))) if is_placed else UNRANKED, UNRANKED)


@op("scipy.signal.spectrogram", returns="tuple", dtype="float64,float64,?")
def spectrogram(
    x: Tensor,
    window: AnyValue = NONE,
    nperseg: Size | None = None,
    noverlap: Size | None = None,
    nfft: Size | None = None,
    return_onesided: Flag = True,
    axis: Axis = -1,
) -> Answer:
    """There are complete segments only, each of which overlaps the one before it by an eighth."""
    is_plain = axis in (-1, (x.rank or 0) - 1) and (window == NONE or isinstance(window, Const)) and x.dtype is not None
    is_half = return_onesided and "complex" not in (x.dtype or "")
    last = _segments(x.shape.sizes[-1], nperseg, noverlap, nfft, is_half) if x.rank and is_plain else None
    return result(*(last or (UNRANKED, UNRANKED)), _instead_of_last(x.shape, last))


def _instead_of_last(shape: Shape, new: tuple[Shape, Shape] | None) -> Shape:
    return UNRANKED if new is None else Shape((*shape.sizes[:-1], *new[0].sizes, *new[1].sizes))


def _segments(
    length: AnySize, nperseg: AnySize | None, noverlap: AnySize | None, nfft: AnySize | None, is_half: bool
) -> tuple[Shape, Shape] | None:
    """Return the shapes of the frequencies and times of segments; None if they are not known."""
    wanted = 256 if nperseg is None else nperseg
    if not isinstance(length, int) or not isinstance(wanted, int):
        return None
    segment = min(length, wanted)
    overlap, points = segment // 8 if noverlap is None else noverlap, segment if nfft is None else nfft
    if not isinstance(overlap, int) or not isinstance(points, int) or not 0 <= overlap < segment <= points:
        return None
    return Shape((points // 2 + 1 if is_half else points,)), Shape(((length - overlap) // (segment - overlap),))


@op("scipy.signal.{windows.,}{hann,hamming,blackman,bartlett,boxcar}", dtype="float64")
def window(M: Size) -> Answer:  # noqa: N803
    return Shape((M,))


# linalg --------------------------------------------------------------------------------------------------------------


@op("scipy.linalg.{inv,expm,cholesky}", dtype="?", was=WAS)
def square(x: Ranked) -> Answer:
    """A number counts as a matrix; batches are taken since a later release."""
    if x.rank == 1 and x.shape.head != (1,):
        of_rank(x, 2)
    return "n n -> n n" if x.rank == 2 else UNRANKED


@op("scipy.linalg.{sqrtm,logm}", dtype="?", was=WAS)
def root(x: Tensor, disp: Flag = True) -> Answer:
    """An estimate of the error is also returned, where nothing is to be printed."""
    if x.rank != 2:
        return UNRANKED if disp else result(UNRANKED, UNRANKED)
    return "n n -> n n" if disp else "n n -> n n,"


@op("scipy.linalg.{pinv,pinvh}", was=WAS, oracle="none: batches since a later release")
def pinv(x: Ranked) -> Answer:
    return "m n -> n m" if x.rank < 3 else UNRANKED


@op("scipy.linalg.det", dtype="?", was=WAS)
def det(x: Tensor) -> Answer:
    return "*B n n -> *B"


@op("scipy.linalg.svd", was=WAS, oracle="none: batches since a later release")
def svd(x: Tensor, full_matrices: Flag = True, compute_uv: Flag = True) -> Answer:
    if not compute_uv:
        return "m n -> k", {"k": "min(m, n)"}
    return "m n -> " + ("m m, k, n n" if full_matrices else "m k, k, k n"), {"k": "min(m, n)"}


@op("scipy.linalg.solve", oracle="none: batches since a later release")
def solve(a: Tensor, b: Ranked) -> Answer:
    if a.rank != 2:
        return UNRANKED
    return "n n, n -> n" if b.rank == 1 else "n n, n k -> n k"


@op("scipy.linalg.solve_triangular", oracle="none: batches since a later release")
def solve_triangular(a: Tensor, b: Ranked) -> Answer:
    return solve(a, b)


@op("scipy.linalg.solveh_banded", oracle="none: bands of a matrix")
def solveh_banded(ab: Tensor, b: Tensor) -> Answer:
    return b.shape if b.rank in (1, 2) else UNRANKED


@op("scipy.linalg.solve_banded", oracle="none: bands of a matrix")
def solve_banded(l_and_u: AnyValue, ab: Tensor, b: Tensor) -> Answer:
    return b.shape if b.rank in (1, 2) else UNRANKED


@op("scipy.linalg.norm", dtype="?")
def norm(a: Tensor, ord: AnyValue = NONE, axis: Axes = None, keepdims: Flag = False) -> Answer:
    return np_norm(a, ord, axis, keepdims)


@op("scipy.linalg.{cho_factor,lu_factor}", returns="tuple", dtype="?", oracle="none: batches since 1.15")
def factor(a: Tensor, lower: AnyValue = NONE) -> Answer:
    """The second part tells which half is meant, or the order of the rows."""
    return result(a.shape if a.rank == 2 else UNRANKED, UNRANKED)


@op("scipy.linalg.{solve_continuous_lyapunov,solve_discrete_lyapunov}", dtype="?", oracle="none: batches since 1.15")
def lyapunov(a: Tensor, q: Tensor) -> Answer:
    return "n n, n n -> n n" if a.rank == q.rank == 2 else UNRANKED


@op("scipy.linalg.{solve_continuous_are,solve_discrete_are}", dtype="?", oracle="none: not for all matrices")
def riccati(a: Tensor, b: Tensor, q: Tensor, r: Tensor) -> Answer:
    return "n n, n m, n n, m m -> n n" if a.rank == b.rank == q.rank == r.rank == 2 else UNRANKED


@op("scipy.linalg.solve_sylvester", dtype="?", oracle="none: batches since 1.15")
def sylvester(a: Tensor, b: Tensor, q: Tensor) -> Answer:
    return "m m, n n, m n -> m n" if a.rank == b.rank == q.rank == 2 else UNRANKED


@op("scipy.linalg.hankel", oracle="none: rows of many forms")
def hankel(c: Tensor, r: Tensor | None = None) -> Answer:
    return toeplitz(c, r)


@op("scipy.linalg.block_diag", varargs="arrs")
def block_diag(arrs: Tensors) -> Answer:
    """Numbers and vectors are matrices too."""
    if arrs.repeat is not None or not arrs.items or any(item.rank not in (0, 1, 2) for item in arrs.items):
        return UNRANKED
    rows, columns = zip(*aligned(Shape((0, 0)), *(item.shape for item in arrs.items)), strict=True)
    return Shape((sum(rows), sum(columns)))


@op("scipy.linalg.circulant")
def circulant(c: Tensor) -> Answer:
    return "n -> n n" if c.rank == 1 else UNRANKED


@op("scipy.linalg.toeplitz", oracle="none: rows of many forms")
def toeplitz(c: Tensor, r: Tensor | None = None) -> Answer:
    if c.rank != 1:
        return UNRANKED
    return "n -> n n" if r is None else "n, m -> n m"


# spatial, stats ------------------------------------------------------------------------------------------------------


@op("scipy.spatial.distance.cdist", dtype="float64")
def cdist(XA: Tensor, XB: Tensor) -> Answer:  # noqa: N803
    return "m k, n k -> m n"


@op("scipy.spatial.distance.pdist", dtype="float64")
def pdist(X: Tensor) -> Answer:  # noqa: N803
    """Return one distance for each pair of rows."""
    return "m k -> {p}", {"p": "m * (m - 1) // 2"}


@op("scipy.spatial.distance.squareform", oracle="none: of the right length")
def squareform(X: Tensor) -> Answer:  # noqa: N803
    return "n n -> _" if X.rank == 2 else "n -> m m" if X.rank == 1 else UNRANKED, {"m": lost()}


@op("scipy.stats.zscore")
def zscore(a: Tensor, axis: Axis | None = 0) -> Answer:
    """The result for a data frame is a data frame or an array, depending on the version."""
    if a.is_object:
        raise Blind("what is made of a table")
    return (at(axis, "d -> d") if axis is not None else a.shape) if a.rank else UNRANKED


@op("scipy.stats.multivariate_normal.{pdf,cdf,logpdf,logcdf}", oracle="none: parameters must be consistent")
def joint_density(x: Tensor, mean: Tensor | None = None, cov: Tensor | None = None) -> Answer:
    """The last axis of the points has a value for each variable; axes of size 1 are dropped from the result."""
    if x.rank is None or x.rank < 2 or mean is None or mean.rank != 1:
        return UNRANKED
    count = mean.shape.sizes[0]
    return result(_without_ones(x.shape.sizes[:-1]), needs=[*_of_points(x, count), *_of_variables(cov, count)])


def _without_ones(sizes: tuple[AnySize, ...]) -> Shape:
    known = all(isinstance(size, int) for size in sizes)
    return Shape(tuple(size for size in sizes if size != 1)) if known else UNRANKED


def _of_points(x: Tensor, count: AnySize) -> list[Need]:
    """Return the constraint for points with so many values, or one for all variables."""
    last = x.shape.size(-1)
    said = f"the points have {last} values, the mean has {count}"
    return [] if last is None else [Need(ClashKind.BROADCAST, AnyOf((Equal(last, count), Equal(last, 1))), said)]


def _of_variables(cov: Tensor | None, count: AnySize) -> list[Need]:
    """Return the constraints for a covariance of so many variables."""
    if cov is None or cov.rank not in (1, 2):
        return []
    said = f"cov has shape {cov.shape}, the mean has {count} values"
    return [Need(ClashKind.AXIS, Equal(size, count), said) for size in cov.shape.sizes]
