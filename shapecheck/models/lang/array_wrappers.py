"""NumPy's functions of objects that wrap arrays: a column of a data frame gives a column, a tensor a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapecheck.domain.values import Ref, Tensor, Value
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.packs import arrays

_OF_ONE = """abs absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil conj conjugate cos cosh deg2rad degrees
    exp exp2 expm1 fabs floor isfinite isinf isnan log log10 log1p log2 logical_not negative positive rad2deg radians
    reciprocal rint sign sin sinh sqrt square tan tanh trunc"""
_OF_TWO = """add arctan2 divide equal float_power floor_divide fmax fmin greater greater_equal hypot less less_equal
    logical_and logical_or logical_xor maximum minimum mod multiply not_equal power remainder subtract true_divide"""
UFUNCS = frozenset(f"np.{name}" for name in (*_OF_ONE.split(), *_OF_TWO.split()))
_METHODS = "argmax argmin argsort clip cumprod cumsum repeat reshape round squeeze swapaxes take transpose"
_AS_METHODS = frozenset(f"np.{name}" for name in _METHODS.split())
"""Functions that call a method of their argument, or wrap what they give."""


def wrapped(ctx: Context, name: str, args: Sequence[Value], result: Value) -> Value:
    """Return the result in the form of the first object that wraps an array."""
    if not isinstance(result, Tensor) or name not in UFUNCS | _AS_METHODS:
        return result
    for value in args[: 2 if name in UFUNCS else 1]:
        if isinstance(value, Tensor) and arrays(value.library).kept_by_numpy:
            return replace(result, library=value.library)
        wrap = ctx.get(value, "__array_wrap__") if isinstance(value, Ref) and value.cls != "user" else None
        if wrap is not None and name in UFUNCS:
            return ctx.call(wrap, [result])
    return result
