"""Data frames and series of pandas: how many rows and columns they have, as far as that is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Dict,
    HomogeneousSeq,
    Range,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    items_of,
    of_size,
)
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.models.lang.evaluate import shortened
from shapecheck.models.lang.split_parts import complete_rows, kept_rows
from shapecheck.models.pandas.categories import forget_levels, inherit_levels, keep_levels, width_of_dummies
from shapecheck.models.pandas.csv_files import columns_of, text_of
from shapecheck.models.pandas.names import names_of, texts
from shapecheck.shapes.claims import AllOf, AnyOf, Equal
from shapecheck.shapes.dtype import fields_of
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, minimum

FRAME, SERIES = "pandas.DataFrame", "pandas.Series"
BOTH = "pandas.{DataFrame,Series}"
NUMERIC = ("float", "int", "uint")


def rows(ctx: Context, why: str = "the rows of a table", least: int = 1) -> Size:
    return ctx.fresh("rows", Kind.FREE, why, least)


def columns(ctx: Context, why: str = "the columns of a table") -> Size:
    return ctx.fresh("columns", Kind.FREE, why, 1)


def frame(ctx: Context, height: Size, width: Size, names: Sequence[str] | None = None) -> Ref:
    """Return a data frame. `_array` is its conversion to an array; `_names` are its columns, where known."""
    made = ctx.new(FRAME, _array=Tensor(Shape((height, width)), None, "np"))
    if names is not None and len(set(names)) == width:
        ctx.set(made, "_names", Seq("tuple", tuple(map(Const, names))))
    return made


def series(ctx: Context, height: Size) -> Ref:
    return ctx.new(SERIES, _array=Tensor(Shape((height,)), None, "np"))


def is_table(value: Value) -> bool:
    """Return whether a value is a data frame or a series."""
    return isinstance(value, Ref) and value.cls in (FRAME, SERIES)


def array_of(ctx: Context, value: Value) -> Tensor | None:
    """Return the array of a data frame or series, or any array."""
    if isinstance(value, Ref):
        found = ctx.get(value, "_array")
        return found if isinstance(found, Tensor) else None
    tensor = as_tensor(value, ctx)
    return None if tensor.shape == UNRANKED else tensor


def of_array(ctx: Context, tensor: Tensor, names: Sequence[str] | None = None) -> Value:
    """Return the data frame or series with that array."""
    rank = tensor.shape.rank
    if rank == 2:
        return frame(ctx, tensor.shape.sizes[0], tensor.shape.sizes[1], names)
    return series(ctx, *tensor.shape.sizes) if rank == 1 else ctx.lost("a part of a table")


def size(ctx: Context, table: Value, axis: int) -> Size:
    """Return the number of elements of a data frame."""
    tensor = array_of(ctx, table)
    found = tensor.shape.size(axis) if tensor is not None else None
    if found is not None:
        return found
    return columns(ctx) if axis else rows(ctx)


# Making ------------------------------------------------------------------------------------------------------------


@behaviour("pandas.read_csv")
def read_csv(ctx: Context, *args: Value, filepath_or_buffer: Value = NONE, **keywords: Value) -> Value:
    """Return a table with the columns that its file names, if that lies beside the program."""
    path = args[0] if args else filepath_or_buffer
    known = columns_of(ctx, path, keywords) if len(args) < 2 else None
    if known is None:
        _require_chosen(ctx, path, keywords)
        return read(ctx, *args, **keywords)
    text = text_of(ctx, path, keywords) if (dtype_name(keywords.get("dtype", NONE)) or "").startswith(NUMERIC) else None
    if text is not None:
        ctx.require(ClashKind.DTYPE, NEVER, f"column {text[0]!r} has the text {text[1]!r}, which is no number")
    told = ctx.facts_of(path) or {}
    is_whole = told.get("is_named") and "lines" in told and "nrows" not in keywords
    height = told["lines"] - 1 if is_whole else rows(ctx, "the rows of a file")
    return frame(ctx, height, len(known), known)


def _require_chosen(ctx: Context, path: Value, options: Mapping[str, Value]) -> None:
    """State that the table has the columns that are read of it."""
    chosen = texts(ctx.freeze(options.get("usecols", NONE)))
    known = (
        columns_of(ctx, path, {name: value for name, value in options.items() if name != "usecols"}) if chosen else None
    )
    require_columns(ctx, known, chosen or ())


def require_columns(ctx: Context, known: Sequence[str] | None, wanted: Sequence[str], *table: Value) -> None:
    """State that a table has some columns, if all of its own are known."""
    missing = [name for name in wanted if known is not None and name not in known]
    if known and missing:
        said = f"the table has no column {missing[0]!r}, it has {', '.join(map(repr, known))}"
        ctx.require(ClashKind.COLUMN, NEVER, shortened(said), *table)


@behaviour("pandas.read_{parquet,feather}")
def read_columns(ctx: Context, path: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return a table with the columns that its file names, if that lies beside the program."""
    told = (ctx.facts_of(path) or {}).get("columns")
    if told is None or args or keywords.keys() - {"engine"}:
        return read(ctx, path, *args, **keywords)
    return frame(ctx, rows(ctx, "the rows of a file"), len(told), told)


