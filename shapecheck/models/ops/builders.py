"""Objects of NumPy whose subscripts build arrays: `np.r_[0, x, 1:5]`, `np.c_[x, y]`, `np.mgrid[:3, :4]`."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite

from shapecheck.domain.values import NONE, Const, Seq, SliceValue, Tensor, Value, as_size
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.ops.join import run_model
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, ceildiv, maximum


@behaviour("np.{s_,index_exp}[]")
def index(ctx: Context, *items: Value) -> Value:
    return items[0] if len(items) == 1 else Seq("tuple", items)


@behaviour("np.r_[]")
def rows(ctx: Context, *items: Value) -> Value:
    """Join arrays along the first axis; numbers are arrays of one item."""
    parts = [part.with_shape(Shape((1,))) if part.shape == Shape(()) else part for part in _parts(ctx, items)]
    return run_model("np.concatenate", ctx, Seq("list", tuple(parts)), Const(0)) if parts else ctx.lost("rows by text")


@behaviour("np.c_[]")
def columns(ctx: Context, *items: Value) -> Value:
    """Join arrays along the last axis; an array of one axis is a column."""
    parts = [_column(part) for part in _parts(ctx, items)]
    if not parts or any(part.shape.tail is not None for part in parts):
        return ctx.lost("columns of unknown rank")
    return run_model("np.concatenate", ctx, Seq("list", tuple(parts)), Const(-1))


@behaviour("np.mgrid[]")
def mesh(ctx: Context, *items: Value) -> Value:
    """Return one grid of numbers for each of several ranges, or a single range itself."""
    sizes = tuple(_length(ctx, item) for item in items if isinstance(item, SliceValue))
    if len(sizes) < len(items) or not sizes:
        return ctx.lost("grid of unknown ranges")
    return Tensor(Shape(sizes if len(sizes) == 1 else (len(sizes), *sizes)), _dtype(items), "np")


@behaviour("np.ogrid[]")
def open_mesh(ctx: Context, *items: Value) -> Value:
    """Return the numbers of each of several ranges along its own axis, with size 1 along the others."""
    sizes = tuple(_length(ctx, item) for item in items if isinstance(item, SliceValue))
    if len(sizes) < len(items) or not sizes:
        return ctx.lost("grid of unknown ranges")
    ones = (1,) * len(sizes)
    grids = [Tensor(Shape((*ones[:at], size, *ones[at + 1 :])), None, "np") for at, size in enumerate(sizes)]
    return grids[0] if len(grids) == 1 else Seq("tuple", tuple(grids))


def _parts(ctx: Context, items: Sequence[Value]) -> list[Tensor]:
    """Return the arrays that the items describe; none where a text specifies how to join them."""
    if any(isinstance(item, Const) and isinstance(item.value, str) for item in items):
        return []
    return [
        Tensor(Shape((_length(ctx, item),)), None, "np") if isinstance(item, SliceValue) else as_tensor(item, ctx)
        for item in items
    ]


def _column(part: Tensor) -> Tensor:
    if part.shape.tail is not None or len(part.shape.head) > 1:
        return part
    return part.with_shape(Shape((*(part.shape.head or (1,)), 1)))


def _dtype(ranges: Sequence[Value]) -> str | None:
    """Return the dtype of a grid; the numbers of a range of integers are integers."""
    bounds = [bound for part in ranges if isinstance(part, SliceValue) for bound in _bounds(part)]
    if any(isinstance(bound, Const) and isinstance(bound.value, (float, complex)) for bound in bounds):
        return "float64"
    return "int64" if all(as_size(bound) is not None for bound in bounds) else None


def _bounds(part: SliceValue) -> tuple[Value, ...]:
    return tuple(bound for bound in (part.lower, part.upper, part.step) if bound != NONE)


def _length(ctx: Context, part: SliceValue) -> Size:
    """Return the length of a range; an imaginary step is its length."""
    step = part.step.value if isinstance(part.step, Const) else None
    if isinstance(step, complex):
        return int(abs(step))
    given = (Const(0) if part.lower == NONE else part.lower, part.upper, Const(1) if part.step == NONE else part.step)
    numbers = [bound.value for bound in given if isinstance(bound, Const) and isinstance(bound.value, (int, float))]
    if len(numbers) == len(given) and step != 0 and all(map(isfinite, numbers)):
        first, last, between = numbers
        return max(ceil((last - first) / between), 0)
    start, stop = as_size(Const(0) if part.lower == NONE else part.lower), as_size(part.upper)
    apart = 1 if part.step == NONE else step
    if start is None or stop is None or not isinstance(apart, int) or apart < 1:
        return ctx.fresh("?", Kind.LOST, "numbers in a range")
    return maximum(ceildiv(stop - start, apart), 0)
