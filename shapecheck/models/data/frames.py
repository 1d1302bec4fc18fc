"""Tables of pandas: how many rows and columns they have, as far as that can be told."""

from __future__ import annotations

from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.op import lookup_operator
from shapecheck.models.lang.read import as_tensor
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size
from shapecheck.values import NONE, Const, Many, Ref, Seq, SliceValue, Tensor, Value, as_size, as_str, items_of, of_size

FRAME, SERIES = "pandas.DataFrame", "pandas.Series"


def rows(ctx: Context, why: str = "the rows of a table") -> Size:
    return ctx.fresh("rows", Kind.FREE, why)


def columns(ctx: Context, why: str = "the columns of a table") -> Size:
    return ctx.fresh("columns", Kind.FREE, why, 1)


def frame(ctx: Context, height: Size, width: Size) -> Ref:
    """A table.  `_array` is what becomes of it where an array is wanted."""
    return ctx.new(FRAME, _array=Tensor(Shape((height, width)), None, "np"))


def series(ctx: Context, height: Size) -> Ref:
    return ctx.new(SERIES, _array=Tensor(Shape((height,)), None, "np"))


def array_of(ctx: Context, value: Value) -> Tensor | None:
    """The array of a table or column, or any array."""
    if isinstance(value, Ref):
        found = ctx.get(value, "_array")
        return found if isinstance(found, Tensor) else None
    tensor = as_tensor(value, ctx)
    return None if tensor.shape == UNRANKED else tensor


def of_array(ctx: Context, tensor: Tensor) -> Value:
    """The table or column with that array."""
    rank = tensor.shape.rank
    if rank == 2:
        return frame(ctx, *tensor.shape.sizes)
    return series(ctx, *tensor.shape.sizes) if rank == 1 else ctx.lost("a part of a table")


def size(ctx: Context, table: Value, axis: int) -> Size:
    """A size of a table."""
    tensor = array_of(ctx, table)
    found = tensor.shape.size(axis) if tensor is not None else None
    if found is not None:
        return found
    return columns(ctx) if axis else rows(ctx)


@behaviour("pandas.read_{csv,table,excel,json,pickle,hdf,parquet,sql,fwf,feather}")
def read(ctx: Context, *args: Value, usecols: Value = NONE, nrows: Value = NONE, **keywords: Value) -> Value:
    wanted = items_of(ctx.freeze(usecols))
    width = len(wanted) if wanted else columns(ctx, "the columns of a file")
    return frame(ctx, rows(ctx, "the rows of a file"), width)


@behaviour(FRAME)
def make(ctx: Context, data: Value = NONE, *args: Value, **keywords: Value) -> Value:
    tensor = array_of(ctx, data)
    if tensor is not None and tensor.shape.rank == 2:
        return frame(ctx, *tensor.shape.sizes)
    return frame(ctx, rows(ctx), columns(ctx))


@behaviour(SERIES)
def make_series(ctx: Context, data: Value = NONE, *args: Value, **keywords: Value) -> Value:
    tensor = array_of(ctx, data)
    return series(ctx, tensor.shape.sizes[0] if tensor is not None and tensor.shape.rank == 1 else rows(ctx))