@behaviour("pandas.read_{table,excel,json,hdf,sql,fwf}")
def read(
    ctx: Context, *args: Value, usecols: Value = NONE, names: Value = NONE, nrows: Value = NONE, **keywords: Value
) -> Value:
    """The number of columns is not known, unless the program selects some of them."""
    wanted, said = items_of(ctx.freeze(usecols)), texts(ctx.freeze(names))
    indexed = keywords.get("index_col", NONE) not in (NONE, FALSE)
    if {"chunksize", "iterator", "squeeze", "sheet_name"} & keywords.keys():
        return ctx.lost("a table in parts")
    width: Size = columns(ctx, "the columns of a file")
    known = texts(ctx.freeze(usecols))
    if wanted:
        width = len(wanted)
    elif said is not None:
        width, known = len(said), said
    if indexed:
        width, known = (width - 1 if isinstance(width, int) else columns(ctx)), None
    return frame(ctx, rows(ctx, "the rows of a file"), width, known)


@behaviour(FRAME)
def make(ctx: Context, data: Value = NONE, index: Value = NONE, columns_: Value = NONE, **keywords: Value) -> Value:
    named = texts(ctx.freeze(keywords.get("columns", columns_)))
    given = ctx.freeze(data)
    if isinstance(given, Dict):
        return _of_columns(ctx, given, named)
    tensor = array_of(ctx, data)
    require_rank(ctx, given, 2, "a data frame")
    if tensor is not None and tensor.shape.rank in (1, 2) and not is_table(data):
        sizes = (*tensor.shape.sizes, 1)
        require_labels(ctx, tensor, index)
        if named is not None and not fields_of(tensor.dtype):
            claim = AnyOf((Equal(sizes[1], len(named)), Equal(sizes[0], 0)))
            ctx.require(ClashKind.AXIS, claim, f"the data has {sizes[1]} columns, there are {len(named)} names", tensor)
        return frame(ctx, sizes[0], sizes[1], named)
    if tensor is not None and tensor.shape.rank == 2 and named is None:
        return of_array(ctx, tensor, names_of(ctx, data))
    return frame(ctx, rows(ctx, least=0), columns(ctx) if named is None else len(named), named)


def _of_columns(ctx: Context, given: Dict, named: tuple[str, ...] | None) -> Value:
    keys = texts(Seq("tuple", tuple(key for key, _ in given.items)))
    if named is not None or given.rest is not None or not keys:
        return frame(ctx, rows(ctx, least=0), columns(ctx) if named is None else len(named), named)
    for _, value in given.items:
        require_rank(ctx, ctx.freeze(value), 1, "a column")
    _are_as_long(ctx, [value for _, value in given.items])
    first = array_of(ctx, given.items[0][1])
    height = first.shape.size(0) if first is not None and first.shape.rank else None
    made = frame(ctx, rows(ctx) if height is None else height, len(keys), keys)
    keep_levels(ctx, made, given)
    return made


def _are_as_long(ctx: Context, data: Sequence[Value]) -> None:
    """State that columns of arrays and lists are equally long; series are aligned by their index instead."""
    known = [column for value in data if (column := column_of(ctx, value)) is not None]
    for column in known[1:]:
        first, other = known[0].shape.sizes[0], column.shape.sizes[0]
        ctx.require(ClashKind.AXIS, Equal(first, other), f"the columns have {first} and {other} rows", known[0], column)


