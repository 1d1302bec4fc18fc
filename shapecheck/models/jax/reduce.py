"""Functions of `jax.numpy` along axes that differ from NumPy's."""

from __future__ import annotations

from shapecheck.models.jax.promotion import WORDS, promoted
from shapecheck.models.lang import Answer, Axes, Axis, DtypeArg, Flag, Ranked, Size, Tensor, also, of_rank, op
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.ops.axis import diff as np_diff
from shapecheck.models.ops.axis import np_reduce
from shapecheck.models.ops.axis import percentile as any_percentile
from shapecheck.models.ops.linalg import cov as np_cov
from shapecheck.models.ops.signal import fftshift as np_fftshift
from shapecheck.models.ops.signal import irfft as np_irfft
from shapecheck.shapes.shape import UNRANKED


@op("jax.numpy.var", dtype="first mean real")
@op("jax.Array.var", dtype="first mean real", oracle="none: a method")
def var(a: Tensor, axis: Axes = None, keepdims: Flag = False, dtype: DtypeArg = None) -> Answer:
    """A variance of whole numbers is none itself, even if such a dtype is asked for."""
    return np_reduce(a, axis, keepdims), also(dtype=WORDS["float"].get(dtype or ""))


@op("jax.numpy.{percentile,quantile,nanpercentile,nanquantile}", dtype="first float")
def percentile(a: Tensor, q: Ranked, axis: Axes = None, keepdims: Flag = False) -> Answer:
    of_rank(q, 0, 1)
    return any_percentile(a, q, axis, keepdims)


@op("jax.numpy.{cov,corrcoef}", dtype="promote float")
def cov(m: Ranked, y: Ranked | None = None, rowvar: Flag = True) -> Answer:
    """Columns of variables beside a row are looked at as they are."""
    is_mixed = y is not None and not rowvar and m.rank != y.rank
    return UNRANKED if is_mixed else np_cov(m, y, rowvar)


@op("jax.numpy.diff", dtype="?")
def diff(
    a: Tensor, n: Size = 1, axis: Axis = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Answer:
    made = np_diff(a, n, axis, prepend, append)
    joined = [each for each in (a, prepend, append) if each is not None]
    return (*made, also(dtype=promoted(joined))) if isinstance(made, tuple) else made


@op("jax.numpy.fft.{fftshift,ifftshift}")
def fftshift(x: Tensor, axes: Axes = None) -> Answer:
    return "*S -> *S" if not axes else np_fftshift(x, axes)


@op("jax.numpy.fft.irfft", dtype="float32")
def irfft(a: Tensor, n: Size | None = None, axis: Axis = -1) -> Answer:
    return np_irfft(a, n, axis)


@op("jax.numpy.bincount", dtype="?")
def bincount(x: Tensor, weights: Tensor | None = None, length: Size | None = None) -> Answer:
    count = lost("the largest") if length is None else length
    return "n, n -> {c}", {"c": count}, also(dtype="int32" if weights is None else weights.dtype)
