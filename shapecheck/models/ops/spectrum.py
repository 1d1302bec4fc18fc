"""Fourier transforms over several axes, their inverses from half a spectrum, cosine transforms and mel scales."""

from __future__ import annotations

from shapecheck.models.lang import Answer, Axes, Axis, ShapeArg, Size, Tensor, at, op, result
from shapecheck.models.lang.needs import Need, at_least, never
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh, maximum
from shapecheck.shapes.size import Size as AnySize

# TensorFlow: over the last axes -----------------------------------------------------------------------------------


@op("tf.{signal.fft3d,signal.ifft3d,fft3d,ifft3d}")
def fft3d(input: Tensor) -> Answer:
    return "*S l m n -> *S l m n"


@op("tf.{signal.,}{fft,ifft}nd", dtype="?", rung=3, oracle="none: lengths and axes of several kinds")
@op("tf.{signal.,}{rfft,irfft}nd", dtype="?", rung=3, oracle="none: lengths and axes of several kinds")
def fftnd(input: Tensor) -> Answer:
    return Shape(tuple(fresh("?", Kind.LOST) for _ in input.shape.head)) if input.rank else UNRANKED


def _lengths(input: Tensor, fft_length: Shape | None, axes: int) -> tuple[list[AnySize], Answer | None]:
    """The last axes, cut or filled up to the lengths; and what to answer where they are not known."""
    if input.rank is None:
        return [], UNRANKED
    if input.rank < axes:
        said = f"{input.name} has rank {input.rank}, not at least {axes}"
        return [], result(UNRANKED, needs=[never("rank", said)])
    if fft_length is None:
        return list(input.shape.head[-axes:]), None
    if fft_length.tail is not None or len(fft_length.head) != axes or -1 in fft_length.head:
        return [], UNRANKED
    return list(fft_length.head), None


