"""Views of an array's memory: other strides, and windows that slide over axes."""

from __future__ import annotations

from shapecheck.models.lang import Answer, Axes, ShapeArg, Tensor, never, op, result
from shapecheck.models.lang.needs import at_least
from shapecheck.shapes.shape import UNRANKED, Shape


@op("np.lib.stride_tricks.as_strided", rung=3, oracle="none: what is beyond the array is looked at, too")
def as_strided(x: Tensor, shape: ShapeArg | None = None) -> Answer:
    return x.shape if shape is None else shape


@op("np.lib.stride_tricks.sliding_window_view", rung=3)
def sliding_window_view(x: Tensor, window_shape: ShapeArg, axis: Axes = None) -> Answer:
    """One window after the other along each axis; the windows' own axes come last."""
    if not x.shape.is_ranked or not window_shape.is_ranked:
        return UNRANKED
    rank, windows = len(x.shape.head), window_shape.head
    axes = tuple(range(rank)) if axis is None else axis
    if len(axes) != len(windows):
        return result(UNRANKED, needs=[never("rank", f"the window has {len(windows)} axes, {len(axes)} are slid over")])
    sizes, needs = list(x.shape.head), []
    for at, window in zip(axes, windows, strict=True):
        if not -rank <= at < rank:
            return result(UNRANKED, needs=[never("axis-range", f"{x.name} has no axis {at}")])
        said = f"a window of {window} does not fit into {sizes[at]} on axis {at}"
        needs += [at_least("negative-size", sizes[at], window, said)]
        needs += [at_least("negative-size", window, 0, f"a window cannot have the size {window}")]
        sizes[at] = sizes[at] - window + 1
    return result(Shape((*sizes, *windows)), needs=needs)
