"""Figures of Matplotlib and their axes; grids of axes are arrays of objects."""

from __future__ import annotations

from math import prod

from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Dict, Seq, Tensor, Value, as_size, as_str
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.matplotlib.drawing import AXES, IN_SPACE
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

FIGURE = "matplotlib.figure.Figure"
GRID_LIMIT = 16


def _plot(ctx: Context, projection: Value) -> Value:
    """Return an axes object of the requested projection; those for maps and the like change what is drawn."""
    if projection == NONE:
        return ctx.new(AXES)
    return ctx.new(IN_SPACE) if as_str(projection) == "3d" else ctx.lost("a plot of its own kind")


@behaviour("matplotlib.pyplot.{figure,gcf}")
def figure(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new(FIGURE)


@behaviour("matplotlib.pyplot.{axes,subplot,subplot2grid}")
def plot(ctx: Context, *args: Value, projection: Value = NONE, **keywords: Value) -> Value:
    return _plot(ctx, projection)


@behaviour(f"{FIGURE}.{{add_subplot,add_axes}}")
def added(ctx: Context, self: Value, *args: Value, projection: Value = NONE, **keywords: Value) -> Value:
    return _plot(ctx, projection)


@behaviour(IN_SPACE)
def in_space(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new(IN_SPACE)


@behaviour("matplotlib.pyplot.subplots")
def subplots(
    ctx: Context, nrows: Value = Const(1), ncols: Value = Const(1), squeeze: Value = TRUE, **others: Value
) -> Value:
    """Return a figure and its axes objects: a grid axis of one row or column is dropped."""
    return Seq("tuple", (ctx.new(FIGURE), _grid(ctx, nrows, ncols, squeeze, _kind(ctx, others))))


@behaviour(f"{FIGURE}.subplots")
def subplots_of(
    ctx: Context,
    self: Value,
    nrows: Value = Const(1),
    ncols: Value = Const(1),
    squeeze: Value = TRUE,
    **others: Value,
) -> Value:
    return _grid(ctx, nrows, ncols, squeeze, _kind(ctx, others))


def _kind(ctx: Context, others: dict[str, Value]) -> Value:
    """Return the projection of the axes objects, unless it is not known."""
    said = ctx.freeze(others.get("subplot_kw", NONE))
    if said == NONE:
        return NONE
    return said.get("projection") or NONE if isinstance(said, Dict) and said.rest is None else ctx.lost("a projection")


def _grid(ctx: Context, nrows: Value, ncols: Value, squeeze: Value, projection: Value) -> Value:
    sizes = as_size(nrows), as_size(ncols)
    known = [size for size in sizes if isinstance(size, int)]
    if squeeze == FALSE and sizes[0] is not None and sizes[1] is not None:
        return _plots(ctx, (sizes[0], sizes[1]), projection)
    if squeeze != TRUE or len(known) < 2:
        return ctx.lost("a grid of plots")
    left = tuple(size for size in known if size != 1)
    return _plots(ctx, left, projection) if left else _plot(ctx, projection)


def _plots(ctx: Context, sizes: tuple[Size, ...], projection: Value) -> Value:
    """Return an array of axes objects; a small one contains separate objects."""
    counts = tuple(size for size in sizes if isinstance(size, int))
    is_small = len(counts) == len(sizes) and prod(counts) <= GRID_LIMIT
    content = _rows(ctx, counts, projection) if is_small else None
    return Tensor(Shape(sizes), "object", "np", content=content)


def _rows(ctx: Context, counts: tuple[int, ...], projection: Value) -> Value:
    if not counts:
        return _plot(ctx, projection)
    return Seq("list", tuple(_rows(ctx, counts[1:], projection) for _ in range(counts[0])))
