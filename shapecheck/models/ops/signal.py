"""Signals cut into frames, and their spectra."""

from __future__ import annotations

from shapecheck.models.lang import Answer, Axis, Flag, Size, Tensor, at, op
from shapecheck.models.lang.apply import joined
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, ceildiv, fresh, maximum
from shapecheck.shapes.size import Size as AnySize


def _frames(length: AnySize, window: AnySize, step: AnySize, is_padded: bool) -> AnySize:
    """How many frames there are: only whole ones, unless the end is padded."""
    return ceildiv(length, step) if is_padded else maximum((length - window) // step + 1, 0)


@op("tf.signal.stft", "tf.contrib.signal.stft", dtype="complex64", rung=3)
def stft(
    signals: Tensor, frame_length: Size, frame_step: Size, fft_length: Size | None = None, pad_end: Flag = False
) -> Answer:
    """The length of the transform is the next power of two, if none is given; half of it comes out."""
    length = signals.shape.size(-1)
    if length is None or 0 in (frame_length, frame_step, fft_length):
        return UNRANKED
    transform = _power_of_two(frame_length) if fft_length is None else fft_length
    before = Shape(signals.shape.head[:-1]) if signals.shape.tail is None else UNRANKED
    return joined([before, Shape((_frames(length, frame_length, frame_step, pad_end), transform // 2 + 1))])


def _power_of_two(length: AnySize) -> AnySize:
    if not isinstance(length, int):
        return fresh("?", Kind.LOST, why="the next power of two")
    return 1 << max(0, length - 1).bit_length()


@op("tf.signal.frame", "tf.contrib.signal.frame", rung=3)
def frame(signal: Tensor, frame_length: Size, frame_step: Size, pad_end: Flag = False, axis: Axis = -1) -> Answer:
    """Frames and places in a frame stand where the axis was."""
    length = signal.shape.size(axis)
    if length is None or 0 in (frame_length, frame_step) or signal.rank is None:
        return UNRANKED
    return at(axis, "d -> n f"), {"n": _frames(length, frame_length, frame_step, pad_end), "f": frame_length}
