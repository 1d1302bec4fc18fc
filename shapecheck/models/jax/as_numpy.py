"""Functions that do what those of NumPy do with any arguments, and give arrays of JAX."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import NONE, Scalar, Tensor, Value
from shapecheck.models.jax.trees import anew, each_leaf
from shapecheck.models.lang import Answer, AnyValue, Blind, Context, behaviour, op
from shapecheck.models.lang import Tensor as Operand

_MAPPED = """
diag_indices histogram histogram_bin_edges histogram2d apply_along_axis apply_over_axes block fromfunction
histogramdd unique_all unique_counts unique_inverse
"""
_MAPPED += " unique_values array_repr array_str result_type promote_types einsum_path fromiter frombuffer astype"
_QUESTIONS = "array_equiv can_cast isdtype iterable"


def _register(name: str) -> None:
    def call(ctx: Context, *args: Value, **options: Value) -> Value:
        given = [_untraced(ctx.freeze(each)) for each in args]
        named = {key: _untraced(ctx.freeze(each)) for key, each in options.items()}
        made = ctx.freeze(ctx.apply(f"np.{name}", *given, **named))
        return each_leaf(ctx, made, lambda leaf: _without_dtype(leaf) if isinstance(leaf, Tensor) else leaf)

    call.__module__ = __name__
    behaviour(f"jax.numpy.{name}")(call)


def _untraced(value: Value) -> Value:
    """Return the value with arrays that NumPy takes, since it only tells the shape of the result."""
    return replace(value, trace=0) if isinstance(value, Tensor) else map_children(value, _untraced)


def _without_dtype(array: Tensor) -> Tensor:
    """Return the array without its dtype, which may have half the size in JAX."""
    return anew(Tensor(array.shape))


for _name in _MAPPED.split():
    _register(_name)


@behaviour(f"jax.numpy.{{{','.join(_QUESTIONS.split())}}}")
def question(ctx: Context, *args: Value, **options: Value) -> Value:
    return Scalar("bool")


@behaviour("jax.numpy.{finfo,iinfo}")
def limits(ctx: Context, dtype: Value) -> Value:
    return ctx.apply("np.finfo", dtype)


@op("jax.numpy.{fill_diagonal,put_along_axis,put,place}", dtype="first", oracle="none: a copy must be asked for")
def changed(arr: Operand) -> Answer:
    return "*S -> *S"


@op("jax.numpy.piecewise", dtype="first", oracle="none: functions")
def piecewise(x: Operand, condlist: AnyValue, funclist: AnyValue) -> Answer:
    return "*S -> *S"


@op("jax.numpy.{from_dlpack,polydiv,frompyfunc,load,save,savez,fromfile,fromstring}", oracle="none: other objects")
def others(x: AnyValue = NONE) -> Answer:
    raise Blind("an object of another kind")


# Probabilities -------------------------------------------------------------------------------------------------------

_OF_PLACE = "norm laplace logistic cauchy uniform expon"
_OF_SHAPE = "t gamma chi2 pareto geom poisson bernoulli gennorm"
_DENSITIES = "{pdf,logpdf,pmf,logpmf,cdf,logcdf,sf,logsf,ppf,isf}"


@op(f"jax.scipy.stats.{{{','.join(_OF_PLACE.split())}}}.{_DENSITIES}", dtype="?", oracle="none: another module")
def of_place(x: Operand, loc: Operand | None = None, scale: Operand | None = None) -> Answer:
    given = [each for each in (x, loc, scale) if each is not None]
    return f"{', '.join(['~B'] * len(given))} -> ~B"


@op(f"jax.scipy.stats.{{{','.join(_OF_SHAPE.split())}}}.{_DENSITIES}", dtype="?", oracle="none: another module")
def of_shape(x: Operand, a: Operand, loc: Operand | None = None, scale: Operand | None = None) -> Answer:
    given = [each for each in (x, a, loc, scale) if each is not None]
    return f"{', '.join(['~B'] * len(given))} -> ~B"


@op(f"jax.scipy.stats.beta.{_DENSITIES}", dtype="?", oracle="none: another module")
def of_two_shapes(
    x: Operand, a: Operand, b: Operand, loc: Operand | None = None, scale: Operand | None = None
) -> Answer:
    given = [each for each in (x, a, b, loc, scale) if each is not None]
    return f"{', '.join(['~B'] * len(given))} -> ~B"
