"""np.polynomial: polynomials of several bases, as functions and as objects."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Ref, Tensor, Value, as_size
from shapecheck.models.lang import Answer, Context, Size, attribute, base, behaviour, of_rank, op
from shapecheck.models.lang import Tensor as Operand
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

BASES = (
    ("polynomial", "poly", "Polynomial"),
    ("chebyshev", "cheb", "Chebyshev"),
    ("legendre", "leg", "Legendre"),
    ("hermite", "herm", "Hermite"),
    ("hermite_e", "herme", "HermiteE"),
    ("laguerre", "lag", "Laguerre"),
)
COUNT = "_count"


def _functions(module: str, short: str) -> None:
    start = f"np.polynomial.{module}.{short}"

    @op(f"{start}vander")
    def vander(x: Operand, deg: Size) -> Answer:
        """A number counts as a vector."""
        return ("*S -> *S {d}", {"d": deg + 1}) if x.rank else UNRANKED

    @op(f"{start}val", oracle="none: coefficients of several polynomials")
    def val(x: Operand, c: Operand) -> Answer:
        return x.shape if c.rank == 1 else UNRANKED

    @op(f"{start}fit", oracle="none: needs points that determine it")
    def fit(x: Operand, y: Operand, deg: Size) -> Answer:
        return "n, n *S -> {c} *S", {"c": deg + 1}


@op("np.polynomial.polyutils.getdomain")
def getdomain(x: Operand) -> Answer:
    of_rank(x, 0, 1)
    return Shape((2,))


@op("np.polynomial.polyutils.mapdomain", oracle="none: of two domains")
def mapdomain(x: Operand, old: Operand, new: Operand) -> Answer:
    return x.shape


def _objects(module: str, cls: str) -> None:
    name = f"np.polynomial.{cls}"
    base(name, "object")

    def new(ctx: Context, count: AnySize) -> Value:
        return ctx.new(name, **{COUNT: Tensor(Shape((count,)), None, "np")})

    @behaviour(name, f"np.polynomial.{module}.{cls}")
    def made(ctx: Context, coef: Value, *others: Value, **keywords: Value) -> Value:
        given = as_tensor(ctx.freeze(coef), ctx)
        return new(ctx, given.shape.sizes[0] if given.shape.rank == 1 else lost())

    @behaviour(f"{name}.fit", f"np.polynomial.{module}.{cls}.fit")
    def fitted(ctx: Context, x: Value, y: Value, deg: Value, *others: Value, **keywords: Value) -> Value:
        degree = as_size(deg)
        return new(ctx, lost() if degree is None or not isinstance(deg, Const) else degree + 1)

    @behaviour(f"{name}.__call__")
    def values(ctx: Context, self: Value, arg: Value) -> Value:
        return Tensor(as_tensor(ctx.freeze(arg), ctx).shape, None, "np")

    @behaviour(f"{name}.{{convert,copy,trim,truncate}}")
    def converted(ctx: Context, self: Value, *others: Value, **keywords: Value) -> Value:
        """Leading zeros may be left out."""
        return new(ctx, lost())

    @attribute(f"{name}.coef")
    def coef(ctx: Context, self: Value) -> Value:
        return (ctx.get(self, COUNT) if isinstance(self, Ref) else NONE) or NONE


for _module, _short, _cls in BASES:
    _functions(_module, _short)
    _objects(_module, _cls)


# Polynomials as functions of one variable -----------------------------------------------------------------------------

POLY = "np.poly1d"
base(POLY, "object")


@behaviour(POLY, "scipy.special.{legendre,chebyt,chebyu,chebyc,chebys,hermite,hermitenorm,laguerre,genlaguerre,jacobi}")
@behaviour("scipy.special.{gegenbauer,sh_legendre,sh_chebyt,sh_chebyu,sh_jacobi}", f"{POLY}.{{deriv,integ}}")
def poly1d(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new(POLY)


@behaviour(f"{POLY}.__call__")
def poly1d_at(ctx: Context, self: Value, val: Value) -> Value:
    """Another polynomial in place of the variable gives a third one."""
    if isinstance(val, Ref) and val.cls == POLY:
        return ctx.new(POLY)
    return Tensor(as_tensor(ctx.freeze(val), ctx).shape, None, "np")


@attribute(f"{POLY}.{{c,coef,coeffs,coefficients,r,roots}}")
def poly1d_coef(ctx: Context, self: Value) -> Value:
    """Leading zeros are left out."""
    return Tensor(Shape((lost(),)), None, "np")
