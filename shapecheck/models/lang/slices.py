"""The number of entries that a slice takes."""

from __future__ import annotations

from shapecheck.domain.values import NONE, SliceValue, Tensor, as_size, extent
from shapecheck.shapes.size import Kind, Size, bounds_with_counters, ceildiv, fresh, maximum, minimum, unknown


def sliced(size: Size, part: SliceValue) -> Size:
    """Return the number of entries that a slice takes."""
    step = 1 if part.step == NONE else as_size(part.step)
    low = None if part.lower == NONE else as_size(part.lower)
    high = None if part.upper == NONE else as_size(part.upper)
    unknown = (part.lower != NONE and low is None) or (part.upper != NONE and high is None)
    if unknown or not isinstance(step, int) or not step:
        return _some(size, part)
    if step == 1 and part.lower == NONE and part.upper == NONE:
        return size  # which is none below 0
    if step < 0:
        return _backwards(size, low, high, step)
    start = 0 if low is None else _clipped(low, size)
    stop = size if high is None else _clipped(high, size)
    if start is None or stop is None:
        return _some(size, part)
    return maximum(ceildiv(stop - start, step), 0)


def _some(size: Size, part: SliceValue) -> Size:
    """Return the number of entries of a slice whose bounds are known only at run time, or were not followed."""
    sizes = [size]
    for bound in (part.lower, part.upper, part.step):
        given = as_size(bound)
        if given is not None:
            sizes.append(given)
        elif bound != NONE and not isinstance(bound, Tensor):
            return fresh("?", Kind.LOST, why="a slice whose bounds are not known")
    return fresh("?", unknown(sizes), why="a slice whose bounds are not known")


def _backwards(size: Size, low: Size | None, high: Size | None, step: int) -> Size:
    if low is None and high is None:
        return ceildiv(size, -step)
    if isinstance(size, int) and isinstance(low, int | None) and isinstance(high, int | None):
        return extent(range(size)[low:high:step])
    return fresh("?", Kind.LOST, why="a slice whose bounds are not known")


def _clipped(bound: Size, size: Size) -> Size | None:
    """Return a bound as a position between 0 and size."""
    if isinstance(bound, int):
        return maximum(size + bound, 0) if bound < 0 else minimum(bound, size)
    low, high = bounds_with_counters(bound)
    if low is not None and low >= 0:
        return minimum(bound, size)
    return maximum(size + bound, 0) if high is not None and high < 0 else None
