"""Estimators that the program writes to a file and reads again."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Ref, Value, as_str
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.settings import SETTINGS, setting
from shapecheck.models.sklearn.estimators import ESTIMATOR
from shapecheck.models.sklearn.preprocessing import SCALER


@behaviour("joblib.dump")
def dump(ctx: Context, value: Value, filename: Value = NONE, *args: Value, **keywords: Value) -> Value:
    path = as_str(filename)
    if path is not None:
        ctx.set(SETTINGS, f"dumped to {path}", value)
    return ctx.lost("names of files")


@behaviour("joblib.load")
def load(ctx: Context, filename: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """Return the estimator that was last written to the file: it may be fitted again, which makes no difference."""
    path = as_str(filename)
    found = None if path is None else setting(ctx, f"dumped to {path}")
    is_fitted = isinstance(found, Ref) and found.cls in (ESTIMATOR, SCALER)
    return found if found is not None and is_fitted else ctx.lost("data read from a file")
