"""Columns of data frames as attributes, and reductions of columns."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Scalar, Tensor, Value, as_str, of_size
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.split_parts import VALUES, distinct_rows
from shapecheck.models.pandas.frames import BOTH, FRAME, SERIES, columns, series, size
from shapecheck.models.pandas.names import may_repeat, names_of
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

MEMBERS = frozenset(  # names that are never columns, since data frames have methods and attributes of these names
    """T abs add add_prefix add_suffix agg aggregate align all any apply applymap append as_matrix asfreq asof assign
    astype at at_time attrs axes backfill between_time bfill blocks bool boxplot clip columns combine combine_first
    compare convert_dtypes copy corr corrwith count cov cummax cummin cumprod cumsum describe diff div divide dot drop
    drop_duplicates droplevel dropna dtypes duplicated empty eq equals eval ewm expanding explode ffill fillna filter
    first first_valid_index flags floordiv from_dict from_records ftypes ge get get_value get_values groupby gt head
    hist iat idxmax idxmin iloc index infer_objects info insert interpolate isetitem isin isna isnull items iteritems
    iterrows itertuples ix join keys kurt kurtosis last last_valid_index le loc lookup lt mad map mask max mean median
    melt memory_usage merge min mod mode mul multiply ndim ne nlargest notna notnull nsmallest nunique pad pct_change
    pipe pivot pivot_table plot pop pow prod product quantile query radd rank rdiv reindex reindex_axis reindex_like
    rename rename_axis reorder_levels replace resample reset_index rfloordiv rmod rmul rolling round rpow rsub rtruediv
    sample select select_dtypes sem set_axis set_flags set_index set_value shape shift size skew slice_shift sort
    sort_index sort_values sparse squeeze stack std style sub subtract sum swapaxes swaplevel tail take to_clipboard
    to_csv to_dense to_dict to_excel to_feather to_hdf to_html to_json to_latex to_markdown to_numpy to_orc to_parquet
    to_period to_pickle to_records to_sql to_stata to_string to_timestamp to_xarray to_xml transform transpose truediv
    truncate tshift tz_convert tz_localize unstack update value_counts values var where xs""".split()
)


@behaviour(f"{FRAME}.__getattr__")
def column(ctx: Context, self: Value, name: Value) -> Value:
    """Return the column `table["price"]` for `table.price`."""
    text, known = as_str(name), names_of(ctx, self)
    if text is None or text in MEMBERS or may_repeat(ctx, self) or (known is not None and text not in known):
        return ctx.lost("unknown attribute")
    return series(ctx, size(ctx, self, 0))


@behaviour(f"{SERIES}.{{sum,prod,min,max}}")
def figure_of_its_kind(ctx: Context, self: Value, **keywords: Value) -> Value:
    """Return one number for a whole column, an integer for one of integers."""
    return Scalar("number")


@behaviour(f"{SERIES}.{{mean,std,var,median,skew,sem,kurt,quantile}}")
def figure(ctx: Context, self: Value, q: Value = NONE, **keywords: Value) -> Value:
    """Return one number for a whole column; several quantiles are a column."""
    return Scalar("float") if q == NONE or isinstance(q, Const) else ctx.lost("several quantiles")


@behaviour(f"{SERIES}.count")
def count(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return Scalar("int")


@behaviour(f"{SERIES}.nunique")
def nunique(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return of_size(_different(ctx, self))


@behaviour(f"{SERIES}.unique")
def unique(ctx: Context, self: Value) -> Value:
    return Tensor(Shape((_different(ctx, self),)), None, "np")


def _different(ctx: Context, column: Value) -> Size:
    return distinct_rows(ctx, size(ctx, column, 0), "values", VALUES)


@behaviour(f"{FRAME}.{{mean,std,var,median}}")
def figures(ctx: Context, self: Value, axis: Value = Const(0), *args: Value, **keywords: Value) -> Value:
    """Return one number for each column, unless columns of texts are excluded; or for each row."""
    if axis not in (Const(0), Const(1)):
        return ctx.lost("figures of a table")
    return series(ctx, size(ctx, self, 0) if axis == Const(1) else columns(ctx, "the columns of numbers"))


@attribute(f"{BOTH}.size")
def elements(ctx: Context, self: Value) -> Value:
    return Scalar("int")


@attribute(f"{FRAME}.ndim")
def ndim(ctx: Context, self: Value) -> Value:
    return Const(2)


@attribute(f"{SERIES}.ndim")
def ndim_of_column(ctx: Context, self: Value) -> Value:
    return Const(1)