def column_of(ctx: Context, value: Value) -> Tensor | None:
    """Return the array of numbers given for the rows; None for one number, and for what is aligned by an index."""
    given = ctx.freeze(value)
    if not isinstance(given, Tensor | Seq | HomogeneousSeq | Range):
        return None
    tensor = as_tensor(given, ctx)
    return tensor if tensor.shape.is_ranked and tensor.shape.rank else None


@behaviour(SERIES)
def make_series(ctx: Context, data: Value = NONE, index: Value = NONE, *args: Value, **keywords: Value) -> Value:
    tensor = array_of(ctx, data)
    require_rank(ctx, ctx.freeze(data), 1, "a series")
    is_aligned = is_table(data) or isinstance(ctx.freeze(data), Dict)
    if tensor is not None and tensor.shape.rank == 1 and not (is_aligned and index != NONE):
        require_labels(ctx, tensor, index)
        return series(ctx, tensor.shape.sizes[0])
    labels = column_of(ctx, index)
    return series(ctx, rows(ctx) if labels is None else labels.shape.sizes[0])


def require_rank(ctx: Context, data: Value, most: int, what: str) -> None:
    """State that an array has no more axes than what is made of it; a list of lists may hold any objects."""
    if isinstance(data, Tensor) and data.library == "np" and (data.shape.rank or 0) > most:
        axes = "1 axis" if most == 1 else f"{most} axes"
        ctx.require(ClashKind.RANK, NEVER, f"the data has shape {data.shape}, {what} has {axes}", data)


def require_labels(ctx: Context, data: Tensor, index: Value) -> None:
    """State that there is a label for each row."""
    labels = column_of(ctx, index)
    if labels is not None and labels.shape.rank == 1:
        have, wanted = data.shape.sizes[0], labels.shape.sizes[0]
        ctx.require(ClashKind.AXIS, Equal(have, wanted), f"the data has {have} rows, there are {wanted} labels", data)


@behaviour("pandas.concat")
def concat(ctx: Context, objs: Value, axis: Value = Const(0), *args: Value, **keywords: Value) -> Value:
    """Side by side, the columns are added; otherwise the rows are, and the columns are those of any."""
    parts = ctx.elements(objs) or ()
    arrays = [part for part in parts if isinstance(part, Tensor) and part.library == "np" and part.shape.rank]
    if arrays:
        ctx.require(ClashKind.RANK, NEVER, "an array among the tables is neither a data frame nor a series", *arrays)
    known = _shapes_of(ctx, parts)
    if not known or args or keywords.keys() & {"join", "keys"}:
        return ctx.lost("a table made of others")
    if as_size(axis) == 1 or as_str(axis) == "columns":
        return _side_by_side(ctx, parts, known)
    if axis != Const(0) or len({shape.rank for shape in known}) > 1:
        return ctx.lost("a table made of others")
    total = _total(shape.sizes[0] for shape in known)
    if known[0].rank == 1:
        return series(ctx, total)
    every = {names_of(ctx, part) for part in parts}
    names = every.pop() if len(every) == 1 else None
    return frame(ctx, total, columns(ctx) if names is None else len(names), names)


def _shapes_of(ctx: Context, parts: Sequence[Value]) -> list[Shape]:
    """Return the shapes of tables and series; none where one of them is not known."""
    tensors = [array_of(ctx, part) for part in parts]
    known = [tensor.shape for tensor in tensors if tensor is not None and tensor.shape.rank in (1, 2)]
    return known if len(known) == len(tensors) else []


def _side_by_side(ctx: Context, parts: Sequence[Value], shapes: Sequence[Shape]) -> Value:
    """Return a table with the columns of several; each series is one more."""
    heights = {shape.sizes[0] for shape in shapes}
    width = _total(shape.sizes[1] if shape.rank == 2 else 1 for shape in shapes)
    joined = frame(ctx, heights.pop() if len(heights) == 1 else rows(ctx), width)
    each = [names_of(ctx, part) for part in parts if names_of(ctx, part) != ()]
    names = [name for some in each if some for name in some]
    if len(each) > 1 and (None in each or len(set(names)) < len(names)):
        ctx.set(joined, "_is_joined", TRUE)
    return joined


def _total(sizes: Iterable[Size]) -> Size:
    total: Size = 0
    for size in sizes:
        total = total + size
    return total


