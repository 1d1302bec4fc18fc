"""Estimators of scikit-learn: a row of the data is a sample, predictions have a row for each."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Int, Ref, Scalar, Seq, Tensor, Value, as_size, as_str
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.pandas.frames import array_of, is_table
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

ESTIMATOR = "sklearn.base.Estimator"
REDUCERS = """decomposition.PCA decomposition.TruncatedSVD decomposition.NMF decomposition.FastICA
decomposition.KernelPCA decomposition.IncrementalPCA manifold.TSNE manifold.MDS manifold.Isomap
random_projection.GaussianRandomProjection""".split()
CLUSTERS = "cluster.KMeans cluster.MiniBatchKMeans mixture.GaussianMixture".split()
PREDICTORS = """linear_model.LinearRegression linear_model.LogisticRegression linear_model.Ridge linear_model.Lasso
linear_model.ElasticNet linear_model.SGDClassifier linear_model.SGDRegressor linear_model.Perceptron svm.SVC svm.SVR
svm.LinearSVC svm.LinearSVR tree.DecisionTreeClassifier tree.DecisionTreeRegressor ensemble.RandomForestClassifier
ensemble.RandomForestRegressor ensemble.GradientBoostingClassifier ensemble.GradientBoostingRegressor
ensemble.AdaBoostClassifier ensemble.ExtraTreesClassifier neighbors.KNeighborsClassifier neighbors.KNeighborsRegressor
naive_bayes.GaussianNB naive_bayes.MultinomialNB naive_bayes.BernoulliNB neural_network.MLPClassifier
neural_network.MLPRegressor discriminant_analysis.LinearDiscriminantAnalysis""".split()


def _register(name: str) -> None:
    @behaviour(f"sklearn.{name}")
    def make(ctx: Context, first: Value = NONE, *args: Value, **keywords: Value) -> Value:
        wanted = keywords.get("n_components", keywords.get("n_clusters", first))
        count = as_size(wanted) if name in (*REDUCERS, *CLUSTERS) else None
        return ctx.new(ESTIMATOR, _count=NONE if count is None else wanted, _name=Const(name))


for _name in (*REDUCERS, *CLUSTERS, *PREDICTORS):
    _register(_name)
base(ESTIMATOR, "object")


def rows_of(ctx: Context, data: Value) -> Size | None:
    tensor = array_of(ctx, data)
    return None if tensor is None else tensor.shape.size(0)


def _checked(ctx: Context, data: Value) -> Size | None:
    """Return the number of samples; state that the data is a table."""
    tensor = array_of(ctx, data)
    if tensor is None:
        return None
    rank = tensor.shape.rank
    is_told = isinstance(data, Tensor) or is_table(data) or (rank in (0, 1) and _are_numbers(ctx, data))
    if rank not in (None, 2) and is_told:
        ctx.require(ClashKind.RANK, Equal(rank, 2), f"the data has rank {rank}, an estimator takes rank 2", tensor)
    return tensor.shape.size(0)


def _are_numbers(ctx: Context, data: Value) -> bool:
    """Return whether it is a number, or a list of nothing but numbers."""
    given = ctx.freeze(data)
    items = given.items if isinstance(given, Seq) and given.items else (given,)
    return all(isinstance(item, Scalar | Int | Const) and as_str(item) is None and item != NONE for item in items)


@behaviour(f"{ESTIMATOR}.{{fit,partial_fit}}")
def fit(ctx: Context, self: Value, data: Value, targets: Value = NONE, *rest: Value, **keywords: Value) -> Value:
    rows = _checked(ctx, data)
    given = rows_of(ctx, targets) if targets != NONE else None
    if rows is not None and given is not None:
        ctx.require(
            ClashKind.AXIS, Equal(rows, given), f"the data has {rows} rows, the targets have {given}", data, targets
        )
    return self


@behaviour(f"{ESTIMATOR}.{{predict,fit_predict}}")
def predict(ctx: Context, self: Value, data: Value, *rest: Value, **keywords: Value) -> Value:
    """Return a class or a cluster for each row; there may be several numbers."""
    rows = _checked(ctx, data)
    if rows is None:
        return Tensor(UNRANKED, None, "np")
    return Tensor(Shape((rows,)) if _is_single(ctx, self) else Shape((rows,), ()), None, "np")


def _is_single(ctx: Context, self: Value) -> bool:
    return isinstance(self, Ref) and as_str(ctx.get(self, "_name") or NONE) in CLUSTERS


@behaviour(f"{ESTIMATOR}.{{predict_proba,predict_log_proba,decision_function}}")
def odds(ctx: Context, self: Value, data: Value, *rest: Value) -> Value:
    rows = _checked(ctx, data)
    return Tensor(UNRANKED if rows is None else Shape((rows,), ()), "float64", "np")


@behaviour(f"{ESTIMATOR}.{{transform,fit_transform}}")
def transform(ctx: Context, self: Value, data: Value, *rest: Value, **keywords: Value) -> Value:
    rows = _checked(ctx, data)
    if rows is None:
        return Tensor(UNRANKED, None, "np")
    count = as_size(ctx.get(self, "_count") or NONE) if isinstance(self, Ref) else None
    columns = ctx.fresh("components", Kind.LOST, "as many as are kept") if count is None else count
    return Tensor(Shape((rows, columns)), "float64", "np")


@behaviour(f"{ESTIMATOR}.{{score,score_samples}}")
def score(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return Scalar("float")


@behaviour(f"{ESTIMATOR}.{{set_params,get_params,inverse_transform,kneighbors,apply}}")
def asked(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what an estimator tells")


PAIRS = "{cosine_similarity,euclidean_distances,pairwise_distances,rbf_kernel,linear_kernel,cosine_distances}"


@behaviour(f"sklearn.metrics.pairwise.{PAIRS}", "sklearn.metrics.pairwise_distances")
def pairwise(ctx: Context, X: Value, Y: Value = NONE, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    """Return a number for each pair of rows."""
    rows = rows_of(ctx, X)
    others = rows if Y == NONE else rows_of(ctx, Y)
    shape = UNRANKED if rows is None or others is None else Shape((rows, others))
    return Tensor(shape, "float64", "np")


@behaviour("sklearn.metrics.{silhouette_score,adjusted_rand_score}")
def measured(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Scalar("float")


FOLDS = "sklearn.model_selection.KFold"
SPLITTERS = "KFold,StratifiedKFold,GroupKFold,StratifiedGroupKFold,ShuffleSplit,StratifiedShuffleSplit,TimeSeriesSplit"


@behaviour(f"sklearn.model_selection.{{{SPLITTERS}}}")
def splitter(ctx: Context, n_splits: Value = NONE, *args: Value, **keywords: Value) -> Value:
    return ctx.new(FOLDS, _splits=n_splits)


@behaviour(f"{FOLDS}.split")
def folds(ctx: Context, self: Value, X: Value, y: Value = NONE, groups: Value = NONE) -> Value:  # noqa: N803
    """Return the indices of the rows for training and testing, whose number varies from fold to fold."""
    parts = (ctx.fresh(name, Kind.FREE, "rows of a fold") for name in ("train_rows", "test_rows"))
    pair = Seq("tuple", tuple(Tensor(Shape((part,)), "int64", "np") for part in parts))
    count = as_size(ctx.get(self, "_splits") or NONE)
    return HomogeneousSeq("iterator", pair, ctx.fresh("folds", Kind.FREE, "folds") if count is None else count)


@behaviour(f"{FOLDS}.get_n_splits")
def number_of_folds(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return ctx.get(self, "_splits") or NONE


@behaviour("sklearn.metrics.{roc_curve,precision_recall_curve,auc,make_scorer}")
@behaviour("sklearn.model_selection.{cross_val_score,cross_val_predict,GridSearchCV,RandomizedSearchCV}")
@behaviour("sklearn.{pipeline.Pipeline,pipeline.make_pipeline,compose.ColumnTransformer,impute.SimpleImputer}")
@behaviour("sklearn.feature_extraction.text.{CountVectorizer,TfidfVectorizer,TfidfTransformer,HashingVectorizer}")
@behaviour("sklearn.datasets.{fetch_openml,fetch_california_housing,fetch_20newsgroups,fetch_lfw_people,load_files}")
@behaviour("sklearn.preprocessing.{PolynomialFeatures,FunctionTransformer,PowerTransformer,KBinsDiscretizer}")
def not_followed(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("what scikit-learn makes")
