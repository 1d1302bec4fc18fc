"""Features that scikit-learn makes of columns."""

from __future__ import annotations

from math import comb

from shapecheck.domain.values import FALSE, NONE, TRUE, Const, Ref, Tensor, Value, as_size
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.sklearn.estimators import ESTIMATOR, fit
from shapecheck.models.sklearn.estimators import transform as transform_rows

POLYNOMIAL = "sklearn.preprocessing.Polynomial"
base(POLYNOMIAL, ESTIMATOR)


@behaviour("sklearn.preprocessing.PolynomialFeatures")
def polynomial(
    ctx: Context,
    degree: Value = Const(2),
    interaction_only: Value = FALSE,
    include_bias: Value = TRUE,
    **keywords: Value,
) -> Value:
    known = interaction_only == FALSE and include_bias in (TRUE, FALSE)
    return ctx.new(POLYNOMIAL, _degree=degree if known else NONE, _bias=include_bias, _count=NONE, _name=NONE)


@behaviour(f"{POLYNOMIAL}.transform")
def transform(ctx: Context, self: Ref, X: Value) -> Value:  # noqa: N803
    """Return a column for each product of at most so many columns; the empty product is 1."""
    made = transform_rows(ctx, self, X)
    degree, columns = as_size(ctx.get(self, "_degree") or NONE), as_size(ctx.get(self, "_columns") or NONE)
    if not isinstance(made, Tensor) or made.shape.rank != 2 or not isinstance(degree, int) or degree < 1:
        return made
    if not isinstance(columns, int):
        return made
    count = comb(columns + degree, degree) - (ctx.get(self, "_bias") == FALSE)
    return made.with_shape(type(made.shape)((made.shape.sizes[0], count)))


@behaviour(f"{POLYNOMIAL}.fit_transform")
def fit_transform(ctx: Context, self: Ref, X: Value, *rest: Value, **keywords: Value) -> Value:  # noqa: N803
    fit(ctx, self, X)
    return transform(ctx, self, X)