@behaviour("pandas.{merge,pivot_table,crosstab}", f"{FRAME}.{{merge,join,append,pivot}}")
def combined(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a table made of others")


@behaviour("pandas.get_dummies")
def dummies(ctx: Context, data: Value, *args: Value, **keywords: Value) -> Value:
    known = None if args else width_of_dummies(ctx, data, keywords)
    return frame(ctx, size(ctx, data, 0), columns(ctx, "the categories of a column") if known is None else known)


@behaviour("pandas.{to_numeric,to_datetime}")
def converted(ctx: Context, arg: Value, *args: Value, **keywords: Value) -> Value:
    return arg


# Attributes --------------------------------------------------------------------------------------------------------


@attribute(f"{FRAME}.values", f"{SERIES}.values")
def values(ctx: Context, self: Value) -> Value:
    return array_of(ctx, self) or Tensor(UNRANKED, None, "np")


@behaviour(f"{BOTH}.{{to_numpy,as_matrix,__array__}}")
def to_numpy(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return array_of(ctx, self) or Tensor(UNRANKED, None, "np")


@behaviour(f"{BOTH}.__array_wrap__")
def wrap(ctx: Context, self: Value, array: Value, *args: Value, **keywords: Value) -> Value:
    """Return the result of an elementwise function on the array of this data frame."""
    tensor, mine = array_of(ctx, array), array_of(ctx, self)
    if tensor is None or mine is None or tensor.shape.rank != mine.shape.rank:
        return ctx.lost("a table made of others")
    return of_array(ctx, tensor, names_of(ctx, self))


@attribute(f"{FRAME}.shape", f"{SERIES}.shape")
def shape(ctx: Context, self: Value) -> Value:
    tensor = array_of(ctx, self)
    return Seq("tuple", tuple(of_size(each) for each in tensor.shape.known)) if tensor else ctx.lost("a shape")


@behaviour(f"{BOTH}.__len__")
def length(ctx: Context, self: Value) -> Value:
    return of_size(size(ctx, self, 0))


@attribute(f"{FRAME}.columns")
@behaviour(f"{FRAME}.{{keys,__items__}}")
def names(ctx: Context, self: Value) -> Value:
    """Return the names of the columns, through which an iteration goes."""
    known = names_of(ctx, self)
    if known is not None:
        return Seq("index", tuple(map(Const, known)))
    return HomogeneousSeq("index", ctx.lost("the name of a column"), size(ctx, self, 1))


@behaviour(f"{FRAME}.__set_columns__")
def rename(ctx: Context, self: Ref, columns: Value) -> Value:
    """Give the columns other names, as an assignment to `columns` does."""
    given, width = items_of(ctx.freeze(columns)), size(ctx, self, 1)
    levels = [items_of(item) if isinstance(item, Seq) and item.kind == "list" else None for item in given or ()]
    known = levels[0] if levels and None not in levels else given  # a list for each level of the names
    if known is not None:
        ctx.require(
            ClashKind.AXIS, Equal(width, len(known)), f"the table has {width} columns, there are {len(known)} names"
        )
    ctx.set(self, "_names", NONE if known is None or known is not given else Seq("list", tuple(known)))
    return NONE


@attribute(f"{FRAME}.T")
def transposed(ctx: Context, self: Value) -> Value:
    return frame(ctx, size(ctx, self, 1), size(ctx, self, 0))


@attribute(f"{SERIES}.cat")
def categorical(ctx: Context, self: Value) -> Value:
    return ctx.new("pandas.Categorical", codes=self)


# Methods -----------------------------------------------------------------------------------------------------------

SIGNS = "add sub mul truediv floordiv mod pow radd rsub rmul rtruediv rfloordiv rmod rpow and or".split()
ORDERS = "eq ne lt le gt ge".split()
KEPT = "abs astype bfill clip copy fillna ffill infer_objects interpolate isna isnull notna notnull rank replace"
KEPT += " round sort_index sort_values cumsum cumprod"
FEWER = "sample head tail"


def changed(ctx: Context, self: Value, result: Value, inplace: Value) -> Value:
    """Return the result as a new data frame, or as the new contents of this one."""
    if inplace in (NONE, FALSE) or not isinstance(self, Ref):
        return result
    array = array_of(ctx, result)
    if inplace != TRUE or array is None:
        array = Tensor(UNRANKED, None, "np")
    forget_levels(ctx, self)
    ctx.set(self, "_array", array)
    ctx.set(self, "_names", (ctx.get(result, "_names") or NONE) if isinstance(result, Ref) else NONE)
    return NONE


@behaviour(
    f"{BOTH}.{{{','.join(KEPT.split())}}}",
    f"{SERIES}.{{apply,map,isin,between}}",
)
def kept(ctx: Context, self: Value, *args: Value, inplace: Value = NONE, **keywords: Value) -> Value:
    owner = next((arg for arg in args if isinstance(arg, Ref) and arg.cls == FRAME), self)
    tensor = array_of(ctx, owner)
    if tensor is None:
        return ctx.lost("a changed table")
    return changed(ctx, self, of_array(ctx, tensor, names_of(ctx, owner)), inplace)


@behaviour(f"{BOTH}.{{{','.join(f'__{sign}__' for sign in SIGNS + ORDERS)}}}")
def combined_by_operator(ctx: Context, self: Value, other: Value = NONE) -> Value:
    """Return a table of the same shape: arrays must fit it; tables of other sizes are aligned by their labels."""
    mine, its = array_of(ctx, self), array_of(ctx, other)
    if mine is None or its is None or not (mine.shape.is_ranked and its.shape.rank):
        return kept(ctx, self, other)
    if not is_table(other):
        _require_fit(ctx, mine, its)
        return kept(ctx, self, other)
    return ctx.lost("a table aligned with another") if _are_unlike(ctx, mine, its) else kept(ctx, self, other)


def _are_unlike(ctx: Context, mine: Tensor, its: Tensor) -> bool:
    """Return whether the labels of two tables differ; those of a series are compared with the columns."""
    whole, part = (mine.shape, its.shape) if mine.shape.rank == 2 else (its.shape, mine.shape)
    if part.rank != whole.rank:
        return part.sizes[0] == whole.sizes[0] != whole.sizes[1] or _differ(ctx, part.sizes[0], whole.sizes[1])
    return any(_differ(ctx, a, b) for a, b in zip(mine.shape.sizes, its.shape.sizes, strict=True))


def _differ(ctx: Context, a: Size, b: Size) -> bool:
    return ctx.known(Equal(a, b)) is Verdict.NEVER


def _require_fit(ctx: Context, mine: Tensor, its: Tensor) -> None:
    """State that an array has the shape of a table, one of its rows or columns, or one element."""
    have, given = mine.shape.sizes, its.shape.sizes
    pairs = list(zip(have[::-1], given[::-1], strict=False))
    claim = AllOf(tuple(AnyOf((Equal(a, b), Equal(b, 1))) for a, b in pairs)) if len(given) <= len(have) else NEVER
    said = f"the table has shape {mine.shape.map(ctx.resolve)}, the array {its.shape.map(ctx.resolve)}"
    ctx.require(ClashKind.BROADCAST, claim, said, mine, its)


@behaviour(f"{BOTH}.{{diff,shift,pct_change}}")
def moved(ctx: Context, self: Value, periods: Value = Const(1), *args: Value, **keywords: Value) -> Value:
    """Compare each row with an earlier one, which the first rows do not have."""
    count = as_size(periods)
    return with_gaps(ctx, kept(ctx, self), abs(count) if isinstance(count, int) and not args and not keywords else 0)


def with_gaps(ctx: Context, table: Value, count: int) -> Value:
    """Return a table in which at least so many rows have no value."""
    if count and isinstance(table, Ref) and table.cls in (FRAME, SERIES):
        ctx.set(table, "_gaps", Const(count))
    return table


@behaviour(f"{BOTH}.{{{','.join(FEWER.split())}}}")
def fewer(ctx: Context, self: Value, *args: Value, inplace: Value = NONE, **keywords: Value) -> Value:
    """Return some of the rows; their number depends on the data."""
    return _part(ctx, self, rows(ctx), inplace, keywords)


@behaviour(f"{BOTH}.{{drop_duplicates,query}}")
def kept_by_their_values(ctx: Context, self: Value, *args: Value, inplace: Value = NONE, **keywords: Value) -> Value:
    """Return the rows whose values satisfy something: any number of all rows, and most often fewer."""
    whole = _rows_of(ctx, self)
    return _part(ctx, self, rows(ctx) if whole is None else kept_rows(ctx, whole), inplace, keywords)


@behaviour(f"{BOTH}.dropna")
def dropna(ctx: Context, self: Value, *args: Value, inplace: Value = NONE, **keywords: Value) -> Value:
    """Return the rows in which every value is there: most often fewer than all, but for those of such a table."""
    whole = _rows_of(ctx, self)
    is_plain = isinstance(self, Ref) and not args and not keywords
    gaps = as_size(ctx.get(self, "_gaps") or NONE) if is_plain else None
    left = rows(ctx) if whole is None else complete_rows(ctx, whole, gaps or 0)
    return _part(ctx, self, left, inplace, keywords)


def _rows_of(ctx: Context, table: Value) -> Size | None:
    tensor = array_of(ctx, table)
    return tensor.shape.size(0) if tensor is not None else None


def _part(ctx: Context, self: Value, left: Size, inplace: Value, keywords: Mapping[str, Value]) -> Value:
    tensor = array_of(ctx, self)
    if tensor is None or tensor.shape.rank not in (1, 2):
        return changed(ctx, self, ctx.lost("a part of a table"), inplace)
    if keywords.get("axis", Const(0)) not in (Const(0), Const("index")):
        return changed(ctx, self, frame(ctx, tensor.shape.sizes[0], columns(ctx)), inplace)
    if tensor.shape.rank == 1:
        return changed(ctx, self, series(ctx, left), inplace)
    return changed(ctx, self, frame(ctx, left, tensor.shape.sizes[1], names_of(ctx, self)), inplace)


@behaviour(f"{FRAME}.{{select_dtypes,set_index,rename,reindex,explode,melt,stack,unstack}}")
def other_columns(ctx: Context, self: Value, *args: Value, inplace: Value = NONE, **keywords: Value) -> Value:
    return changed(ctx, self, frame(ctx, rows(ctx), columns(ctx)), inplace)


@behaviour(f"{BOTH}.reset_index")
def reset_index(
    ctx: Context, self: Value, level: Value = NONE, drop: Value = FALSE, inplace: Value = NONE, **keywords: Value
) -> Value:
    """The index becomes a column, unless it is dropped."""
    tensor = array_of(ctx, self)
    if drop == TRUE and tensor is not None:
        return changed(ctx, self, of_array(ctx, tensor, names_of(ctx, self)), inplace)
    return changed(ctx, self, frame(ctx, size(ctx, self, 0), columns(ctx)), inplace)


@behaviour(f"{FRAME}.drop")
def drop(
    ctx: Context,
    self: Value,
    labels: Value = NONE,
    axis: Value = Const(0),
    index: Value = NONE,
    columns_: Value = NONE,
    *args: Value,
    inplace: Value = NONE,
    **keywords: Value,
) -> Value:
    """Dropped columns must exist."""
    named = keywords.get("columns", columns_)
    gone = named if named != NONE else labels if axis in (Const(1), Const("columns")) else None
    height, width = size(ctx, self, 0), size(ctx, self, 1)
    if gone is None:
        return changed(ctx, self, frame(ctx, rows(ctx), width, names_of(ctx, self)), inplace)
    single = as_str(gone)
    which = (single,) if single is not None else texts(ctx.freeze(gone))
    if which is None or len(set(which)) < len(which) or "errors" in keywords or index != NONE:
        return changed(ctx, self, frame(ctx, height, columns(ctx)), inplace)
    before = names_of(ctx, self)
    require_columns(ctx, before, which, array_of(ctx, self) or NONE)
    left = None if before is None else [name for name in before if name not in which]
    fewer = frame(ctx, height, width - len(which), left)
    inherit_levels(ctx, fewer, self)
    return changed(ctx, self, fewer, inplace)


@behaviour(f"{BOTH}.{{nlargest,nsmallest}}")
def first_rows(ctx: Context, self: Value, n: Value = Const(5), *args: Value, **keywords: Value) -> Value:
    wanted, height = as_size(n), size(ctx, self, 0)
    tensor = array_of(ctx, self)
    if wanted is None or tensor is None or tensor.shape.rank not in (1, 2):
        return ctx.lost("some rows of a table")
    return of_array(ctx, tensor.with_shape(Shape((minimum(wanted, height), *tensor.shape.sizes[1:]))))


@behaviour(f"{FRAME}.pop")
def pop(ctx: Context, self: Value, item: Value) -> Value:
    changed(ctx, self, drop(ctx, self, item, Const(1)), TRUE)
    return series(ctx, size(ctx, self, 0))
