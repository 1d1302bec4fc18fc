"""Fourier transforms over several axes, their inverses from half a spectrum, cosine transforms and mel scales."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import Answer, Axes, Axis, ShapeArg, Size, Tensor, at, entries, op, result
from shapecheck.models.lang.axis_positions import place_of
from shapecheck.models.lang.constraints import LateNeed, Need, Refused, at_least
from shapecheck.models.lang.expression import Bindings, size_of
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, fresh, maximum
from shapecheck.shapes.size import Size as AnySize

# TensorFlow: over the last axes -----------------------------------------------------------------------------------


@op("tf.{signal.fft3d,signal.ifft3d,fft3d,ifft3d}")
def fft3d(input: Tensor) -> Answer:
    return "*S l m n -> *S l m n"


@op("tf.{signal.,}{fft,ifft}nd", dtype="?", oracle="none: lengths and axes of several kinds")
@op("tf.{signal.,}{rfft,irfft}nd", dtype="?", oracle="none: lengths and axes of several kinds")
def fftnd(input: Tensor) -> Answer:
    return Shape(tuple(fresh("?", Kind.LOST) for _ in input.shape.head)) if input.rank else UNRANKED


LAST = {1: "n", 2: "m n", 3: "l m n"}


def _over_last(axes: int, fft_length: Shape | None, points: str, out: str) -> Answer:
    """Return the last axes, truncated or padded to lengths; the very last one has separate numbers of input and output
    points.
    """
    *others, _ = LAST[axes].split()
    signature = f"*S {LAST[axes]} -> *S {' '.join([*others, out])}"
    wanted = [*others, "points"]
    told = {"points": points} if fft_length is None else zip(wanted, entries(fft_length, axes), strict=True)
    return signature, dict(told), *map(_some_points, wanted)


def _some_points(axis: str) -> LateNeed:
    def some(bindings: Bindings) -> Need:
        length = size_of(axis, bindings)
        return at_least(ClashKind.NEGATIVE_SIZE, length, 1, f"a transform of {length} points, at least 1 is needed")

    return some


def _rfft(fft_length: Shape | None, axes: int) -> Answer:
    """Return the transform to half of the spectrum, which determines the whole."""
    return _over_last(axes, fft_length, "n", "(points // 2 + 1)")


def _irfft(fft_length: Shape | None, axes: int) -> Answer:
    return _over_last(axes, fft_length, "2 * (n - 1)", "points")


@op("tf.{signal.rfft,rfft}", dtype="?")
def rfft(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _rfft(fft_length, 1)


@op("tf.{signal.rfft2d,rfft2d}", dtype="?")
def rfft2d(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _rfft(fft_length, 2)


@op("tf.{signal.rfft3d,rfft3d}", dtype="?")
def rfft3d(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _rfft(fft_length, 3)


@op("tf.{signal.irfft,irfft}", dtype="?")
def irfft(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _irfft(fft_length, 1)


@op("tf.{signal.irfft2d,irfft2d}", dtype="?")
def irfft2d(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _irfft(fft_length, 2)


@op("tf.{signal.irfft3d,irfft3d}", dtype="?")
def irfft3d(input: Tensor, fft_length: ShapeArg | None = None) -> Answer:
    return _irfft(fft_length, 3)


@op("tf.signal.{dct,idct}")
def dct(input: Tensor, n: Size | None = None) -> Answer:
    return at(-1, "d -> d") if n is None else (at(-1, "d -> n"), {"n": n}, "n >= 1")


@op("tf.signal.mfccs_from_log_mel_spectrograms")
def mfccs(log_mel_spectrograms: Tensor) -> Answer:
    return "*S n -> *S n", "n >= 1"


@op("tf.signal.linear_to_mel_weight_matrix", dtype="float32")
def mel_matrix(num_mel_bins: Size = 20, num_spectrogram_bins: Size = 129) -> Answer:
    return Shape((maximum(num_spectrogram_bins, 1), num_mel_bins)), at_least(
        ClashKind.NEGATIVE_SIZE, num_mel_bins, 1, f"num_mel_bins is {num_mel_bins}, at least 1 is needed"
    )


@op("tf.signal.kaiser_window", dtype="float32")
def kaiser_window(window_length: Size) -> Answer:
    return Shape((window_length,)), at_least(
        ClashKind.NEGATIVE_SIZE, window_length, 1, f"window_length is {window_length}, at least 1 is needed"
    )


@op("tf.signal.kaiser_bessel_derived_window", dtype="float32")
def kaiser_bessel_window(window_length: Size) -> Answer:
    return Shape((window_length // 2 * 2,)) if window_length != 0 else UNRANKED


@op("tf.signal.{hann_window,hamming_window,vorbis_window}", dtype="float32")
def window(window_length: Size) -> Answer:
    return Shape((window_length,))


@op("tf.signal.overlap_and_add")
def overlap_and_add(signal: Tensor, frame_step: Size) -> Answer:
    """Frames are added with an offset of one step each."""
    return "*S m n -> *S {(m - 1) * frame_step + n}", _steps(frame_step)


def _steps(frame_step: AnySize) -> Need:
    return at_least(ClashKind.NEGATIVE_SIZE, frame_step, 1, f"frame_step is {frame_step}, at least 1 is needed")


@op("tf.signal.{mdct,inverse_mdct}", oracle="none: frames of several lengths")
def mdct(signals: Tensor) -> Answer:
    return UNRANKED


@op("tf.signal.inverse_stft", dtype="float32")
def inverse_stft(stfts: Tensor, frame_length: Size, frame_step: Size) -> Answer:
    long = at_least(ClashKind.NEGATIVE_SIZE, frame_length, 1, f"frame_length is {frame_length}, at least 1 is needed")
    return "*S m _ -> *S {(m - 1) * frame_step + frame_length}", long, _steps(frame_step)


# NumPy: over any axes ---------------------------------------------------------------------------------------------


@op("np.fft.{fft2,ifft2}", dtype="?")
def fft2(a: Tensor, s: ShapeArg | None = None, axes: Axes = (-2, -1)) -> Answer:
    return _whole(a, axes) if s is None else _cut(a, s, axes, lambda n: n)


@op("np.fft.{fftn,ifftn}", dtype="?")
def fftn(a: Tensor, s: ShapeArg | None = None, axes: Axes = None) -> Answer:
    if s is not None:
        return _cut(a, s, axes, lambda n: n)
    return result(a.shape, dtype=a.dtype) if a.rank == 0 and axes is None else _whole(a, axes)


def _whole(a: Tensor, axes: tuple[int, ...] | None) -> Answer:
    """Return the transform of whole axes: an axis may be repeated; without an axis to transform nothing changes."""
    if axes == ():
        return result(a.shape, dtype=a.dtype)
    if a.rank is None or not a.rank:
        return a.shape if a.rank is None else UNRANKED
    if axes is not None and len({place_of(a, axis) for axis in axes}) < len(axes):
        return UNRANKED
    return at(axes, "d -> d"), *[
        at_least(ClashKind.NEGATIVE_SIZE, size, 1, f"{a.name} has an axis of size 0") for size in a.shape.head
    ]


def _cut(a: Tensor, s: Shape | None, axes: tuple[int, ...] | None, out: Callable[[AnySize], AnySize]) -> Shape:
    """Return the axes truncated or padded to the given lengths, -1 for its own; the last one has a separate number of
    output points.
    """
    rank = a.rank
    if rank is None or (s is not None and s.rank is None):
        return UNRANKED
    count = rank if s is None else len(s.sizes)
    chosen = tuple(range(rank - count, rank)) if axes is None else axes
    places = [place_of(a, axis) for axis in chosen]
    if not places or len(set(places)) != len(chosen) or (s is not None and count != len(chosen)):
        return UNRANKED
    sizes = list(a.shape.sizes)
    for place, length in zip(places, s.sizes if s is not None else (-1,) * len(places), strict=True):
        sizes[place] = sizes[place] if length == -1 else length
    sizes[places[-1]] = out(sizes[places[-1]])
    return Shape(tuple(sizes))


def _half(a: Tensor, s: Shape | None, axes: tuple[int, ...] | None) -> Answer:
    return _cut(a, s, axes, lambda n: n // 2 + 1)


def _doubled(a: Tensor, s: Shape | None, axes: tuple[int, ...] | None) -> Answer:
    if s is None and axes in (None, (-2, -1)):
        return ("*S n -> *S (2 * n - 2)", "n >= 2") if a.rank and a.rank > 1 else UNRANKED
    return _cut(a, s, axes, _whole_of_half if s is None else lambda n: n)


def _whole_of_half(points: AnySize) -> AnySize:
    """Return the number of points of a spectrum of which half is given."""
    if points in (0, 1):
        said = f"a spectrum of {points} point{'s' if points == 0 else ''} cannot be inverted"
        raise Refused(ClashKind.NEGATIVE_SIZE, said)
    return 2 * points - 2


@op("np.fft.rfft2", dtype="?")
def np_rfft2(a: Tensor, s: ShapeArg | None = None, axes: Axes = (-2, -1)) -> Answer:
    return _half(a, s, axes)


@op("np.fft.rfftn", dtype="?")
def np_rfftn(a: Tensor, s: ShapeArg | None = None, axes: Axes = None) -> Answer:
    return _half(a, s, axes)


@op("np.fft.irfft2", dtype="?")
def np_irfft2(a: Tensor, s: ShapeArg | None = None, axes: Axes = (-2, -1)) -> Answer:
    return _doubled(a, s, axes)


@op("np.fft.irfftn", dtype="?")
def np_irfftn(a: Tensor, s: ShapeArg | None = None, axes: Axes = None) -> Answer:
    return _doubled(a, s, axes)


@op("keras.ops.stft", returns="tuple", oracle="none: windows and padding of several kinds")
def keras_stft(x: Tensor, sequence_length: Size, sequence_stride: Size, fft_length: Size) -> Answer:
    part = "*S n -> *S {m} {k}"
    shapes = {"m": fresh("?", Kind.LOST, why="as many as fit"), "k": fft_length // 2 + 1}
    return part + ", *S {m} {k}", shapes


@op("keras.ops.rfft", returns="tuple")
def keras_rfft(x: Tensor, fft_length: Size | None = None) -> Answer:
    if fft_length == 0:
        return result(UNRANKED, UNRANKED)
    return "*S n -> *S {m}, *S {m}", {"m": "n // 2 + 1" if fft_length is None else fft_length // 2 + 1}


@op("keras.ops.{irfft,istft,ifft2}", oracle="none: takes pairs of tensors")
def keras_inverse(x: Tensor, axis: Axis = -1) -> Answer:
    return UNRANKED
