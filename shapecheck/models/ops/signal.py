"""Signals divided into frames, and their spectra."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import Answer, Axes, Axis, Flag, Size, Tensor, at, op, result
from shapecheck.models.lang.axis_positions import place_of
from shapecheck.models.lang.constraints import Need, at_least, never
from shapecheck.models.lang.expression import Bindings, Unknown, size_of
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.size import Size as AnySize


def _frames(axis: str, pad_end: bool) -> str:
    """Return the number of frames of an axis: only complete ones, unless the end is padded."""
    return f"ceildiv({axis}, frame_step)" if pad_end else f"max(({axis} - frame_length) // frame_step + 1, 0)"


@op("tf.signal.stft", "tf.contrib.signal.stft", dtype="complex64")
def stft(
    signals: Tensor, frame_length: Size, frame_step: Size, fft_length: Size | None = None, pad_end: Flag = False
) -> Answer:
    """The length of the transform is the next power of two, if none is given; the result has half of it."""
    if 0 in (frame_length, frame_step, fft_length):
        return UNRANKED
    sizes = {"n": _frames("s", pad_end), "f": _power_of_two(frame_length) if fft_length is None else fft_length}
    return "*S s -> *S n (f // 2 + 1)", sizes, _has_frames


def _has_frames(bindings: Bindings) -> Need:
    """Return the constraint that there is a frame, since no frame cannot be padded to the length of a transform."""
    length, frames = size_of("s", bindings), size_of("n", bindings)
    frame, transform = size_of("frame_length", bindings), size_of("f", bindings)
    if frames != 0 or not isinstance(frame, int) or not isinstance(transform, int) or frame >= transform:
        raise Unknown("whether a frame is filled up")
    said = f"signals have {length} values, a frame {frame}: there is nothing to fill up to {transform}"
    return never(ClashKind.NEGATIVE_SIZE, said)


def _power_of_two(length: AnySize) -> AnySize:
    if not isinstance(length, int):
        return fresh("?", Kind.LOST, why="the next power of two")
    return 1 << max(0, length - 1).bit_length()


@op("tf.signal.frame", "tf.contrib.signal.frame")
def frame(signal: Tensor, frame_length: Size, frame_step: Size, pad_end: Flag = False, axis: Axis = -1) -> Answer:
    """The axis is replaced by two: frames, and positions in a frame."""
    if 0 in (frame_length, frame_step) or signal.rank is None:
        return UNRANKED
    return at(axis, f"d -> ({_frames('d', pad_end)}) frame_length")


# Fourier transforms -------------------------------------------------------------------------------------------------


def _points(n: AnySize | None, whole: str, told: AnySize | None, least: int = 1, axis: int = -1) -> Answer:
    """Return a transform along an axis: of all its points, or of the given number."""
    if n is None:
        return at(axis, whole), f"d >= {least}"
    return (
        at(axis, "d -> m"),
        {"m": told},
        at_least(ClashKind.NEGATIVE_SIZE, n, 1, f"a transform of {n} points, at least 1 is needed"),
    )


@op("{np.fft,scipy.fft,scipy.fftpack}.{fft,ifft}", dtype="?")
def fft(a: Tensor, n: Size | None = None, axis: Axis = -1) -> Answer:
    """The axis is truncated or padded to `n`."""
    return _points(n, "d -> d", n, axis=axis)


@op("np.fft.{rfft,ihfft}", "scipy.fft.rfft", dtype="?")
def rfft(a: Tensor, n: Size | None = None, axis: Axis = -1) -> Answer:
    """The result is half of the spectrum, which determines the whole for real numbers."""
    return _points(n, "d -> (d // 2 + 1)", None if n is None else n // 2 + 1, axis=axis)


@op("scipy.fft.irfft", dtype="?")
def scipy_irfft(x: Tensor, n: Size | None = None, axis: Axis = -1) -> Answer:
    return UNRANKED if n == 0 else irfft(x, n, axis)


@op("np.fft.{irfft,hfft}", dtype="?")
def irfft(a: Tensor, n: Size | None = None, axis: Axis = -1) -> Answer:
    return _points(n, "d -> (2 * d - 2)", n, 2, axis)


@op("{np.fft,scipy.fft,scipy.fftpack}.{fftshift,ifftshift}", "tf.signal.{fftshift,ifftshift}")
def fftshift(x: Tensor, axes: Axes = None) -> Answer:
    if axes is None or not x.rank:
        return "*S d -> *S d"
    return at(tuple({place_of(x, axis) for axis in axes}), "d -> d")


@op("tf.{signal.fft,signal.ifft,fft,ifft}")
def tf_fft(input: Tensor) -> Answer:
    return "*S n -> *S n"


@op("tf.{signal.fft2d,signal.ifft2d,fft2d,ifft2d}")
def tf_fft2d(input: Tensor) -> Answer:
    return "*S m n -> *S m n"


@op("keras.ops.{hanning,hamming,blackman,bartlett}", dtype="float32")
@op("np.{hanning,hamming,blackman,bartlett}", dtype="float64")
def window(M: Size) -> Answer:  # noqa: N803
    return Shape((M,))


@op("np.fft.fftfreq", dtype="float64")
def fftfreq(n: Size) -> Answer:
    return result(Shape((n,)), needs=[at_least(ClashKind.NEGATIVE_SIZE, n, 1, f"n is {n}, at least 1 is needed")])


@op("np.fft.rfftfreq", dtype="float64")
def rfftfreq(n: Size) -> Answer:
    return result(
        Shape((n // 2 + 1,)), needs=[at_least(ClashKind.NEGATIVE_SIZE, n, 1, f"n is {n}, at least 1 is needed")]
    )
