"""Groups of the rows of a table: pandas makes one row of each group, or gives each row what its group has."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Ref, Value, as_str
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.split_parts import GROUPS as ROWS
from shapecheck.models.lang.split_parts import distinct_rows
from shapecheck.models.pandas.frames import FRAME, SERIES, array_of, columns, frame, kept, series
from shapecheck.models.pandas.names import texts
from shapecheck.shapes.size import Size

GROUPS = "pandas.Groups"
base(GROUPS, "object")
_FIGURES = "mean,sum,max,min,std,var,median,count,nunique,first,last,prod,sem"
_OPTIONS = {"by", "observed", "sort", "group_keys", "dropna"}  # which leave the key out of the columns


@behaviour(f"{FRAME}.groupby")
def groups(ctx: Context, self: Value, by: Value = NONE, *args: Value, **options: Value) -> Value:
    """Return the groups by the values of one column."""
    is_column = as_str(by) is not None or (isinstance(by, Ref) and by.cls == SERIES)
    if args or not is_column or not options.keys() <= _OPTIONS or array_of(ctx, self) is None:
        return ctx.lost("groups of rows")
    return ctx.new(GROUPS, _whole=self)


@behaviour(f"{GROUPS}.__getitem__")
def chosen(ctx: Context, self: Value, key: Value) -> Value:
    """A name chooses a column, a list of names several."""
    names, whole = texts(key), _rows(ctx, self)
    if whole is None or (as_str(key) is None and names is None):
        return ctx.lost("groups of rows")
    part = series(ctx, whole) if names is None else frame(ctx, whole, len(names), names)
    return ctx.new(GROUPS, _whole=ctx.get(self, "_whole") or NONE, _part=part)


@behaviour(f"{GROUPS}.{{{_FIGURES}}}")
def figures(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """Return a row for each group; of all columns, the numeric ones."""
    whole, part = _rows(ctx, self), ctx.get(self, "_part") or NONE
    if whole is None:
        return ctx.lost("figures of groups")
    tensor, count = array_of(ctx, part), _count(ctx, whole)
    if part == NONE or tensor is None:
        return frame(ctx, count, columns(ctx))
    return series(ctx, count) if tensor.shape.rank == 1 else frame(ctx, count, tensor.shape.sizes[1])


@behaviour(f"{GROUPS}.size")
def lengths(ctx: Context, self: Value) -> Value:
    whole = _rows(ctx, self)
    return ctx.lost("lengths of groups") if whole is None else series(ctx, _count(ctx, whole))


@behaviour(f"{GROUPS}.{{transform,cumsum,cumprod,cummax,cummin,rank,shift,diff}}")
def for_each_row(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    part = ctx.get(self, "_part") or NONE
    return ctx.lost("a table for each row") if part == NONE else kept(ctx, part)


def _rows(ctx: Context, self: Value) -> Size | None:
    tensor = array_of(ctx, ctx.get(self, "_whole") or NONE)
    return None if tensor is None else tensor.shape.size(0)


def _count(ctx: Context, whole: Size) -> Size:
    return distinct_rows(ctx, whole, "groups", ROWS)
