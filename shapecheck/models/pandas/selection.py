"""Parts of data frames of pandas: columns by name, rows and columns by position, and assignments to them."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    Const,
    HomogeneousSeq,
    Ref,
    Seq,
    SliceValue,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
)
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.registry import lookup_operator
from shapecheck.models.lang.split_parts import kept_rows
from shapecheck.models.pandas.categories import forget_levels, inherit_levels
from shapecheck.models.pandas.frames import (
    FRAME,
    SERIES,
    array_of,
    column_of,
    columns,
    frame,
    is_table,
    of_array,
    require_columns,
    rows,
    series,
    size,
)
from shapecheck.models.pandas.names import may_repeat, names_of, texts
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

CELLS = "pandas.core.indexing._AtIndexer"
BY_POSITION, BY_NAME = "pandas.core.indexing._iLocIndexer", "pandas.core.indexing._LocIndexer"


@behaviour(f"{FRAME}.__getitem__")
def select(ctx: Context, self: Value, key: Value) -> Value:
    """A name selects a column, a list of names several, a mask or a slice some rows."""
    if isinstance(key, Const) and isinstance(key.value, str):
        _has_columns(ctx, self, (key.value,))
        return ctx.lost("columns of one name") if may_repeat(ctx, self) else series(ctx, size(ctx, self, 0))
    wanted = texts(key)
    if wanted is not None:
        _has_columns(ctx, self, wanted)
        some = frame(ctx, size(ctx, self, 0), len(wanted), wanted)
        inherit_levels(ctx, some, self)
        return some
    if isinstance(key, SliceValue) or _is_mask(ctx, key):
        return frame(ctx, _chosen_rows(ctx, self, key), size(ctx, self, 1), names_of(ctx, self))
    return _of_list(ctx, self, key) if _is_list(key) else ctx.lost("a selection from a table")


def _is_list(key: Value) -> bool:
    """Return whether a key is a list, or the names of a table."""
    return isinstance(key, Seq | HomogeneousSeq) and key.kind in ("list", "index")


def _of_list(ctx: Context, table: Value, key: Value) -> Value:
    """Return the part of a table that a list selects: columns by their names, or rows if it may be a mask."""
    if isinstance(key, HomogeneousSeq) and key.kind == "index":
        return frame(ctx, size(ctx, table, 0), key.length)
    items = items_of(key) or ()
    if any(as_str(item) is not None for item in items):
        return frame(ctx, size(ctx, table, 0), len(items))
    return frame(ctx, rows(ctx), columns(ctx))


def _chosen_rows(ctx: Context, table: Value, key: Value) -> Size:
    """Return the number of rows that a slice or a mask selects; a mask is there since it does not select all."""
    whole = size(ctx, table, 0)
    if isinstance(key, SliceValue) or isinstance(whole, int):
        return whole if key == SliceValue(NONE, NONE, NONE) else rows(ctx)
    return kept_rows(ctx, whole)


def _has_columns(ctx: Context, self: Value, wanted: Sequence[str]) -> None:
    """State that a table whose columns are known has some of these names."""
    require_columns(ctx, names_of(ctx, self), wanted, array_of(ctx, self) or NONE)


def _is_mask(ctx: Context, key: Value) -> bool:
    """Return whether a key is a mask with an entry for each row."""
    tensor = array_of(ctx, key) if is_table(key) else key
    if not isinstance(tensor, Tensor) or tensor.shape.rank != 1:
        return False
    return tensor.dtype == "bool" or is_table(key)


@behaviour(f"{SERIES}.__getitem__")
def select_row(ctx: Context, self: Value, key: Value) -> Value:
    if isinstance(key, SliceValue) or _is_mask(ctx, key):
        return series(ctx, _chosen_rows(ctx, self, key))
    return ctx.lost("an item of a column")


@behaviour(f"{FRAME}.__setitem__")
def assign(ctx: Context, self: Value, key: Value, value: Value) -> Value:
    """A new name adds a column."""
    known, name = names_of(ctx, self), as_str(key)
    if not isinstance(self, Ref):
        return NONE
    forget_levels(ctx, self)
    if name is not None:
        _has_rows(ctx, self, value)
    new = (*(known or ()), name) if name is not None and name not in (known or ()) else known
    if known is None or name is None or new is None:
        ctx.set(self, "_names", NONE)
        ctx.set(self, "_array", Tensor(Shape((size(ctx, self, 0), columns(ctx))), None, "np"))
        return NONE
    ctx.set(self, "_names", Seq("tuple", tuple(map(Const, new))))
    ctx.set(self, "_array", Tensor(Shape((size(ctx, self, 0), len(new))), None, "np"))
    return NONE


@behaviour(f"{FRAME}.assign")
def with_columns(ctx: Context, self: Ref, **values: Value) -> Value:
    """Return a table with more columns, or others of the same names."""
    for value in values.values():
        _has_rows(ctx, self, value)
    known = names_of(ctx, self)
    new = None if known is None else tuple(dict.fromkeys((*known, *values)))
    height = rows(ctx) if known == () else size(ctx, self, 0)
    return frame(ctx, height, columns(ctx) if new is None else len(new), new)


def _has_rows(ctx: Context, self: Ref, value: Value) -> None:
    """State that a new column has a value for each row; a data frame without columns gets its rows from it."""
    table, column = array_of(ctx, self), column_of(ctx, value)
    if table is None or column is None or table.shape.rank != 2 or names_of(ctx, self) == ():
        return
    height, given = table.shape.sizes[0], column.shape.sizes[0]
    claim = AnyOf((Equal(height, given), Equal(height, 0)))
    ctx.require(ClashKind.AXIS, claim, f"the table has {height} rows, the column {given}", column)


# By position and by name -------------------------------------------------------------------------------------------


@attribute(f"{FRAME}.iloc", f"{SERIES}.iloc")
def positions(ctx: Context, self: Value) -> Value:
    return ctx.new(BY_POSITION, _table=self)


@behaviour(f"{BY_POSITION}.__getitem__")
def by_position(ctx: Context, self: Value, key: Value) -> Value:
    table = ctx.get(self, "_table") or NONE
    tensor, model = array_of(ctx, table), lookup_operator("np", "[]")
    if tensor is None or model is None or not _is_positional(key):
        return ctx.lost("a part of a table")
    part = model.run(ctx, [tensor, key], {})
    return of_array(ctx, part) if isinstance(part, Tensor) else ctx.lost("a part of a table")


def _is_positional(key: Value) -> bool:
    """Return whether a key is positional: slices and numbers, and one list; several lists select rows and columns
    independently, unlike those of an array.
    """
    parts = items_of(key) if isinstance(key, Seq) and key.kind == "tuple" else (key,)
    lists = [part for part in parts or () if not isinstance(part, SliceValue) and as_size(part) is None]
    return all(isinstance(part, Seq) and part.kind == "list" for part in lists) and len(lists) <= 1


@attribute(f"{FRAME}.loc", f"{SERIES}.loc")
def labels(ctx: Context, self: Value) -> Value:
    return ctx.new(BY_NAME, _table=self)


@behaviour(f"{BY_NAME}.__getitem__")
def by_name(ctx: Context, self: Value, key: Value) -> Value:
    """Rows are selected by a mask or a slice, and columns by their names."""
    table = ctx.get(self, "_table") or NONE
    whole = items_of(key) if isinstance(key, Seq) and key.kind == "tuple" else (key, SliceValue(NONE, NONE, NONE))
    if whole is None or len(whole) != 2 or not isinstance(table, Ref) or table.cls != FRAME:
        return ctx.lost("a part of a table")
    some, which = whole
    if not (isinstance(some, SliceValue) or _is_mask(ctx, some)):
        return ctx.lost("a part of a table")
    height = _chosen_rows(ctx, table, some)
    wanted = texts(which)
    if isinstance(which, SliceValue):
        all_of_them = which == SliceValue(NONE, NONE, NONE)
        return frame(ctx, height, size(ctx, table, 1) if all_of_them else columns(ctx))
    if wanted is not None:
        return frame(ctx, height, len(wanted), wanted)
    if _is_list(which):
        return frame(ctx, height, columns(ctx))
    return series(ctx, height) if as_str(which) is not None else ctx.lost("a part of a table")


@behaviour(f"{BY_POSITION}.__setitem__", f"{BY_NAME}.__setitem__")
def assign_part(ctx: Context, self: Value, key: Value, value: Value) -> Value:
    """Existing cells change; a new name adds a column."""
    table = ctx.get(self, "_table") or NONE
    parts = items_of(key) if isinstance(key, Seq) and key.kind == "tuple" else ()
    name = as_str(parts[1]) if parts and len(parts) == 2 else None
    if isinstance(table, Ref) and table.cls == FRAME:
        forget_levels(ctx, table)
        if isinstance(self, Ref) and self.cls == BY_NAME and _may_add_row(ctx, parts[0] if parts else key):
            ctx.set(table, "_array", Tensor(Shape((rows(ctx), size(ctx, table, 1))), None, "np"))
        if name is not None:
            assign(ctx, table, Const(name), NONE)
    return NONE


def _may_add_row(ctx: Context, key: Value) -> bool:
    """Return whether a label may be that of a new row."""
    return not isinstance(key, SliceValue) and not _is_mask(ctx, key)


# Other ways to change the columns -----------------------------------------------------------------------------------


@behaviour(f"{FRAME}.insert")
def insert(ctx: Context, self: Value, loc: Value, column: Value, value: Value = NONE, *args: Value) -> Value:
    """Add a column before others."""
    known, name, at = names_of(ctx, self), as_str(column), as_size(loc)
    assign(ctx, self, column, value)
    if known is not None and name is not None and isinstance(at, int) and isinstance(self, Ref):
        ctx.set(self, "_names", Seq("tuple", tuple(map(Const, (*known[:at], name, *known[at:])))))
    return NONE


@attribute(f"{FRAME}.at", f"{FRAME}.iat")
def cells(ctx: Context, self: Value) -> Value:
    return ctx.new(CELLS, _table=self)


@behaviour(f"{CELLS}.__getitem__")
def cell(ctx: Context, self: Value, key: Value) -> Value:
    return ctx.lost("an element of a table")


@behaviour(f"{CELLS}.__setitem__")
def assign_cell(ctx: Context, self: Value, key: Value, value: Value) -> Value:
    """An element in a new row or column adds it."""
    return forget(ctx, ctx.get(self, "_table") or NONE)


@behaviour(f"{FRAME}.eval")
def evaluate(ctx: Context, self: Value, expr: Value = NONE, inplace: Value = NONE, **keywords: Value) -> Value:
    """An assignment in a text adds a column."""
    if inplace not in (NONE, FALSE):
        return forget(ctx, self)
    return ctx.lost("what a text computes")


def forget(ctx: Context, table: Value) -> Value:
    """Forget rows and columns of a table that is changed."""
    if isinstance(table, Ref):
        forget_levels(ctx, table)
        ctx.set(table, "_names", NONE)
        ctx.set(table, "_array", Tensor(Shape((rows(ctx), columns(ctx))), None, "np"))
    return NONE
