"""Pipelines and searches of scikit-learn: estimators made of others, which are fitted to the same columns."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Ref, Tensor, Value, as_size, as_str, items_of, of_size
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.sklearn.estimators import ESTIMATOR, fit
from shapecheck.models.sklearn.preprocessing import ENCODER, SCALER
from shapecheck.models.sklearn.rows import meet_groups, rows_of
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

SEARCHES = "{GridSearchCV,RandomizedSearchCV,HalvingGridSearchCV,HalvingRandomSearchCV}"


@behaviour("sklearn.pipeline.make_pipeline")
def make_pipeline(ctx: Context, *steps: Value, **keywords: Value) -> Value:
    """Return an estimator that takes tables, if the first step does, and predicts as the last one."""
    if not steps or not all(isinstance(step, Ref) and step.cls in (ESTIMATOR, SCALER) for step in steps):
        return ctx.lost("what scikit-learn makes")
    made = _like(ctx, steps[-1])
    ctx.set(made, "_first", next((step for step in steps if not _keeps_columns(step)), NONE))
    return made


def _keeps_columns(step: Value) -> bool:
    """Return whether what comes after a step receives as many columns."""
    return isinstance(step, Ref) and step.cls == SCALER


@behaviour("sklearn.pipeline.Pipeline")
def pipeline(ctx: Context, steps: Value = NONE, *args: Value, **keywords: Value) -> Value:
    pairs = [items_of(ctx.freeze(pair)) for pair in ctx.elements(steps) or ()]
    known = [pair[1] for pair in pairs if pair is not None and len(pair) == 2]
    return make_pipeline(ctx, *known) if len(known) == len(pairs) else ctx.lost("what scikit-learn makes")


@behaviour(f"sklearn.model_selection.{SEARCHES}")
def search(ctx: Context, estimator: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return an estimator whose options are those found best."""
    if not isinstance(estimator, Ref) or estimator.cls != ESTIMATOR:
        return ctx.lost("what scikit-learn makes")
    return ctx.new(ESTIMATOR, _count=NONE, _name=ctx.get(estimator, "_name") or NONE)


@attribute(f"{ESTIMATOR}.best_estimator_")
def best_estimator(ctx: Context, self: Value) -> Value:
    """The best estimator is fitted to the same data as the search."""
    return self


@behaviour("sklearn.base.clone")
def clone(ctx: Context, estimator: Value = NONE, **keywords: Value) -> Value:
    is_known = isinstance(estimator, Ref) and estimator.cls == ESTIMATOR
    return _like(ctx, estimator) if is_known else ctx.lost("what scikit-learn makes")


def _like(ctx: Context, estimator: Value) -> Ref:
    """Return an estimator of the same kind that is not fitted; a pipeline may end with a scaler."""
    return ctx.new(ESTIMATOR, **{key: ctx.get(estimator, key) or NONE for key in ("_name", "_count", "_first")})


@behaviour("sklearn.model_selection.cross_val_score")
def cross_val_score(
    ctx: Context,
    estimator: Value,
    X: Value,  # noqa: N803
    y: Value = NONE,
    groups: Value = NONE,
    scoring: Value = NONE,
    cv: Value = NONE,
    **keywords: Value,
) -> Value:
    """Return a score for each fold; a clone of the estimator is fitted to each."""
    if not isinstance(estimator, Ref) or estimator.cls != ESTIMATOR:
        return ctx.lost("what scikit-learn makes")
    fit(ctx, _like(ctx, estimator), X, y)
    meet_groups(ctx, X, groups)
    count = as_size(Const(5) if cv == NONE else cv)
    return ctx.lost("scores of folds") if count is None else Tensor(Shape((count,)), "float64", "np")


# Transformers of some columns ---------------------------------------------------------------------------------------

COLUMNS = "sklearn.compose.Columns"
base(COLUMNS, ESTIMATOR)


@behaviour("sklearn.compose.ColumnTransformer")
def by_column(ctx: Context, transformers: Value = NONE, remainder: Value = Const("drop"), **keywords: Value) -> Value:
    """Each part takes some of the columns; what it makes of them stands beside what the others make."""
    parts = [items_of(ctx.freeze(part)) for part in ctx.elements(transformers) or ()]
    if not parts or remainder != Const("drop"):
        return ctx.lost("what scikit-learn makes")
    sizes = [_made_by(ctx, part[1], part[2]) if part and len(part) == 3 else None for part in parts]
    total: Size = 0
    for size in sizes:
        if size is None:
            return ctx.lost("what scikit-learn makes")
        total = total + size
    return ctx.new(COLUMNS, _count=of_size(total), _name=NONE)


def _made_by(ctx: Context, part: Value, columns: Value) -> Size | None:
    """Return how many columns a transformer makes of some; of categories at least one of each."""
    names = items_of(ctx.freeze(columns))
    count = 1 if as_str(columns) is not None else None if names is None else len(names)
    if part == Const("drop"):
        return 0
    if count is None or count == 0:
        return None
    if part == Const("passthrough") or (isinstance(part, Ref) and part.cls == SCALER):
        return count
    if isinstance(part, Ref) and part.cls == ENCODER:
        return ctx.fresh("categories", Kind.FREE, "the classes met", count)
    return None


@behaviour(f"{COLUMNS}.fit")
def fit_columns(ctx: Context, self: Ref, *args: Value, **keywords: Value) -> Value:
    return self


@behaviour(f"{COLUMNS}.transform", f"{COLUMNS}.fit_transform")
def transform_columns(ctx: Context, self: Ref, X: Value, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    rows, count = rows_of(ctx, X), as_size(ctx.get(self, "_count") or NONE)
    return Tensor(UNRANKED if rows is None or count is None else Shape((rows, count)), None, "np")
