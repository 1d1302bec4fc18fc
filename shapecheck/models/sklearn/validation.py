"""What scikit-learn's own estimators, and those written like them, do with the data that they are given."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Scalar, Seq, Tensor, Value, as_size
from shapecheck.models.lang import Answer, Context, Flag, Size, behaviour, op, result
from shapecheck.models.lang import Tensor as Operand
from shapecheck.models.pandas.frames import array_of
from shapecheck.models.sklearn.rows import meet_rows
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.shape import Shape

VALIDATION = "sklearn.utils.{validation.,}"


def _checked(ctx: Context, data: Value, name: str, is_table: Value, is_deep: Value) -> Value:
    """Return data as an array, after stating that it is a table, if it has to be one."""
    found = array_of(ctx, data)
    if found is None:
        return ctx.lost("data of a kind that is not known")
    rank = found.shape.rank
    if is_table == TRUE and rank is not None and (rank < 2 or (rank > 2 and is_deep == FALSE)):
        said = f"{name} has shape {found.shape}, a table of rows and columns is needed"
        ctx.require(ClashKind.RANK, IMPOSSIBLE, said, found)
    return found


@behaviour(f"{VALIDATION}check_array")
def check_array(
    ctx: Context,
    array: Value,
    *others: Value,
    ensure_2d: Value = TRUE,
    allow_nd: Value = FALSE,
    input_name: Value = NONE,
    **options: Value,
) -> Value:
    """Data that is no table is refused, unless it is allowed."""
    return _checked(ctx, array, "the array", ensure_2d, allow_nd)


@behaviour(f"{VALIDATION}check_X_y")
def check_x_y(
    ctx: Context,
    X: Value,  # noqa: N803
    y: Value,
    *others: Value,
    ensure_2d: Value = TRUE,
    allow_nd: Value = FALSE,
    multi_output: Value = FALSE,
    **options: Value,
) -> Value:
    """The targets are a vector, unless several for each row are allowed."""
    data, targets = _checked(ctx, X, "X", ensure_2d, allow_nd), array_of(ctx, y)
    if not isinstance(data, Tensor) or targets is None:
        return Seq("tuple", (data, ctx.lost("targets of a kind that is not known")))
    meet_rows(ctx, data, targets, ("X", "y"))
    return Seq("tuple", (data, targets if multi_output != FALSE else _column(ctx, targets)))


def _column(ctx: Context, targets: Tensor) -> Value:
    """Return a vector, also of a table of one column."""
    rank, rows = targets.shape.rank, targets.shape.size(0)
    if rank is None or rank == 1:
        return targets
    if rank == 2 and rows is not None and targets.shape.size(1) == 1:
        return targets.with_shape(Shape((rows,)))
    return ctx.lost("targets that are no vector")


@behaviour(f"{VALIDATION}column_or_1d")
def column_or_1d(ctx: Context, y: Value, **options: Value) -> Value:
    found = array_of(ctx, y)
    return ctx.lost("data of a kind that is not known") if found is None else _column(ctx, found)


@behaviour(f"{VALIDATION}as_float_array")
def as_float_array(ctx: Context, X: Value, **options: Value) -> Value:  # noqa: N803
    found = array_of(ctx, X)
    return ctx.lost("data of a kind that is not known") if found is None else Tensor(found.shape, None, "np")


@behaviour(f"{VALIDATION}check_random_state")
def check_random_state(ctx: Context, seed: Value) -> Value:
    """Return a generator; one that is given stays what it is."""
    is_seed = seed == NONE or isinstance(seed, Scalar | Const) or as_size(seed) is not None
    return ctx.new("np.random.RandomState") if is_seed else seed


@behaviour(f"{VALIDATION}{{check_is_fitted,check_consistent_length,assert_all_finite}}")
def check(ctx: Context, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour("sklearn.utils.indexable", "sklearn.utils.validation.indexable")
def indexable(ctx: Context, *iterables: Value) -> Value:
    return Seq("list", iterables)


# Base classes --------------------------------------------------------------------------------------------------------


@behaviour("sklearn.base.TransformerMixin.fit_transform")
def fit_transform(ctx: Context, self: Value, X: Value, y: Value = NONE, **options: Value) -> Value:  # noqa: N803
    return _fitted_then(ctx, self, "transform", X, y)


@behaviour("sklearn.base.OutlierMixin.fit_predict")
def fit_predict(ctx: Context, self: Value, X: Value, y: Value = NONE, **options: Value) -> Value:  # noqa: N803
    return _fitted_then(ctx, self, "predict", X, y)


@behaviour("sklearn.base.ClusterMixin.fit_predict")
def fit_labels(ctx: Context, self: Value, X: Value, y: Value = NONE, **options: Value) -> Value:  # noqa: N803
    """Return what fitting leaves in an attribute."""
    _called(ctx, self, "fit", X, *([] if y == NONE else [y]))
    return ctx.get(self, "labels_") or ctx.lost("the labels of a clustering")


def _fitted_then(ctx: Context, self: Value, method: str, data: Value, targets: Value) -> Value:
    """Return what a method of the estimator that `fit` returns makes of the data that it was fitted to."""
    fitted = _called(ctx, self, "fit", data, *([] if targets == NONE else [targets]))
    return _called(ctx, fitted, method, data)


def _called(ctx: Context, owner: Value, method: str, *args: Value) -> Value:
    found = ctx.get(owner, method)
    return ctx.lost(f"the method {method} of an estimator") if found is None else ctx.call(found, args)


@behaviour("sklearn.base.BaseEstimator.set_params")
def set_params(ctx: Context, self: Value, **params: Value) -> Value:
    for name, value in params.items():
        ctx.set(self, name, value)
    return self


# Mathematics ---------------------------------------------------------------------------------------------------------


@op("sklearn.utils.extmath.row_norms", oracle="none: of scikit-learn")
def row_norms(X: Operand, squared: Flag = False) -> Answer:  # noqa: N803
    return "n d -> n"


@op("sklearn.utils.extmath.squared_norm", oracle="none: of scikit-learn")
def squared_norm(x: Operand) -> Answer:
    return "*S ->"


@op("sklearn.utils.extmath.safe_sparse_dot", oracle="none: of scikit-learn")
def safe_sparse_dot(a: Operand, b: Operand) -> Answer:
    """Other ranks than those of tables and vectors have rules of their own."""
    if a.rank in (1, 2) and b.rank in (1, 2):
        return "m? k, k n? -> m? n?"
    return result(Shape((), ()))


@op("sklearn.utils.extmath.randomized_svd", returns="tuple", oracle="none: of scikit-learn")
def randomized_svd(M: Operand, n_components: Size) -> Answer:  # noqa: N803
    return "m n -> m {k}, {k}, {k} n", {"k": n_components}


@op("sklearn.datasets.make_spd_matrix", dtype="float64", oracle="none: of scikit-learn")
def make_spd_matrix(n_dim: Size) -> Answer:
    return Shape((n_dim, n_dim))


@op("sklearn.utils.class_weight.compute_sample_weight", dtype="float64", oracle="none: of scikit-learn")
def compute_sample_weight(class_weight: Operand, y: Operand) -> Answer:
    rows = y.shape.size(0)
    return Shape((), ()) if rows is None else Shape((rows,))
