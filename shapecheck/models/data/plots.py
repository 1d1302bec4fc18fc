"""Grids of Matplotlib's plots, which are arrays of objects."""

from __future__ import annotations

from shapecheck.models.lang import Context, behaviour
from shapecheck.shapes.shape import Shape
from shapecheck.values import FALSE, TRUE, Const, Seq, Tensor, Value, as_size


@behaviour("matplotlib.pyplot.subplots")
def subplots(
    ctx: Context, nrows: Value = Const(1), ncols: Value = Const(1), squeeze: Value = TRUE, **others: Value
) -> Value:
    """A figure, and its plots: axes of one row or column are dropped."""
    return Seq("tuple", (ctx.lost("a figure"), _grid(ctx, nrows, ncols, squeeze)))


def _grid(ctx: Context, nrows: Value, ncols: Value, squeeze: Value) -> Value:
    sizes = as_size(nrows), as_size(ncols)
    if squeeze == FALSE and sizes[0] is not None and sizes[1] is not None:
        return Tensor(Shape((sizes[0], sizes[1])), "object", "np")
    known = [size for size in sizes if isinstance(size, int)]
    if squeeze != TRUE or len(known) < 2:
        return ctx.lost("a grid of plots")
    left = tuple(size for size in known if size != 1)
    return Tensor(Shape(left), "object", "np") if left else ctx.lost("a plot")
