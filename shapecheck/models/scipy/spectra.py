"""Spectra of SciPy."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Value
from shapecheck.models.lang import Answer, AnyValue, Axis, Flag, Size, Tensor, op, result
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

SEGMENT = 256

# Spectra ------------------------------------------------------------------------------------------------------------


def _is_plain(x: Tensor, axis: int, *sizes: AnySize | None) -> bool:
    """Return whether real numbers along the last axis are cut into segments of known sizes."""
    is_real = x.dtype is not None and "complex" not in x.dtype
    last = bool(x.rank) and axis in (-1, (x.rank or 0) - 1) and isinstance(x.shape.sizes[-1], int)
    return is_real and last and all(size is None or isinstance(size, int) for size in sizes)


def _segment(x: Tensor, nperseg: Size | None) -> int:
    length, wanted = x.shape.sizes[-1], SEGMENT if nperseg is None else nperseg
    assert isinstance(length, int)
    assert isinstance(wanted, int)
    return min(length, wanted)


@op("scipy.signal.welch", returns="tuple", dtype="float64,?", oracle="none: windows of many forms")
def welch(
    x: Tensor,
    window: AnyValue = NONE,
    nperseg: Size | None = None,
    nfft: Size | None = None,
    return_onesided: Flag = True,
    axis: Axis = -1,
) -> Answer:
    """Return the frequencies, and the power of each."""
    if not _is_named(window) or not return_onesided or not _is_plain(x, axis, nperseg, nfft):
        return result(UNRANKED, UNRANKED)
    return _powers(x, (_segment(x, nperseg) if nfft is None else nfft) // 2 + 1)


def _is_named(window: Value) -> bool:
    """Return whether the length of a window is not that of an array."""
    return isinstance(window, Const)


@op("scipy.signal.{csd,coherence}", returns="tuple", dtype="float64,?", oracle="none: windows of many forms")
def csd(
    x: Tensor,
    y: Tensor,
    window: AnyValue = NONE,
    nperseg: Size | None = None,
    nfft: Size | None = None,
    axis: Axis = -1,
) -> Answer:
    """Return the frequencies, and what the signals have in common at each."""
    is_plain = x.shape == y.shape and _is_plain(x, axis, nperseg, nfft) and _is_plain(y, axis)
    if not is_plain or not _is_named(window):
        return result(UNRANKED, UNRANKED)
    return _powers(x, (_segment(x, nperseg) if nfft is None else nfft) // 2 + 1)


@op("scipy.signal.periodogram", returns="tuple", dtype="float64,?", oracle="none: windows of many forms")
def periodogram(x: Tensor, nfft: Size | None = None, return_onesided: Flag = True, axis: Axis = -1) -> Answer:
    if not return_onesided or not _is_plain(x, axis, nfft):
        return result(UNRANKED, UNRANKED)
    return _powers(x, (x.shape.sizes[-1] if nfft is None else nfft) // 2 + 1)


def _powers(x: Tensor, count: AnySize) -> Answer:
    return result(Shape((count,)), Shape((*x.shape.sizes[:-1], count)))


@op("scipy.signal.stft", returns="tuple", dtype="float64,float64,complex128", oracle="none: windows of many forms")
def stft(
    x: Tensor,
    window: AnyValue = NONE,
    nperseg: Size | None = None,
    noverlap: Size | None = None,
    nfft: Size | None = None,
    detrend: AnyValue = NONE,
    return_onesided: Flag = True,
    boundary: AnyValue = NONE,
    padded: AnyValue = NONE,
    axis: Axis = -1,
) -> Answer:
    """Return the frequencies, the times, and a column for each time."""
    is_usual = _is_named(window) and boundary == padded == NONE and return_onesided
    if not is_usual or not _is_plain(x, axis, nperseg, noverlap, nfft):
        return result(UNRANKED, UNRANKED, UNRANKED)
    return _columns(x, (_segment(x, nperseg) if nfft is None else nfft) // 2 + 1, _times(x, nperseg, noverlap))


def _columns(x: Tensor, count: AnySize, times: AnySize) -> Answer:
    return result(Shape((count,)), Shape((times,)), Shape((*x.shape.sizes[:-1], count, times)))


def _times(x: Tensor, nperseg: Size | None, noverlap: Size | None) -> AnySize:
    """Return the number of segments, with zeros before, after, and to fill the last one."""
    length, segment = x.shape.sizes[-1], _segment(x, nperseg)
    overlap = segment // 2 if noverlap is None else noverlap
    if not isinstance(length, int) or not isinstance(overlap, int) or not 0 <= overlap < segment:
        return lost()
    extended, step = length + 2 * (segment // 2), segment - overlap
    filled = extended + (-(extended - segment) % step) % segment
    return (filled - overlap) // step