def _rfft(input: Tensor, fft_length: Shape | None, axes: int) -> Answer:
    """Half of the last axis tells the whole."""
    lengths, answer = _lengths(input, fft_length, axes)
    if answer is not None:
        return answer
    shape = Shape((*input.shape.head[:-axes], *lengths[:-1], lengths[-1] // 2 + 1))
    return result(shape, needs=_points(lengths))


def _irfft(input: Tensor, fft_length: Shape | None, axes: int) -> Answer:
    lengths, answer = _lengths(input, fft_length, axes)
    if answer is not None:
        return answer
    if fft_length is None:
        lengths[-1] = 2 * (lengths[-1] - 1)
    return result(Shape((*input.shape.head[:-axes], *lengths)), needs=_points(lengths))


def _points(lengths: list[AnySize]) -> list[Need]:
    return [at_least("negative-size", length, 1, f"a transform of {length} points") for length in lengths]


@op("tf.{signal.rfft,rfft}", dtype="?", rung=3)
def rfft(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _rfft(input, fft_length, 1)


@op("tf.{signal.rfft2d,rfft2d}", dtype="?", rung=3)
def rfft2d(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _rfft(input, fft_length, 2)


@op("tf.{signal.rfft3d,rfft3d}", dtype="?", rung=3)
def rfft3d(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _rfft(input, fft_length, 3)


@op("tf.{signal.irfft,irfft}", dtype="?", rung=3)
def irfft(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _irfft(input, fft_length, 1)


@op("tf.{signal.irfft2d,irfft2d}", dtype="?", rung=3)
def irfft2d(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _irfft(input, fft_length, 2)


@op("tf.{signal.irfft3d,irfft3d}", dtype="?", rung=3)
def irfft3d(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _irfft(input, fft_length, 3)


@op("tf.signal.{dct,idct}", rung=2)
def dct(input: Tensor, n: Size | None = None) -> Answer:
    return at(-1, "d -> d") if n is None else (at(-1, "d -> n"), {"n": n}, "n >= 1")


@op("tf.signal.mfccs_from_log_mel_spectrograms")
def mfccs(log_mel_spectrograms: Tensor) -> Answer:
    return "*S n -> *S n", "n >= 1"


@op("tf.signal.linear_to_mel_weight_matrix", dtype="float32", rung=2)
def mel_matrix(num_mel_bins: Size = 20, num_spectrogram_bins: Size = 129) -> Answer:
    return Shape((maximum(num_spectrogram_bins, 1), num_mel_bins)), at_least(
        "negative-size", num_mel_bins, 1, "no bins"
    )


@op("tf.signal.kaiser_window", dtype="float32")
def kaiser_window(window_length: Size) -> Answer:
    return Shape((window_length,)), at_least("negative-size", window_length, 1, "an empty window")


@op("tf.signal.kaiser_bessel_derived_window", dtype="float32")
def kaiser_bessel_window(window_length: Size) -> Answer:
    return Shape((window_length // 2 * 2,)) if window_length != 0 else UNRANKED


@op("tf.signal.{hann_window,hamming_window,vorbis_window}", dtype="float32")
def window(window_length: Size) -> Answer:
    return Shape((window_length,))


@op("tf.signal.overlap_and_add", rung=3)
def overlap_and_add(signal: Tensor, frame_step: Size) -> Answer:
    """Frames laid over each other, each a step after the one before."""
    if signal.rank is None:
        return UNRANKED
    if signal.rank < 2:
        return result(UNRANKED, needs=[never("rank", f"signal has rank {signal.rank}, not at least 2")])
    *rest, frames, length = signal.shape.head
    return Shape((*rest, (frames - 1) * frame_step + length)), _steps(frame_step)


def _steps(frame_step: AnySize) -> Need:
    return at_least("negative-size", frame_step, 1, f"a step of {frame_step}")


@op("tf.signal.{mdct,inverse_mdct}", rung=3, oracle="none: frames of several lengths")
def mdct(signals: Tensor) -> Answer:
    return UNRANKED


@op("tf.signal.inverse_stft", dtype="float32", rung=3)
def inverse_stft(stfts: Tensor, frame_length: Size, frame_step: Size) -> Answer:
    if stfts.rank is None:
        return UNRANKED
    if stfts.rank < 2:
        return result(UNRANKED, needs=[never("rank", f"stfts has rank {stfts.rank}, not at least 2")])
    *rest, frames, _ = stfts.shape.head
    long = at_least("negative-size", frame_length, 1, f"frames of {frame_length}")
    return Shape((*rest, (frames - 1) * frame_step + frame_length)), long, _steps(frame_step)


# NumPy: over any axes ---------------------------------------------------------------------------------------------


@op("np.fft.{fft2,ifft2}", dtype="?", rung=2)
def fft2(a: Tensor, axes: Axes = (-2, -1)) -> Answer:
    return _whole(a, axes)


@op("np.fft.{fftn,ifftn}", dtype="?", rung=2)
def fftn(a: Tensor, axes: Axes = None) -> Answer:
    return result(a.shape, dtype=a.dtype) if a.rank == 0 and axes is None else _whole(a, axes)


def _whole(a: Tensor, axes: tuple[int, ...] | None) -> Answer:
    """An axis may be transformed twice; without an axis to transform nothing changes."""
    if axes == ():
        return result(a.shape, dtype=a.dtype)
    if a.rank is None or not a.rank or (axes is not None and len({axis % a.rank for axis in axes}) < len(axes)):
        return a.shape if a.rank is None else UNRANKED
    return at(axes, "d -> d"), *[at_least("negative-size", size, 1, "an axis is empty") for size in a.shape.head]


@op("np.fft.{rfft2,rfftn}", dtype="?", rung=2)
def np_rfftn(a: Tensor) -> Answer:
    return "*S n -> *S (n // 2 + 1)" if a.rank and a.rank > 1 else UNRANKED


@op("np.fft.{irfft2,irfftn}", dtype="?", rung=2)
def np_irfftn(a: Tensor) -> Answer:
    return ("*S n -> *S (2 * n - 2)", "n >= 2") if a.rank and a.rank > 1 else UNRANKED


@op("keras.ops.stft", returns="tuple", rung=3, oracle="none: windows and padding of several kinds")
def keras_stft(x: Tensor, sequence_length: Size, sequence_stride: Size, fft_length: Size) -> Answer:
    part = "*S n -> *S {m} {k}"
    shapes = {"m": fresh("?", Kind.LOST, why="as many as fit"), "k": fft_length // 2 + 1}
    return part + ", *S {m} {k}", shapes


@op("keras.ops.rfft", returns="tuple", rung=2)
def keras_rfft(x: Tensor, fft_length: Size | None = None) -> Answer:
    if fft_length == 0:
        return result(UNRANKED, UNRANKED)
    return "*S n -> *S {m}, *S {m}", {"m": "n // 2 + 1" if fft_length is None else fft_length // 2 + 1}


@op("keras.ops.{irfft,istft,ifft2}", rung=3, oracle="none: takes pairs of tensors")
def keras_inverse(x: Tensor, axis: Axis = -1) -> Answer:
    return UNRANKED
