"""Preprocessing of scikit-learn: splits, scalers, encoders, and its small datasets."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    HomogeneousSeq,
    Ref,
    Seq,
    Tensor,
    Value,
    as_bool,
    as_size,
    as_str,
    items_of,
    of_size,
)
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.sparse_matrices import is_sparse, sparse_matrix
from shapecheck.models.lang.split_parts import are_mixed, is_uneven, part_sizes
from shapecheck.models.pandas.frames import FRAME, SERIES, array_of, of_array
from shapecheck.models.sklearn.rows import keep_columns
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

# Splits -------------------------------------------------------------------------------------------------------------


@behaviour("sklearn.{model_selection,cross_validation}.train_test_split")
def train_test_split(
    ctx: Context, *arrays: Value, test_size: Value = NONE, train_size: Value = NONE, **keywords: Value
) -> Value:
    total = _common_rows(ctx, arrays)
    train, test = split_sizes(ctx, total, test_size, train_size)
    return Seq("list", tuple(_with_rows(ctx, array, size) for array in arrays for size in (train, test)))


def _rows(ctx: Context, value: Value) -> Size | None:
    if isinstance(value, HomogeneousSeq):
        return value.length
    tensor = array_of(ctx, value)
    return None if tensor is None else tensor.shape.size(0)


def _common_rows(ctx: Context, arrays: tuple[Value, ...]) -> Size | None:
    sizes = [size for array in arrays if (size := _rows(ctx, array)) is not None]
    first, *others = [array_of(ctx, array) for array in arrays] or [None]
    names = ("the first array", "another")
    if first is not None and any(each is not None and are_mixed(ctx, names, first, each) for each in others):
        return None
    for size in sizes[1:]:
        if size != sizes[0]:
            said = f"the arrays have {sizes[0]} and {size} rows"
            ctx.require(ClashKind.AXIS, Equal(sizes[0], size), said, *arrays)
    return sizes[0] if sizes else None


def split_sizes(ctx: Context, total: Size | None, test: Value, train: Value) -> tuple[Size, Size]:
    """Return the rows of the training and of the test part."""
    if test == NONE and train == NONE:
        test = Const(0.25)
    fixed_test = _share(test, total, ceil)
    fixed_train = _share(train, total, floor)
    if total is not None and fixed_test is not None and train == NONE:
        return total - fixed_test, fixed_test
    if total is not None and fixed_train is not None and test == NONE:
        return fixed_train, total - fixed_train
    if total is not None and not isinstance(total, int) and is_uneven(test, train):
        return part_sizes(ctx)
    rest = [ctx.fresh(name, Kind.FREE, "rows left by a split") for name in ("train_rows", "test_rows")]
    return rest[0] if fixed_train is None else fixed_train, rest[1] if fixed_test is None else fixed_test


def _share(value: Value, total: Size | None, rounded: type[int] | object) -> Size | None:
    """Return the size of a part given as a number of rows or as a fraction of a known number."""
    if isinstance(value, Const) and isinstance(value.value, float):
        if not isinstance(total, int):
            return None
        return ceil(value.value * total) if rounded is ceil else floor(value.value * total)
    return as_size(value)


def _with_rows(ctx: Context, array: Value, rows: Size) -> Value:
    """Return a value of the same kind with other rows."""
    if isinstance(array, HomogeneousSeq):
        return HomogeneousSeq("list", array.element, rows)
    if isinstance(array, Seq):
        return HomogeneousSeq("list", ctx.element(array), rows)
    tensor = array_of(ctx, array)
    if tensor is None:
        return Tensor(UNRANKED, None, "np")
    is_bare = tensor.shape.tail is not None and not tensor.shape.head
    shape = UNRANKED if is_bare else Shape((rows, *tensor.shape.head[1:]), tensor.shape.tail)
    part = replace(tensor, shape=shape, content=None, step=0, output=0)
    if is_sparse(array):
        return sparse_matrix(ctx, part)
    return of_array(ctx, part) if isinstance(array, Ref) and array.cls in (FRAME, SERIES) else part


@behaviour("sklearn.utils.shuffle", "sklearn.utils.resample")
def shuffled(ctx: Context, *arrays: Value, **keywords: Value) -> Value:
    if keywords.get("n_samples", NONE) != NONE:
        return ctx.lost("a sample of rows")
    _common_rows(ctx, arrays)
    return arrays[0] if len(arrays) == 1 else Seq("list", arrays)


# Preprocessing ------------------------------------------------------------------------------------------------------

SCALING = """StandardScaler MinMaxScaler MaxAbsScaler RobustScaler Normalizer Binarizer QuantileTransformer
    OrdinalEncoder""".split()
PREPROCESSING = "sklearn.preprocessing"
for _name in SCALING:
    base(f"{PREPROCESSING}.{_name}", f"{PREPROCESSING}.Scaler")
SCALER = f"{PREPROCESSING}.Scaler"
ENCODER = f"{PREPROCESSING}.Encoder"


@behaviour(*(f"{PREPROCESSING}.{name}" for name in SCALING))
def scaler(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new(SCALER)


ENCODERS = {"LabelEncoder": 1, "OneHotEncoder": 2, "LabelBinarizer": 2, "MultiLabelBinarizer": 2}


def _encoder(name: str, rank: int) -> None:
    @behaviour(f"{PREPROCESSING}.{name}")
    def encoder(ctx: Context, *args: Value, **keywords: Value) -> Value:
        all_kept = name == "OneHotEncoder" and not keywords.keys() & {"drop", "max_categories", "min_frequency"}
        takes_table = TRUE if name == "OneHotEncoder" else NONE
        sparse = keywords.get("sparse_output", keywords.get("sparse", Const(name == "OneHotEncoder")))
        least, is_one = Const(2 if all_kept else 1), Const(name == "LabelBinarizer")
        return ctx.new(
            ENCODER, _takes_table=takes_table, _rank=Const(rank), _least=least, _sparse=sparse, _of_labels=is_one
        )


for _name, _rank in ENCODERS.items():
    _encoder(_name, _rank)


@behaviour(f"{SCALER}.fit", f"{SCALER}.partial_fit")
def fit_scaler(ctx: Context, self: Value, X: Value = NONE, *args: Value, **keywords: Value) -> Value:  # noqa: N803
    keep_columns(ctx, self, array_of(ctx, X))
    return self


def _meets_table(ctx: Context, encoder: Value, data: Value) -> None:
    """State that an encoder of columns is given a table."""
    tensor = array_of(ctx, data) if ctx.get(encoder, "_takes_table") == TRUE else None
    if tensor is not None and tensor.shape.rank not in (None, 2):
        rank = tensor.shape.rank or 0
        ctx.require(
            ClashKind.RANK,
            Equal(rank, 2),
            f"the data has rank {rank}, an encoder takes rank 2 (samples, features)",
            data,
        )


@behaviour(f"{ENCODER}.fit")
def fit(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    data = args[0] if args else keywords.get("X", keywords.get("y", NONE))
    _meets_table(ctx, self, data)
    is_one = ctx.get(self, "_of_labels") == TRUE
    ctx.set(self, "_categories", _columns_of_labels(ctx, data) if is_one else NONE)
    return self


def _columns_of_labels(ctx: Context, labels: Value) -> Value:
    """Return the number of columns for written labels: one for each class, but one for two classes."""
    given = ctx.freeze(labels)
    items = items_of((given.content or NONE) if isinstance(given, Tensor) else given)
    if not items or not all(isinstance(item, Const) and isinstance(item.value, int | str) for item in items):
        return NONE
    count = len(set(items))
    return Const(count if count > 2 else 1)


@behaviour(f"{SCALER}.fit_transform")
def fit_and_transform(ctx: Context, self: Value, X: Value, *args: Value, **keywords: Value) -> Value:  # noqa: N803
    keep_columns(ctx, self, array_of(ctx, X))
    return _scaled(ctx, X)


@behaviour(f"{SCALER}.transform")
def transform(ctx: Context, self: Value, X: Value, *args: Value, **keywords: Value) -> Value:  # noqa: N803
    _has_fitted_columns(ctx, self, X)
    return _scaled(ctx, X)


@behaviour(f"{SCALER}.inverse_transform")
def undo(ctx: Context, self: Value, X: Value, *args: Value, **keywords: Value) -> Value:  # noqa: N803
    """What a scaler learnt of one column is undone in any number of them."""
    _has_fitted_columns(ctx, self, X, takes_more=True)
    return _scaled(ctx, X)


def _has_fitted_columns(ctx: Context, self: Value, data: Value, *, takes_more: bool = False) -> None:
    """State that data has the columns that a scaler was fitted to; any number if it `takes_more` than one."""
    fitted, tensor = as_size(ctx.get(self, "_columns") or NONE), array_of(ctx, data)
    columns = tensor.shape.size(1) if tensor is not None and tensor.shape.rank == 2 else None
    if fitted is None or columns is None or columns == fitted:
        return
    equal = Equal(columns, fitted)
    claim = AnyOf((equal, Equal(fitted, 1))) if takes_more else equal
    said = f"the data has {ctx.resolve(columns)} columns, the scaler was fitted to {ctx.resolve(fitted)}"
    ctx.require(ClashKind.AXIS, claim, said, data)


def _scaled(ctx: Context, data: Value) -> Value:
    tensor = array_of(ctx, data)
    if tensor is None:
        return Tensor(UNRANKED, None, "np")
    rank = tensor.shape.rank
    if rank is not None and rank != 2:
        ctx.require(
            ClashKind.RANK, Equal(rank, 2), f"the data has rank {rank}, a scaler takes rank 2 (samples, features)", data
        )
    made = replace(tensor, content=None, step=0, output=0, role="tensor")
    return sparse_matrix(ctx, made) if is_sparse(data) else made


@behaviour(f"{PREPROCESSING}.{{scale,minmax_scale,maxabs_scale,robust_scale}}")
def scaled(ctx: Context, data: Value, *args: Value, **keywords: Value) -> Value:
    tensor = array_of(ctx, data)
    return Tensor(UNRANKED, None, "np") if tensor is None else replace(tensor, content=None, step=0, output=0)


@behaviour(f"{PREPROCESSING}.normalize")
def normalized(
    ctx: Context,
    data: Value,
    norm: Value = Const("l2"),
    axis: Value = Const(1),
    copy: Value = TRUE,
    return_norm: Value = FALSE,
) -> Value:
    """Return the data, and with `return_norm` the norm of each row, or column."""
    made = scaled(ctx, data)
    if return_norm == FALSE:
        return made
    at = {Const(0): 1, Const(1): 0}.get(axis) if isinstance(axis, Const) else None
    size = made.shape.size(at) if isinstance(made, Tensor) and at is not None else None
    norms = Tensor(UNRANKED, None, "np") if size is None else _array(size)
    return Seq("tuple", (made, norms)) if return_norm == TRUE else ctx.lost("data that may come with its norms")


@behaviour(f"{ENCODER}.transform")
def encode(ctx: Context, self: Value, data: Value, *args: Value, **keywords: Value) -> Value:
    """Encode classes as numbers, or as a column for each class; one-hot rows of a single class determine nothing."""
    rows = _rows(ctx, data)
    if rows is None:
        return Tensor(UNRANKED, None, "np")
    if ctx.get(self, "_rank") == Const(1):
        return _array(rows, dtype="int64")
    made = Tensor(Shape((rows, _categories(ctx, self))), None, "np")
    sparse = as_bool(ctx.get(self, "_sparse") or NONE)
    return ctx.lost("columns that may be sparse") if sparse is None else sparse_matrix(ctx, made) if sparse else made


@behaviour(f"{ENCODER}.fit_transform")
def fit_and_encode(ctx: Context, self: Value, data: Value, *args: Value, **keywords: Value) -> Value:
    fit(ctx, self, data)
    return encode(ctx, self, data)


def _categories(ctx: Context, self: Value) -> Size:
    """Return the classes that an encoder was fitted to."""
    known = as_size(ctx.get(self, "_categories") or NONE)
    if known is None:
        least = 2 if ctx.get(self, "_least") == Const(2) else 1
        known = ctx.fresh("categories", Kind.FREE, "the classes met", least)
        ctx.set(self, "_categories", of_size(known))
    return known


@behaviour(f"{ENCODER}.inverse_transform")
def decode(ctx: Context, self: Value, data: Value, *args: Value, **keywords: Value) -> Value:
    rows = _rows(ctx, data)
    return Tensor(UNRANKED if rows is None else Shape((rows,), ()), None, "np")


@behaviour(f"{PREPROCESSING}.label_binarize")
def binarize(ctx: Context, y: Value, classes: Value = NONE, **keywords: Value) -> Value:
    rows, names = _rows(ctx, y), items_of(classes)
    if rows is None or names is None or len(names) < 3:
        return Tensor(UNRANKED, None, "np")
    return Tensor(Shape((rows, len(names))), "int64", "np")


# Data sets ----------------------------------------------------------------------------------------------------------

SIZES = {
    "boston": ((506, 13), (506,)),
    "breast_cancer": ((569, 30), (569,)),
    "diabetes": ((442, 10), (442,)),
    "digits": ((1797, 64), (1797,)),
    "iris": ((150, 4), (150,)),
    "linnerud": ((20, 3), (20, 3)),
    "wine": ((178, 13), (178,)),
}
OF_CLASSES = ("breast_cancer", "digits", "iris", "wine")


def _array(*sizes: Size, dtype: str = "float64") -> Tensor:
    return Tensor(Shape(sizes), dtype, "np")


def _loader(name: str) -> None:
    data_sizes, target_sizes = SIZES[name]

    @behaviour(f"sklearn.datasets.load_{name}")
    def load(ctx: Context, *args: Value, return_X_y: Value = FALSE, as_frame: Value = FALSE, **k: Value) -> Value:  # noqa: N803
        data, target = _array(*data_sizes), _array(*target_sizes, dtype="int64" if name in OF_CLASSES else "float64")
        if as_bool(return_X_y) is None or as_bool(as_frame) is not False or args or "n_class" in k:
            return ctx.lost("a data set in an unknown form")
        if return_X_y == TRUE:
            return Seq("tuple", (data, target))
        more = {"images": _array(1797, 8, 8)} if name == "digits" else {}
        return ctx.new("sklearn.utils.Bunch", data=data, target=target, **more)


for _name in SIZES:
    _loader(_name)


@behaviour("sklearn.utils.Bunch.__getitem__")
def part(ctx: Context, self: Value, key: Value) -> Value:
    """The parts of a dataset are attributes and items."""
    name = as_str(key)
    return (None if name is None else ctx.get(self, name)) or ctx.lost("a part of a data set")


def _count(ctx: Context, value: Value, name: str) -> Size:
    size = as_size(value)
    return ctx.fresh(name, Kind.FREE, "of generated data") if size is None else size


@behaviour("sklearn.datasets.make_{moons,circles}")
def flat(ctx: Context, n_samples: Value = Const(100), *args: Value, **keywords: Value) -> Value:
    rows = _count(ctx, n_samples, "rows")
    return Seq("tuple", (_array(rows, 2), _array(rows, dtype="int64")))


@behaviour("sklearn.datasets.make_classification")
def classification(
    ctx: Context, n_samples: Value = Const(100), n_features: Value = Const(20), *args: Value, **keywords: Value
) -> Value:
    rows = _count(ctx, n_samples, "rows")
    return Seq("tuple", (_array(rows, _count(ctx, n_features, "columns")), _array(rows, dtype="int64")))


@behaviour("sklearn.datasets.make_blobs")
def blobs(
    ctx: Context,
    n_samples: Value = Const(100),
    n_features: Value = Const(2),
    centers: Value = NONE,
    *args: Value,
    **keywords: Value,
) -> Value:
    if as_size(n_samples) is None or (centers != NONE and as_size(centers) is None):
        return ctx.lost("blobs with given centres")
    if keywords.get("return_centers", FALSE) != FALSE:
        return ctx.lost("blobs and their centres")
    rows = _count(ctx, n_samples, "rows")
    return Seq("tuple", (_array(rows, _count(ctx, n_features, "columns")), _array(rows, dtype="int64")))


@behaviour("sklearn.datasets.make_regression")
def regression(
    ctx: Context,
    n_samples: Value = Const(100),
    n_features: Value = Const(100),
    n_informative: Value = Const(10),
    n_targets: Value = Const(1),
    *args: Value,
    **keywords: Value,
) -> Value:
    targets, coef = as_size(n_targets), keywords.get("coef", FALSE)
    if args or coef not in (FALSE, TRUE) or not isinstance(targets, int):
        return ctx.lost("a regression of an unknown number of targets")
    rows, columns = _count(ctx, n_samples, "rows"), _count(ctx, n_features, "columns")
    given = (_array(rows, columns), _array(*_without_ones(rows, targets)))
    if coef == FALSE:
        return Seq("tuple", given)
    return Seq("tuple", (*given, _array(*_without_ones(columns, targets)) if isinstance(columns, int) else Tensor()))


def _without_ones(*sizes: Size) -> tuple[Size, ...]:
    """Return the shape that scikit-learn squeezes; the number of rows is assumed to be larger than 1."""
    return tuple(size for size in sizes if size != 1)
