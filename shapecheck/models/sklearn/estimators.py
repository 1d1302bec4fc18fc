"""Estimators of scikit-learn: a row of the data is a sample, predictions have a row for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    HomogeneousSeq,
    Int,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_size,
    as_str,
    of_size,
)
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.element_bounds import distinct
from shapecheck.models.lang.split_parts import are_counted_apart
from shapecheck.models.pandas.frames import array_of, is_table
from shapecheck.models.sklearn.rows import columns_of, keep_columns, meet_groups, meet_rows, meet_targets, rows_of
from shapecheck.shapes.claims import AtLeast, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, is_lost, minimum

ESTIMATOR = "sklearn.base.Estimator"
CLASSES = "as many as the data has classes"
DECOMPOSITIONS = """decomposition.PCA decomposition.TruncatedSVD decomposition.NMF decomposition.FastICA
decomposition.IncrementalPCA""".split()
BOUNDED = ["decomposition.PCA", "decomposition.TruncatedSVD", "decomposition.IncrementalPCA"]
REDUCERS = """decomposition.KernelPCA manifold.TSNE manifold.MDS manifold.Isomap
random_projection.GaussianRandomProjection""".split()
CLUSTERS = "cluster.KMeans cluster.MiniBatchKMeans mixture.GaussianMixture".split()
OF_ONE_TARGET = """linear_model.LogisticRegression linear_model.SGDClassifier linear_model.SGDRegressor
linear_model.Perceptron svm.SVC svm.SVR svm.LinearSVC svm.LinearSVR ensemble.GradientBoostingClassifier
ensemble.GradientBoostingRegressor ensemble.AdaBoostClassifier ensemble.AdaBoostRegressor naive_bayes.GaussianNB
naive_bayes.MultinomialNB naive_bayes.BernoulliNB naive_bayes.ComplementNB neighbors.NearestCentroid
discriminant_analysis.LinearDiscriminantAnalysis discriminant_analysis.QuadraticDiscriminantAnalysis svm.NuSVC svm.NuSVR
gaussian_process.GaussianProcessClassifier ensemble.HistGradientBoostingClassifier
ensemble.HistGradientBoostingRegressor linear_model.HuberRegressor linear_model.TheilSenRegressor
linear_model.LassoCV linear_model.ElasticNetCV linear_model.LogisticRegressionCV linear_model.ARDRegression
linear_model.PoissonRegressor linear_model.PassiveAggressiveClassifier""".split()
LINEAR = [f"linear_model.{name}" for name in ("LinearRegression", "Ridge", "Lasso", "ElasticNet", "BayesianRidge")]
PREDICTORS = """linear_model.LinearRegression linear_model.Ridge linear_model.Lasso linear_model.ElasticNet
tree.DecisionTreeClassifier tree.DecisionTreeRegressor ensemble.RandomForestClassifier ensemble.RandomForestRegressor
ensemble.ExtraTreesClassifier ensemble.ExtraTreesRegressor neighbors.KNeighborsClassifier
neighbors.KNeighborsRegressor neural_network.MLPClassifier neural_network.MLPRegressor linear_model.RidgeCV
linear_model.RidgeClassifier linear_model.Lars linear_model.LassoLars neighbors.RadiusNeighborsRegressor
kernel_ridge.KernelRidge ensemble.IsolationForest tree.ExtraTreeClassifier tree.ExtraTreeRegressor
neighbors.NearestNeighbors""".split()
PROCESSES = ["gaussian_process.GaussianProcessRegressor"]
SELECTORS = ["feature_selection.SelectKBest"]


def _register(name: str) -> None:
    @behaviour(f"sklearn.{name}")
    def make(ctx: Context, first: Value = NONE, *args: Value, **keywords: Value) -> Value:
        wanted = keywords.get("n_components", keywords.get("n_clusters", first))
        if name in SELECTORS:
            wanted = keywords.get("k", args[0] if args else Const(10))
        count = as_size(wanted) if name in (*DECOMPOSITIONS, *REDUCERS, *CLUSTERS, *SELECTORS) else None
        return ctx.new(ESTIMATOR, _count=NONE if count is None else wanted, _name=Const(name))


for _name in (*DECOMPOSITIONS, *REDUCERS, *CLUSTERS, *OF_ONE_TARGET, *PREDICTORS, *PROCESSES, *SELECTORS):
    _register(_name)
base(ESTIMATOR, "object")


def _has_name(ctx: Context, self: Value, names: Sequence[str]) -> bool:
    return isinstance(self, Ref) and as_str(ctx.get(self, "_name") or NONE) in names


# Data ---------------------------------------------------------------------------------------------------------------


def _checked(ctx: Context, data: Value) -> Tensor | None:
    """Return the data as an array; state that it is a table."""
    tensor = array_of(ctx, data)
    if tensor is None:
        return None
    rank = tensor.shape.rank
    is_told = isinstance(data, Tensor) or is_table(data) or (rank in (0, 1) and _are_numbers(ctx, data))
    if rank not in (None, 2) and is_told:
        ctx.require(
            ClashKind.RANK,
            Equal(rank, 2),
            f"the data has rank {rank}, an estimator takes rank 2 (samples, features)",
            tensor,
        )
    return tensor


def _are_numbers(ctx: Context, data: Value) -> bool:
    """Return whether it is a number, or a list of nothing but numbers."""
    given = ctx.freeze(data)
    items = given.items if isinstance(given, Seq) and given.items else (given,)
    return all(isinstance(item, Scalar | Int | Const) and as_str(item) is None and item != NONE for item in items)


def _like_fitted(ctx: Context, self: Value, data: Value) -> Size | None:
    """Return the number of samples; state that they have the columns that the estimator was fitted to."""
    tensor = _checked(ctx, data)
    fitted = as_size(ctx.get(self, "_columns") or NONE) if isinstance(self, Ref) else None
    columns = columns_of(tensor)
    if fitted is None or columns is None or columns == fitted or tensor is None:
        return None if tensor is None else tensor.shape.size(0)
    if not are_counted_apart(ctx, columns, fitted, tensor):
        said = f"the data has {ctx.resolve(columns)} columns, the estimator was fitted to {ctx.resolve(fitted)}"
        ctx.require(ClashKind.AXIS, Equal(columns, fitted), said, data)
    return tensor.shape.size(0)


# Fitting ------------------------------------------------------------------------------------------------------------


@behaviour(f"{ESTIMATOR}.partial_fit")
def partial_fit(ctx: Context, self: Value, X: Value, y: Value = NONE, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    """Fit to some of the data, which need not have all classes."""
    fit(ctx, self, X, y, *rest, **keywords)
    ctx.set(self, "_classes", of_size(ctx.fresh("classes", Kind.FREE, CLASSES, 2)))
    return self


@behaviour(f"{ESTIMATOR}.fit")
def fit(ctx: Context, self: Value, X: Value, y: Value = NONE, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    tensor = _checked(ctx, X)
    keep_columns(ctx, self, tensor)
    wanted = None if y == NONE else array_of(ctx, y)
    meet_targets(ctx, X, y)
    ctx.set(self, "_is_vector", TRUE if wanted is not None and wanted.shape.rank == 1 else NONE)
    count = distinct(ctx, wanted) if wanted is not None else None
    ctx.set(self, "_classes", of_size(ctx.fresh("classes", Kind.FREE, CLASSES, 2) if count is None else count))
    _leaves_components(ctx, ctx.get(self, "_first") or self, tensor)
    columns = columns_of(wanted)
    ctx.set(self, "_targets", NONE if columns is None else of_size(columns))
    if columns is not None and columns != 1 and _has_name(ctx, self, OF_ONE_TARGET):
        said = f"the targets have {ctx.resolve(columns)} columns, the estimator takes one target per row"
        ctx.require(ClashKind.AXIS, Equal(columns, 1), said, y)
    return self


def _leaves_components(ctx: Context, self: Value, data: Tensor | None) -> None:
    """State that there are no more components than columns, nor than rows where all components are computed."""
    count = as_size(ctx.get(self, "_count") or NONE) if _has_name(ctx, self, BOUNDED) else None
    if count is None or data is None or data.shape.rank != 2:
        return
    for size, what in zip(data.shape.sizes, ("rows", "columns"), strict=True):
        if not is_lost(size) and (what == "columns" or _has_name(ctx, self, BOUNDED[:1])):
            said = f"{count} components are wanted, the data has {ctx.resolve(size)} {what}"
            ctx.require(ClashKind.AXIS, AtLeast(size, count), said, data)


@behaviour(f"{ESTIMATOR}.fit_predict")
def fit_predict(ctx: Context, self: Value, X: Value, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    fit(ctx, self, X)
    return predict(ctx, self, X)


@behaviour(f"{ESTIMATOR}.fit_transform")
def fit_transform(ctx: Context, self: Value, X: Value, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    fit(ctx, self, X)
    return transform(ctx, self, X)


# What was fitted ----------------------------------------------------------------------------------------------------


@behaviour(f"{ESTIMATOR}.predict")
def predict(ctx: Context, self: Value, X: Value, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    """Return a class or a cluster for each row; there may be several numbers."""
    rows = _like_fitted(ctx, self, X)
    if rows is None:
        return Tensor(UNRANKED, None, "np")
    if _has_name(ctx, self, CLUSTERS):
        return Tensor(Shape((rows,)), "int32" if _has_name(ctx, self, CLUSTERS[:2]) else "int64", "np")
    is_single = isinstance(self, Ref) and ctx.get(self, "_is_vector") == TRUE
    if keywords and _has_name(ctx, self, PROCESSES):
        return _with_spread(rows if is_single else None, keywords)
    return Tensor(Shape((rows,)) if is_single and not keywords else Shape((rows,), ()), None, "np")


def _with_spread(rows: Size | None, keywords: Mapping[str, Value]) -> Value:
    """Return what a process predicts, and how sure it is: a number for each row, or for each pair of rows."""
    whole = UNRANKED if rows is None else Shape((rows,))
    asked = [name for name in ("return_std", "return_cov") if keywords.get(name, FALSE) != FALSE]
    if len(asked) != 1 or keywords[asked[0]] != TRUE:
        return Tensor(UNRANKED, None, "np")
    pairs = UNRANKED if rows is None else Shape((rows, rows))
    spread = whole if asked == ["return_std"] else pairs
    return Seq("tuple", (Tensor(whole, "float64", "np"), Tensor(spread, "float64", "np")))


@behaviour(f"{ESTIMATOR}.{{predict_proba,predict_log_proba}}")
def chances(ctx: Context, self: Value, X: Value, *rest: Value) -> Value:  # noqa: N803
    """Return a column for each class, if one class was given for each row."""
    rows = _like_fitted(ctx, self, X)
    is_single = isinstance(self, Ref) and ctx.get(self, "_is_vector") == TRUE
    classes = as_size(ctx.get(self, "_classes") or NONE) if is_single else None
    if rows is None or classes is None:
        return Tensor(UNRANKED if rows is None else Shape((rows,), ()), "float64", "np")
    return Tensor(Shape((rows, classes)), "float64", "np")


@behaviour(f"{ESTIMATOR}.decision_function")
def odds(ctx: Context, self: Value, X: Value, *rest: Value) -> Value:  # noqa: N803
    rows = _like_fitted(ctx, self, X)
    return Tensor(UNRANKED if rows is None else Shape((rows,), ()), "float64", "np")


@behaviour(f"{ESTIMATOR}.transform")
def transform(ctx: Context, self: Value, X: Value, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    rows = _like_fitted(ctx, self, X)
    if rows is None:
        return Tensor(UNRANKED, None, "np")
    count = as_size(ctx.get(self, "_count") or NONE) if isinstance(self, Ref) else None
    fitted = as_size(ctx.get(self, "_columns") or NONE) if _has_name(ctx, self, SELECTORS) else None
    if count is not None and fitted is not None:
        count = minimum(count, fitted)
    columns = ctx.fresh("components", Kind.LOST, "as many as are kept") if count is None else count
    return Tensor(Shape((rows, columns)), "float64", "np")


@behaviour(f"{ESTIMATOR}.inverse_transform")
def inverse_transform(ctx: Context, self: Value, X: Value, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    """Return the data with the columns that a decomposition was fitted to."""
    tensor = array_of(ctx, X)
    count, fitted = (as_size(ctx.get(self, name) or NONE) for name in ("_count", "_columns"))
    if tensor is None or tensor.shape.rank != 2 or not _has_name(ctx, self, DECOMPOSITIONS) or fitted is None:
        return ctx.lost("what an estimator tells")
    rows, columns = tensor.shape.sizes
    if count is not None and columns != count:
        said = f"the data has {ctx.resolve(columns)} columns, the estimator makes {count}"
        ctx.require(ClashKind.AXIS, Equal(columns, count), said, X)
    return Tensor(Shape((rows, fitted)), "float64", "np")


@behaviour(f"{ESTIMATOR}.score")
def score(ctx: Context, self: Value, X: Value, y: Value = NONE, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    """Return how well the predictions for each row fit its target."""
    _like_fitted(ctx, self, X)
    meet_targets(ctx, X, y)
    return Scalar("float")


@behaviour(f"{ESTIMATOR}.score_samples")
def score_samples(ctx: Context, self: Value, X: Value) -> Value:  # noqa: N803
    rows = _like_fitted(ctx, self, X)
    return Tensor(UNRANKED if rows is None else Shape((rows,)), "float64", "np")


@attribute(f"{ESTIMATOR}.cluster_centers_")
def centers(ctx: Context, self: Value) -> Value:
    return _of_count(ctx, self, CLUSTERS)


@attribute(f"{ESTIMATOR}.coef_")
def coefficients(ctx: Context, self: Value) -> Value:
    """Return a number for each column, and a row of them for each of several targets. A linear regression has such a
    row also for targets in one column.
    """
    columns, targets = (as_size(ctx.get(self, name) or NONE) for name in ("_columns", "_targets"))
    is_vector, is_listed = ctx.get(self, "_is_vector") == TRUE, isinstance(targets, int) and targets > 1
    if columns is None or not _has_name(ctx, self, LINEAR):
        return ctx.lost("the coefficients of an estimator")
    if is_vector or is_listed or (targets is not None and _has_name(ctx, self, LINEAR[:1])):
        return Tensor(Shape((columns,) if is_vector or targets is None else (targets, columns)), None, "np")
    return ctx.lost("the coefficients of an estimator")


@attribute(f"{ESTIMATOR}.feature_importances_")
def importances(ctx: Context, self: Value) -> Value:
    """Return a number for each column that a tree or a forest was fitted to."""
    columns = as_size(ctx.get(self, "_columns") or NONE)
    return ctx.lost("what matters to an estimator") if columns is None else Tensor(Shape((columns,)), "float64", "np")


@attribute(f"{ESTIMATOR}.components_")
def components(ctx: Context, self: Value) -> Value:
    return _of_count(ctx, self, DECOMPOSITIONS)


def _of_count(ctx: Context, self: Value, names: Sequence[str]) -> Value:
    """Return a row for each cluster or component, with the columns that the estimator was fitted to."""
    count, fitted = (as_size(ctx.get(self, name) or NONE) for name in ("_count", "_columns"))
    if count is None or fitted is None or not _has_name(ctx, self, names):
        return ctx.lost("what an estimator tells")
    return Tensor(Shape((count, fitted)), None, "np")


@behaviour(f"{ESTIMATOR}.set_params")
def set_params(ctx: Context, self: Value, **keywords: Value) -> Value:
    """Return the estimator, which may make another number of components from now on."""
    ctx.set(self, "_count", NONE)
    ctx.set(self, "_first", NONE)
    return self


@behaviour(f"{ESTIMATOR}.kneighbors")
def neighbours(ctx: Context, self: Value, X: Value = NONE, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    if X != NONE:
        _like_fitted(ctx, self, X)
    return ctx.lost("the neighbours of rows")


@behaviour(f"{ESTIMATOR}.{{get_params,apply,get_support}}")
def asked(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what an estimator tells")


# Pairs of rows -------------------------------------------------------------------------------------------------------

PAIRS = "{cosine_similarity,euclidean_distances,pairwise_distances,rbf_kernel,linear_kernel,cosine_distances}"


@behaviour(f"sklearn.metrics.pairwise.{PAIRS}", "sklearn.metrics.pairwise_distances")
def pairwise(ctx: Context, X: Value, Y: Value = NONE, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    """Return a number for each pair of rows."""
    rows = rows_of(ctx, X)
    others = rows if Y == NONE else rows_of(ctx, Y)
    shape = UNRANKED if rows is None or others is None else Shape((rows, others))
    return Tensor(shape, "float64", "np")


# Folds and what is not followed ---------------------------------------------------------------------------------------

FOLDS = "sklearn.model_selection.KFold"
OF_CLASSES = f"{FOLDS}.Stratified"
base(OF_CLASSES, FOLDS)


@behaviour("sklearn.model_selection.KFold")
def partition(ctx: Context, n_splits: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return ctx.new(FOLDS, _splits=n_splits, _is_even=TRUE)


@behaviour("sklearn.model_selection.StratifiedKFold")
def partition_by_class(ctx: Context, n_splits: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return ctx.new(OF_CLASSES, _splits=n_splits, _is_even=TRUE)


@behaviour("sklearn.model_selection.{GroupKFold,ShuffleSplit,StratifiedShuffleSplit,TimeSeriesSplit}")
def splitter(ctx: Context, n_splits: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return ctx.new(FOLDS, _splits=n_splits, _is_even=FALSE)


@behaviour("sklearn.model_selection.StratifiedGroupKFold")
def splitter_by_class(ctx: Context, n_splits: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return ctx.new(OF_CLASSES, _splits=n_splits, _is_even=FALSE)


@behaviour(f"{FOLDS}.split")
def folds(ctx: Context, self: Value, X: Value, y: Value = NONE, groups: Value = NONE) -> Value:  # noqa: N803
    """Return the indices of the rows for training and testing, whose number may vary from fold to fold."""
    if isinstance(self, Ref) and self.cls == OF_CLASSES:
        _are_classes(ctx, y)
    meet_groups(ctx, X, groups)
    count = as_size(ctx.get(self, "_splits") or NONE)
    rows = rows_of(ctx, X) if ctx.get(self, "_is_even") == TRUE else None
    pair = Seq("tuple", tuple(Tensor(Shape((part,)), "int64", "np") for part in _sizes_of_fold(ctx, rows, count)))
    return HomogeneousSeq("iterator", pair, ctx.fresh("folds", Kind.FREE, "folds") if count is None else count)


def _sizes_of_fold(ctx: Context, rows: Size | None, count: Size | None) -> tuple[Size, Size]:
    """Return the numbers of rows for training and testing, which are the same in all folds if these come out even."""
    if isinstance(rows, int) and isinstance(count, int) and count > 0 and rows % count == 0:
        return rows - rows // count, rows // count
    train, test = (ctx.fresh(name, Kind.FREE, "rows of a fold") for name in ("train_rows", "test_rows"))
    return train, test


def _are_classes(ctx: Context, targets: Value) -> None:
    """State that there is one class for each row."""
    columns = columns_of(array_of(ctx, targets)) if targets != NONE else None
    if columns is not None and columns != 1:
        said = f"the targets have {ctx.resolve(columns)} columns, one class is expected for each row"
        ctx.require(ClashKind.AXIS, Equal(columns, 1), said, targets)


@behaviour(f"{FOLDS}.get_n_splits")
def number_of_folds(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.get(self, "_splits") or NONE


@behaviour("sklearn.model_selection.cross_val_predict")
def cross_predictions(
    ctx: Context,
    estimator: Value,
    X: Value,  # noqa: N803
    y: Value = NONE,
    groups: Value = NONE,
    **keywords: Value,
) -> Value:
    """Return what is predicted for each row when it is left out."""
    meet_groups(ctx, X, groups)
    tensor, wanted = _checked(ctx, X), None if y == NONE else array_of(ctx, y)
    if tensor is None or not tensor.shape.is_ranked:
        return Tensor(UNRANKED, None, "np")
    if wanted is not None:
        meet_rows(ctx, tensor, wanted, ("the data", "the targets"))
    is_single = wanted is not None and wanted.shape.rank == 1 and "method" not in keywords
    return Tensor(Shape(tensor.shape.head[:1], None if is_single else ()), None, "np")


@behaviour("sklearn.metrics.{auc,make_scorer}", "sklearn.model_selection.cross_validate")
@behaviour("sklearn.impute.SimpleImputer")
@behaviour("sklearn.datasets.{fetch_openml,fetch_california_housing,fetch_20newsgroups,fetch_lfw_people,load_files}")
@behaviour("sklearn.preprocessing.{FunctionTransformer,PowerTransformer,KBinsDiscretizer}")
def not_followed(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what scikit-learn makes")
