"""Metrics of scikit-learn: predictions are compared with true values, row by row and column by column."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Scalar, Tensor, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.split_parts import are_mixed
from shapecheck.models.pandas.frames import array_of
from shapecheck.shapes.claims import AtLeast, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size

CLASSES = "accuracy_score f1_score fbeta_score hamming_loss jaccard_score precision_score recall_score zero_one_loss"
NUMBERS = """explained_variance_score mean_absolute_error mean_absolute_percentage_error mean_squared_error
    mean_squared_log_error median_absolute_error r2_score root_mean_squared_error"""
SINGLE = "balanced_accuracy_score cohen_kappa_score matthews_corrcoef max_error"
PARTS = {"average": "macro", "multioutput": "uniform_average"}  # one number for all classes or columns


def _names(*lists: str) -> str:
    return f"sklearn.metrics.{{{','.join(name for each in lists for name in each.split())}}}"


@behaviour(_names(CLASSES, NUMBERS))
def score(ctx: Context, y_true: Value = NONE, y_pred: Value = NONE, *args: Value, **keywords: Value) -> Value:
    _meet(ctx, y_true, y_pred)
    return _number(ctx, keywords)


@behaviour(_names(SINGLE))
def single(ctx: Context, y_true: Value = NONE, y_pred: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return a score for one label or number in each row."""
    _meet(ctx, y_true, y_pred, is_single=True)
    return Scalar("float")


@behaviour("sklearn.metrics.roc_auc_score")
def area(ctx: Context, y_true: Value = NONE, y_score: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Labels go with the chances of one class, unless it is said how several classes are compared."""
    true, chances = array_of(ctx, y_true), array_of(ctx, y_score)
    is_plain = not args and "multi_class" not in keywords
    if is_plain and true is not None and true.shape.rank == 1 and chances is not None and chances.shape.rank == 2:
        said = f"y_true has shape {true.shape}, y_score {chances.shape}: the chances of one class are needed"
        ctx.require(ClashKind.AXIS, Equal(chances.shape.head[1], 1), said, true, chances)
    return of_chances(ctx, y_true, y_score, *args, **keywords)


@behaviour("sklearn.metrics.{brier_score_loss,log_loss,average_precision_score}")
def of_chances(ctx: Context, y_true: Value = NONE, y_score: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Labels may be compared with the probabilities of all classes."""
    _have_as_many_rows(ctx, array_of(ctx, y_true), array_of(ctx, y_score), ("y_true", "y_score"))
    return _number(ctx, keywords)


@behaviour("sklearn.metrics.{roc_curve,precision_recall_curve,det_curve}")
def curve(ctx: Context, y_true: Value = NONE, y_score: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return a point for each threshold, of which there are as many as different scores."""
    for name, value in (("y_true", y_true), ("y_score", y_score)):
        tensor = array_of(ctx, value)
        width = None if tensor is None else _width(ctx, tensor)
        if tensor is not None and width is not None:
            said = f"{name} has shape {tensor.shape.map(ctx.resolve)}, one value is needed for each row"
            ctx.require(ClashKind.AXIS, Equal(width, 1), said, tensor)
    _have_as_many_rows(ctx, array_of(ctx, y_true), array_of(ctx, y_score), ("y_true", "y_score"))
    return ctx.lost("the points of a curve")


@behaviour("sklearn.metrics.{silhouette_score,silhouette_samples,davies_bouldin_score,calinski_harabasz_score}")
def of_clusters(ctx: Context, X: Value = NONE, labels: Value = NONE, *args: Value, **keywords: Value) -> Value:  # noqa: N803
    """There is a cluster for each row."""
    _have_as_many_rows(ctx, array_of(ctx, X), array_of(ctx, labels), ("X", "labels"))
    return ctx.lost("how apart clusters are")


@behaviour(_names("adjusted_rand_score rand_score mutual_info_score", "v_measure_score homogeneity_score"))
@behaviour(_names("adjusted_mutual_info_score normalized_mutual_info_score completeness_score"))
def of_labels(
    ctx: Context, labels_true: Value = NONE, labels_pred: Value = NONE, *args: Value, **keywords: Value
) -> Value:
    _meet(ctx, labels_true, labels_pred, is_single=True)
    return Scalar("float")


@behaviour("sklearn.metrics.confusion_matrix")
def confusion(ctx: Context, y_true: Value = NONE, y_pred: Value = NONE, *args: Value, **keywords: Value) -> Value:
    _meet(ctx, y_true, y_pred, is_single=True)
    classes = ctx.fresh("classes", Kind.FREE, "the classes met")
    return Tensor(Shape((classes, classes)), "int64", "np")


@behaviour("sklearn.metrics.classification_report")
def report(ctx: Context, y_true: Value = NONE, y_pred: Value = NONE, *args: Value, **keywords: Value) -> Value:
    _meet(ctx, y_true, y_pred)
    return ctx.lost("figures for each class") if "output_dict" in keywords else Scalar("str")


def _number(ctx: Context, keywords: dict[str, Value]) -> Value:
    """Return one number, unless one for each class or column may have been requested."""
    asked = [keywords[name] for name in PARTS if name in keywords]
    if all(isinstance(value, Const) and value.value not in (None, "raw_values") for value in asked):
        return Scalar("float")
    return ctx.lost("figures for each class")


def _meet(ctx: Context, y_true: Value, y_pred: Value, is_single: bool = False) -> None:
    """State that both have as many rows, and as many columns: a vector has one."""
    true, pred = array_of(ctx, y_true), array_of(ctx, y_pred)
    _have_as_many_rows(ctx, true, pred)
    widths = [(tensor, _width(ctx, tensor)) for tensor in (true, pred) if tensor is not None]
    known = [(tensor, width) for tensor, width in widths if width is not None]
    if len(known) == 2 and known[0][1] != known[1][1]:
        (first, wanted), (second, given) = known
        said = f"y_true has shape {first.shape}, y_pred has shape {second.shape}"
        ctx.require(ClashKind.AXIS, Equal(wanted, given), said, first, second)
    elif is_single:
        for tensor, width in known:
            said = f"labels of shape {tensor.shape} are not one for each row"
            ctx.require(ClashKind.AXIS, Equal(width, 1), said, tensor)


def _width(ctx: Context, tensor: Tensor) -> Size | None:
    rank = tensor.shape.rank
    if rank is not None and rank > 2:
        said = f"the data has rank {rank}, a metric takes a vector or a matrix"
        ctx.require(ClashKind.RANK, AtLeast(2, rank), said, tensor)
    return None if rank not in (1, 2) else tensor.shape.sizes[1] if rank == 2 else 1


def _have_as_many_rows(
    ctx: Context, first: Tensor | None, second: Tensor | None, names: tuple[str, str] = ("y_true", "y_pred")
) -> None:
    sizes = [tensor.shape.size(0) for tensor in (first, second) if tensor is not None and tensor.shape.rank != 0]
    if first is None or second is None or len(sizes) < 2 or None in sizes:
        return
    wanted, given = sizes
    if are_mixed(ctx, names, first, second):
        return
    if wanted is not None and given is not None and wanted != given:
        said = f"{names[0]} has {wanted} rows, {names[1]} has {given}"
        ctx.require(ClashKind.AXIS, Equal(wanted, given), said, first, second)
