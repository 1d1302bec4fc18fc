"""Probability distributions of SciPy, also frozen ones: their parameters broadcast with what they are evaluated at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Ref, Scalar, Seq, Tensor, Value
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor, shape_arg
from shapecheck.models.lang.constraints import broadcasting
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

FROZEN = "scipy.stats.rv_frozen"
PARAMETERS = "_parameters"
"""An array of the shape that the parameters of a frozen distribution broadcast to."""
COUNTED = "_counted"
"""Set for a frozen distribution of whole numbers."""

CONTINUOUS = {
    0: "anglit arcsine cauchy cosine expon gibrat gumbel_l gumbel_r halfcauchy halflogistic halfnorm hypsecant "
    "kstwobign landau laplace levy levy_l logistic maxwell moyal norm rayleigh semicircular uniform wald",
    1: "alpha argus bradford chi chi2 dgamma dweibull erlang exponnorm exponpow fatiguelife fisk foldcauchy foldnorm "
    "gamma genextreme genhalflogistic genlogistic gennorm genpareto gompertz halfgennorm invgamma invgauss invweibull "
    "irwinhall kappa3 ksone kstwo laplace_asymmetric loggamma loglaplace lognorm lomax nakagami pareto pearson3 "
    "powerlaw powernorm rdist recipinvgauss rel_breitwigner rice skewcauchy skewnorm t triang truncexpon tukeylambda "
    "vonmises vonmises_line weibull_max weibull_min wrapcauchy",
    2: "beta betaprime burr burr12 crystalball exponweib f gengamma geninvgauss jf_skew_t johnsonsb johnsonsu kappa4 "
    "levy_stable loguniform mielke nct ncx2 norminvgauss powerlognorm reciprocal studentized_range trapezoid "
    "truncnorm truncpareto",
    3: "genexpon genhyperbolic ncf truncweibull_min",
    4: "dpareto_lognorm gausshyper",
}
DISCRETE = {
    1: "bernoulli dlaplace geom logser planck poisson yulesimon zipf",
    2: "binom boltzmann nbinom randint skellam zipfian",
    3: "betabinom betanbinom hypergeom nhypergeom",
    4: "nchypergeom_fisher nchypergeom_wallenius",
}
"""The distributions by their number of shape parameters, which come before `loc` and `scale`."""

AT_POINTS = "pdf,logpdf,pmf,logpmf,cdf,logcdf,sf,logsf,ppf,isf"
MOMENTS = "mean,var,std,median,entropy"

base(FROZEN, "object")
JOINT = "scipy.stats.multivariate_normal_frozen"
base(JOINT, "object")


def _broadcast(ctx: Context, given: Sequence[Value]) -> Shape:
    """Return the shape that arguments broadcast to, after stating that they do."""
    tensors = [as_tensor(ctx.freeze(value), ctx) for value in given]
    said = " and ".join(str(tensor.shape) for tensor in tensors if tensor.shape != SCALAR)
    shape, needs = broadcasting([tensor.shape for tensor in tensors], said)
    for need in needs:
        ctx.require(need.kind, need.claim, need.message, *tensors)
    return shape


def _numbers(keywords: Mapping[str, Value], *others: str) -> list[Value]:
    return [value for name, value in keywords.items() if name not in others]


def _drawn(ctx: Context, parameters: Shape, size: Value, dtype: str) -> Tensor:
    """Return numbers that were drawn: of a given shape, or one for each parameter."""
    return Tensor(parameters if size == NONE else shape_arg(ctx.freeze(size), ctx), dtype, "np")


def _register(names: str, shapes: int, scales: int) -> None:
    """Register distributions with so many shape parameters, followed by `loc` and, for `scales` of 2, by `scale`."""
    these = f"scipy.stats.{{{names.replace(' ', ',')}}}"
    is_counted = scales == 1

    @behaviour(these)
    @behaviour(f"{these}.freeze")
    def frozen(ctx: Context, *args: Value, **keywords: Value) -> Value:
        shape = _broadcast(ctx, [*args, *keywords.values()]) if args or keywords else SCALAR
        counted = {COUNTED: NONE} if is_counted else {}
        return ctx.new(FROZEN, **{PARAMETERS: Tensor(shape, "float64", "np")}, **counted)

    @behaviour(f"{these}.{{{AT_POINTS}}}")
    def at_points(ctx: Context, *args: Value, **keywords: Value) -> Value:
        return Tensor(_broadcast(ctx, [*args, *keywords.values()]), "float64", "np")

    @behaviour(f"{these}.{{{MOMENTS}}}")
    def moment(ctx: Context, *args: Value, **keywords: Value) -> Value:
        return Tensor(_broadcast(ctx, [*args, *keywords.values()]) if args or keywords else SCALAR, "float64", "np")

    @behaviour(f"{these}.rvs")
    def drawn(ctx: Context, *args: Value, **keywords: Value) -> Value:
        parameters = [*args[: shapes + scales], *_numbers(keywords, "size", "random_state")]
        sizes = args[shapes + scales : shapes + scales + 1]
        size = sizes[0] if sizes else keywords.get("size", NONE)
        shape = _broadcast(ctx, parameters) if parameters and size == NONE else SCALAR
        return _drawn(ctx, shape, size, "int64" if is_counted else "float64")

    @behaviour(f"{these}.fit")
    def fitted(ctx: Context, data: Value, *args: Value, **keywords: Value) -> Value:
        return Seq("tuple", tuple(Scalar("float") for _ in range(shapes + scales)))

    @behaviour(f"{these}.interval")
    def interval(ctx: Context, *args: Value, **keywords: Value) -> Value:
        bound = Tensor(_broadcast(ctx, [*args, *keywords.values()]), "float64", "np")
        return Seq("tuple", (bound, bound))


for _shapes, _names in CONTINUOUS.items():
    _register(_names, _shapes, 2)
for _shapes, _names in DISCRETE.items():
    _register(_names, _shapes, 1)


# Frozen distributions ------------------------------------------------------------------------------------------------


def _parameters(ctx: Context, self: Value) -> Shape:
    found = ctx.get(self, PARAMETERS) if isinstance(self, Ref) else None
    return found.shape if isinstance(found, Tensor) else UNRANKED


@behaviour(f"{FROZEN}.{{{AT_POINTS}}}")
def frozen_at_points(ctx: Context, self: Value, x: Value) -> Value:
    return Tensor(_broadcast(ctx, [x, Tensor(_parameters(ctx, self), None, "np")]), "float64", "np")


@behaviour(f"{FROZEN}.{{{MOMENTS}}}")
def frozen_moment(ctx: Context, self: Value) -> Value:
    return Tensor(_parameters(ctx, self), "float64", "np")


@behaviour(f"{FROZEN}.rvs")
def frozen_drawn(ctx: Context, self: Value, size: Value = NONE, random_state: Value = NONE) -> Value:
    is_counted = isinstance(self, Ref) and ctx.get(self, COUNTED) is not None
    return _drawn(ctx, _parameters(ctx, self), size, "int64" if is_counted else "float64")


@behaviour(f"{FROZEN}.interval")
def frozen_interval(ctx: Context, self: Value, confidence: Value = NONE, **keywords: Value) -> Value:
    given = [*keywords.values(), *([confidence] if confidence != NONE else [])]
    bound = Tensor(_broadcast(ctx, [*given, Tensor(_parameters(ctx, self), None, "np")]), "float64", "np")
    return Seq("tuple", (bound, bound))


# Distributions of vectors --------------------------------------------------------------------------------------------


def _rows(ctx: Context, size: Value, variables: Value) -> Shape:
    """Return the shape of vectors that were drawn, each with a number for each variable."""
    one = as_tensor(ctx.freeze(variables), ctx).shape
    many = SCALAR if size == NONE else shape_arg(ctx.freeze(size), ctx)
    return Shape((*many.sizes, *one.sizes)) if one.rank == 1 and many.is_ranked else UNRANKED


@behaviour("scipy.stats.multinomial.rvs")
def multinomial_drawn(ctx: Context, n: Value, p: Value, size: Value = NONE, random_state: Value = NONE) -> Value:
    return Tensor(_rows(ctx, size, p), "int64", "np")


@behaviour("scipy.stats.dirichlet.rvs")
def dirichlet_drawn(ctx: Context, alpha: Value, size: Value = NONE, random_state: Value = NONE) -> Value:
    """There is always an axis of vectors."""
    rows = Shape((1, *_rows(ctx, NONE, alpha).head)) if size == NONE else _rows(ctx, size, alpha)
    return Tensor(rows if as_tensor(ctx.freeze(alpha), ctx).shape.rank == 1 else UNRANKED, "float64", "np")


@behaviour("scipy.stats.multivariate_normal.rvs")
def normal_drawn(
    ctx: Context, mean: Value = NONE, cov: Value = NONE, size: Value = NONE, random_state: Value = NONE
) -> Value:
    """Axes of size 1 are dropped."""
    found = _rows(ctx, size, mean) if mean != NONE else UNRANKED
    is_plain = found.is_ranked and all(isinstance(each, int) and each != 1 for each in found.sizes)
    return Tensor(found if is_plain else UNRANKED, "float64", "np")


# Normal distributions of several variables -------------------------------------------------------------------------


@behaviour("scipy.stats.multivariate_normal")
def joint_normal(ctx: Context, mean: Value = NONE, cov: Value = NONE, *args: Value, **keywords: Value) -> Value:
    """There is a variance, and a covariance with each other, for each mean."""
    means, spread = (as_tensor(ctx.freeze(each), ctx) for each in (mean, cov))
    if mean != NONE and cov != NONE and means.shape.rank == 1 and spread.shape.rank in (1, 2):
        count = means.shape.sizes[0]
        for size in dict.fromkeys(spread.shape.sizes):
            said = f"cov has shape {spread.shape}, the mean has {count} values"
            ctx.require(ClashKind.AXIS, Equal(size, count), said, spread, means)
    return ctx.new(JOINT, mean=mean, cov=cov)


def _of_joint(name: str) -> None:
    @behaviour(f"{JOINT}.{name}")
    def of_joint(ctx: Context, self: Value, x: Value) -> Value:
        return ctx.apply(f"scipy.stats.multivariate_normal.{name}", x, *_parameters_of_joint(ctx, self))


for each in ("pdf", "cdf", "logpdf", "logcdf"):
    _of_joint(each)


@behaviour(f"{JOINT}.rvs")
def drawn_of_joint(ctx: Context, self: Value, size: Value = NONE, random_state: Value = NONE) -> Value:
    return ctx.apply("scipy.stats.multivariate_normal.rvs", *_parameters_of_joint(ctx, self), size)


def _parameters_of_joint(ctx: Context, self: Value) -> list[Value]:
    return [ctx.get(self, part) or NONE for part in ("mean", "cov")]