@behaviour("pandas.{concat,merge,pivot_table,crosstab}", f"{FRAME}.{{merge,join,append,pivot,groupby}}")
def combined(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a table made of others")


@behaviour("pandas.get_dummies")
def dummies(ctx: Context, data: Value, *args: Value, **keywords: Value) -> Value:
    return frame(ctx, size(ctx, data, 0), columns(ctx, "the categories of a column"))


@behaviour("pandas.{to_numeric,to_datetime}")
def converted(ctx: Context, arg: Value, *args: Value, **keywords: Value) -> Value:
    return arg


# Attributes and methods ---------------------------------------------------------------------------------------------


@attribute(f"{FRAME}.values", f"{SERIES}.values")
def values(ctx: Context, self: Value) -> Value:
    return array_of(ctx, self) or Tensor(UNRANKED, None, "np")


@behaviour("pandas.{DataFrame,Series}.{to_numpy,as_matrix,__array__}")
def to_numpy(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return array_of(ctx, self) or Tensor(UNRANKED, None, "np")


@attribute(f"{FRAME}.shape", f"{SERIES}.shape")
def shape(ctx: Context, self: Value) -> Value:
    tensor = array_of(ctx, self)
    return Seq("tuple", tuple(of_size(each) for each in tensor.shape.known)) if tensor else ctx.lost("a shape")


@behaviour("pandas.{DataFrame,Series}.__len__")
def length(ctx: Context, self: Value) -> Value:
    return of_size(size(ctx, self, 0))


@attribute(f"{FRAME}.columns")
def names(ctx: Context, self: Value) -> Value:
    return Many("list", ctx.lost("the name of a column"), size(ctx, self, 1))


@attribute(f"{FRAME}.T")
def transposed(ctx: Context, self: Value) -> Value:
    return frame(ctx, size(ctx, self, 1), size(ctx, self, 0))


KEPT = "{abs,astype,clip,copy,fillna,infer_objects,interpolate,isna,isnull,replace,round,sort_index,sort_values}"
FEWER = "{drop_duplicates,dropna,query,sample,select_dtypes}"


@behaviour("pandas.{DataFrame,Series}." + KEPT, "pandas.Series.{apply,map}")
def kept(ctx: Context, self: Value, *args: Value, inplace: Value = NONE, **keywords: Value) -> Value:
    tensor = array_of(ctx, self)
    return ctx.lost("a changed table") if tensor is None else of_array(ctx, tensor)


@behaviour("pandas.{DataFrame,Series}." + FEWER, "pandas.{DataFrame,Series}.{head,tail,drop,reset_index,set_index}")
def fewer(ctx: Context, self: Value, *args: Value, inplace: Value = NONE, **keywords: Value) -> Value:
    """Some rows or columns are left: which, depends on the data."""
    tensor = array_of(ctx, self)
    if inplace != NONE:
        return ctx.lost("a table changed in place")
    if tensor is None or tensor.shape.rank != 2:
        return series(ctx, rows(ctx)) if tensor is not None else ctx.lost("a part of a table")
    return frame(ctx, rows(ctx), columns(ctx))


@behaviour(f"{FRAME}.pop")
def pop(ctx: Context, self: Value, item: Value) -> Value:
    column = series(ctx, size(ctx, self, 0))
    if isinstance(self, Ref):
        ctx.set(self, "_array", Tensor(Shape((size(ctx, self, 0), columns(ctx))), None, "np"))
    return column


# Selection ----------------------------------------------------------------------------------------------------------


@behaviour(f"{FRAME}.__getitem__")
def select(ctx: Context, self: Value, key: Value) -> Value:
    """A name gives a column, a list of names a table; what selects rows is not followed."""
    match key:
        case Const(value=str()):
            return series(ctx, size(ctx, self, 0))
        case Seq(items=items) if items and all(as_str(item) is not None for item in items):
            return frame(ctx, size(ctx, self, 0), len(items))
        case SliceValue():
            return frame(ctx, rows(ctx), size(ctx, self, 1))
    return ctx.lost("a selection from a table")


@behaviour(f"{SERIES}.__getitem__")
def select_row(ctx: Context, self: Value, key: Value) -> Value:
    return series(ctx, rows(ctx)) if isinstance(key, SliceValue) else ctx.lost("an item of a column")


@attribute(f"{FRAME}.iloc", f"{SERIES}.iloc")
def positions(ctx: Context, self: Value) -> Value:
    return ctx.new("pandas.core.indexing._iLocIndexer", _table=self)


@behaviour("pandas.core.indexing._iLocIndexer.__getitem__")
def by_position(ctx: Context, self: Value, key: Value) -> Value:
    table = ctx.get(self, "_table") or NONE
    tensor, model = array_of(ctx, table), lookup_operator("np", "[]")
    if tensor is None or model is None or not _is_positional(key):
        return ctx.lost("a part of a table")
    part = model.run(ctx, [tensor, key], {})
    return of_array(ctx, part) if isinstance(part, Tensor) else ctx.lost("a part of a table")


def _is_positional(key: Value) -> bool:
    """Only slices and numbers: lists select rows and columns apart, unlike those of an array."""
    parts = items_of(key) if isinstance(key, Seq) and key.kind == "tuple" else (key,)
    return all(isinstance(part, SliceValue) or as_size(part) is not None for part in parts or ())
