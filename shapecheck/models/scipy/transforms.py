"""Fourier and cosine transforms of SciPy, which are as those of NumPy."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, Int, Value
from shapecheck.models.lang import Answer, AnyValue, Axes, Axis, Context, ShapeArg, Size, Tensor, at, behaviour, op
from shapecheck.models.lang.constraints import at_least
from shapecheck.models.ops.signal import fftfreq, irfft, rfft, rfftfreq
from shapecheck.models.ops.spectrum import fft2, fftn, np_irfft2, np_irfftn, np_rfft2, np_rfftn
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind

SPECIAL_LENGTHS = "none: lengths of 0 and -1, and repeated axes, as no other library takes them"


def _is_usual(x: Tensor, s: Shape | None, axes: tuple[int, ...] | None) -> bool:
    """Return whether each axis exists once, and has a point."""
    lengths: tuple[object, ...] = () if s is None else s.head
    places = () if axes is None or not x.rank else tuple(axis % x.rank for axis in axes)
    is_there = all(-(x.rank or 0) <= axis < (x.rank or 0) for axis in axes or ())
    return bool(x.rank) and is_there and len(set(places)) == len(places) and not {0, -1} & {*lengths, *x.shape.head}


@op("scipy.fft.{fft2,ifft2}", dtype="?", oracle=SPECIAL_LENGTHS)
def scipy_fft2(x: Tensor, s: ShapeArg | None = None, axes: Axes = (-2, -1)) -> Answer:
    return fft2(x, s, axes) if _is_usual(x, s, axes) else UNRANKED


@op("scipy.fft.{fftn,ifftn,dctn,idctn,dstn,idstn}", dtype="?", oracle=SPECIAL_LENGTHS)
def scipy_fftn(x: Tensor, s: ShapeArg | None = None, axes: Axes = None) -> Answer:
    return fftn(x, s, axes) if _is_usual(x, s, axes) else UNRANKED


@op("scipy.fft.{rfft2,ihfft2}", dtype="?", oracle=SPECIAL_LENGTHS)
def scipy_rfft2(x: Tensor, s: ShapeArg | None = None, axes: Axes = (-2, -1)) -> Answer:
    return np_rfft2(x, s, axes) if _is_usual(x, s, axes) else UNRANKED


@op("scipy.fft.{rfftn,ihfftn}", dtype="?", oracle=SPECIAL_LENGTHS)
def scipy_rfftn(x: Tensor, s: ShapeArg | None = None, axes: Axes = None) -> Answer:
    return np_rfftn(x, s, axes) if _is_usual(x, s, axes) else UNRANKED


@op("scipy.fft.{irfft2,hfft2}", dtype="?", oracle=SPECIAL_LENGTHS)
def scipy_irfft2(x: Tensor, s: ShapeArg | None = None, axes: Axes = (-2, -1)) -> Answer:
    return np_irfft2(x, s, axes) if _is_usual(x, s, axes) else UNRANKED


@op("scipy.fft.{irfftn,hfftn}", dtype="?", oracle=SPECIAL_LENGTHS)
def scipy_irfftn(x: Tensor, s: ShapeArg | None = None, axes: Axes = None) -> Answer:
    return np_irfftn(x, s, axes) if _is_usual(x, s, axes) else UNRANKED


@op("scipy.fftpack.{fft2,ifft2}", dtype="?", oracle=SPECIAL_LENGTHS)
def fftpack_fft2(x: Tensor, shape: ShapeArg | None = None, axes: Axes = (-2, -1)) -> Answer:
    return scipy_fft2(x, shape, axes)


@op("scipy.fftpack.{fftn,ifftn,dctn,idctn,dstn,idstn}", dtype="?", oracle=SPECIAL_LENGTHS)
def fftpack_fftn(x: Tensor, shape: ShapeArg | None = None, axes: Axes = None) -> Answer:
    return scipy_fftn(x, shape, axes)


@op("scipy.fft.hfft", dtype="?")
def hfft(x: Tensor, n: Size | None = None, axis: Axis = -1) -> Answer:
    return UNRANKED if n == 0 or not x.rank else irfft(x, n, axis)


@op("scipy.fft.ihfft", dtype="?")
def ihfft(x: Tensor, n: Size | None = None, axis: Axis = -1) -> Answer:
    return rfft(x, n, axis)


@op("{scipy.fft,scipy.fftpack}.fftfreq", dtype="float64")
def scipy_fftfreq(n: Size) -> Answer:
    return fftfreq(n)


@op("scipy.fft.rfftfreq", dtype="float64")
def scipy_rfftfreq(n: Size) -> Answer:
    return rfftfreq(n)


@op("scipy.fftpack.rfftfreq", dtype="float64")
def fftpack_rfftfreq(n: Size) -> Answer:
    """Real and imaginary parts follow each other."""
    return fftfreq(n)


@op("{scipy.fft,scipy.fftpack}.{dct,idct,dst,idst}", dtype="?")
def cosine(x: Tensor, type: AnyValue | None = None, n: Size | None = None, axis: Axis = -1) -> Answer:
    return _points(x, n, axis)


@op("scipy.fftpack.{rfft,irfft}", dtype="?")
def fftpack_rfft(x: Tensor, n: Size | None = None, axis: Axis = -1) -> Answer:
    """Real and imaginary parts follow each other."""
    return _points(x, n, axis)


def _points(x: Tensor, n: Size | None, axis: int) -> Answer:
    """Return a transform along an axis that keeps its points, or has the given number."""
    if not x.rank or n == 0:
        return UNRANKED
    if n is None:
        return at(axis, "d -> d")
    return (
        at(axis, "d -> m"),
        {"m": n},
        at_least(ClashKind.NEGATIVE_SIZE, n, 1, f"a transform of {n} points, at least 1 is needed"),
    )


@op("scipy.fftpack.{diff,tilbert,itilbert,hilbert,ihilbert,shift}", dtype="?", oracle="none: vectors")
@op("scipy.fft.{fht,ifht}", dtype="?", oracle="none: numbers of some values only")
def of_periods(x: Tensor) -> Answer:
    return "*S -> *S"


# Lengths --------------------------------------------------------------------------------------------------------------


@behaviour("scipy.fft.{next_fast_len,prev_fast_len}", "scipy.fftpack.next_fast_len")
def next_fast_len(ctx: Context, target: Value, real: Value = FALSE) -> Value:
    """A length that is not far away, and that the release of the library decides."""
    return Int(ctx.fresh("length", Kind.LOST, "a length that is fast to transform", 1))
