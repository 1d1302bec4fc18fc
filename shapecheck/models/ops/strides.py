"""Views of an array's memory: other strides, and sliding windows over axes."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang import Answer, Axes, Blind, Ranked, ShapeArg, Tensor, op
from shapecheck.models.lang.constraints import Need, Refused, at_least
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size


@op("np.lib.stride_tricks.as_strided", oracle="none: what is beyond the array is looked at, too")
def as_strided(x: Tensor, shape: ShapeArg | None = None) -> Answer:
    return x.shape if shape is None else shape


@op("np.lib.stride_tricks.sliding_window_view")
def sliding_window_view(x: Ranked, window_shape: ShapeArg, axis: Axes = None) -> Answer:
    """Windows slide along each axis; the windows' own axes come last."""
    sizes, needs = _slid(x.shape.head, _slid_over(x, window_shape, axis))
    return Shape((*sizes, *window_shape.head)), *needs


def _slid_over(x: Ranked, windows: Shape, axes: Axes) -> list[tuple[int, Size]]:
    """Return the axes with the sizes of their windows."""
    if windows.tail is not None:
        raise Blind("the rank of the windows")
    over = tuple(range(x.rank)) if axes is None else axes
    if len(over) != len(windows.head):
        raise Refused(ClashKind.RANK, f"the window has {len(windows.head)} axes, {len(over)} are slid over")
    for at in over:
        if not -x.rank <= at < x.rank:
            raise Refused(ClashKind.AXIS_RANGE, f"{x.name} has no axis {at}")
    return list(zip(over, windows.head, strict=True))


def _slid(sizes: Sequence[Size], windows: Sequence[tuple[int, Size]]) -> tuple[list[Size], list[Need]]:
    """Return how often each window fits, one after the other."""
    left, needs = list(sizes), []
    for axis, window in windows:
        needs += _fits(left[axis], window, axis)
        left[axis] = left[axis] - window + 1
    return left, needs


def _fits(size: Size, window: Size, axis: int) -> list[Need]:
    """Return the constraint that a window fits, and has a valid size."""
    said = f"a window of {window} does not fit into {size} on axis {axis}"
    is_one = at_least(ClashKind.NEGATIVE_SIZE, window, 0, f"a window cannot have the size {window}")
    return [at_least(ClashKind.NEGATIVE_SIZE, size, window, said), is_one]
