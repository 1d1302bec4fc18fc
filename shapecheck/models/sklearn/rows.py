"""Rows and columns of the tables that scikit-learn is given."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Tensor, Value, of_size
from shapecheck.models.lang import Context
from shapecheck.models.lang.row_order import meet_in_order
from shapecheck.models.lang.split_parts import are_mixed
from shapecheck.models.pandas.frames import array_of
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.size import Size, is_lost


def rows_of(ctx: Context, data: Value) -> Size | None:
    tensor = array_of(ctx, data)
    return None if tensor is None else tensor.shape.size(0)


def columns_of(data: Tensor | None) -> Size | None:
    """Return the number of columns of a table, if it is followed."""
    columns = data.shape.size(1) if data is not None and data.shape.rank == 2 else None
    return None if columns is None or is_lost(columns) else columns


def keep_columns(ctx: Context, self: Value, data: Tensor | None) -> None:
    """Keep the number of columns of the data that an estimator is fitted to."""
    columns = columns_of(data)
    ctx.set(self, "_columns", NONE if columns is None else of_size(columns))


def meet_rows(ctx: Context, first: Tensor, second: Tensor, names: tuple[str, str]) -> None:
    """State that two arrays have as many rows."""
    a, b = first.shape.size(0), second.shape.size(0)
    if are_mixed(ctx, names, first, second) or a is None or b is None or a == b:
        return
    said = f"{names[0]} has {ctx.resolve(a)} rows, {names[1]} have {ctx.resolve(b)}"
    ctx.require(ClashKind.AXIS, Equal(a, b), said, first, second)


def meet_targets(ctx: Context, data: Value, targets: Value) -> None:
    """State that there is a target for each row; arrays of unknown rows may be parts of a split."""
    first, second = (each if isinstance(each, Tensor) else array_of(ctx, each) for each in (data, targets))
    if targets != NONE and first is not None and second is not None:
        meet_rows(ctx, first, second, ("the data", "the targets"))
        meet_in_order(ctx, ("the data", "the targets"), [first], [second])


def meet_groups(ctx: Context, data: Value, groups: Value) -> None:
    """State that there is a group for each row."""
    first, second = array_of(ctx, data), None if groups == NONE else array_of(ctx, groups)
    if first is not None and second is not None:
        meet_rows(ctx, first, second, ("the data", "the groups"))
