"""Windows that move along the rows of a column of pandas."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Ref, Value, as_size
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.pandas.frames import FRAME, SERIES, kept, with_gaps

WINDOWS = "pandas.Windows"
base(WINDOWS, "object")


@behaviour(f"{FRAME}.{{rolling,ewm,expanding}}")
def of_tables(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("windows of several columns")


@behaviour(f"{SERIES}.rolling")
def rolling(ctx: Context, self: Value, window: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """The first windows are not full, unless fewer rows are enough."""
    size = as_size(window)
    if args or "step" in keywords:
        return ctx.lost("some of the windows")
    missing = size - 1 if isinstance(size, int) and size > 1 and "min_periods" not in keywords else 0
    return ctx.new(WINDOWS, _column=self, _missing=Const(missing))


@behaviour(f"{SERIES}.{{ewm,expanding}}")
def widening(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.new(WINDOWS, _column=self, _missing=Const(0))


@behaviour(f"{WINDOWS}.{{mean,sum,std,var,median,min,max,apply,quantile,skew,kurt,sem}}")
def figures(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    """Return a figure for each window: one for each row."""
    column = ctx.get(self, "_column") if isinstance(self, Ref) else None
    missing = as_size(ctx.get(self, "_missing") or NONE)
    made = ctx.lost("figures of windows") if column is None else kept(ctx, column)
    return with_gaps(ctx, made, missing if isinstance(missing, int) else 0)
