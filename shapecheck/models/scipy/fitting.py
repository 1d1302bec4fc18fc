"""Curve fitting and interpolation of SciPy: there is a value for each point."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Ref, Scalar, Seq, Tensor, Value, as_size, items_of
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.ops.scipy_solvers import FUNCTIONS, are_differences, called, vector
from shapecheck.shapes.claims import FALSE, AnyOf, AtLeast, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

CURVE = "scipy.interpolate.Curve"
GRID = "scipy.interpolate.Grid"
MOST_PARAMETERS = 20  # arguments without a parameter in the function are omitted


def _array(ctx: Context, value: Value) -> Tensor:
    return as_tensor(ctx.freeze(value), ctx)


# Fits ---------------------------------------------------------------------------------------------------------------


@behaviour("scipy.optimize.curve_fit")
def curve_fit(
    ctx: Context, f: Value, xdata: Value, ydata: Value, p0: Value = NONE, *others: Value, **keywords: Value
) -> Value:
    """The function is called with the points and each parameter; the result is the best ones and their covariance."""
    taken = ctx.parameters(f)
    known = _array(ctx, p0).shape.size(0) if p0 != NONE else None if taken is None else len(taken) - 1
    if taken is not None and isinstance(known, int) and not sum(taken.values()) - 1 <= known < len(taken):
        said = f"p0 has {known} values, the function has {len(taken) - 1} parameters after the first"
        ctx.require(ClashKind.AXIS, FALSE, said, p0)
        return ctx.lost("a fit that fails")
    count = known if isinstance(known, int) else MOST_PARAMETERS
    if isinstance(f, FUNCTIONS):
        places = ctx.freeze(xdata)
        made = ctx.call(f, [places if isinstance(places, Tensor) else _array(ctx, xdata), *[Scalar("float")] * count])
        _are_differences(ctx, _array(ctx, made), _array(ctx, ydata))
    if "full_output" in keywords:
        return ctx.lost("what a fit tells")
    size = ctx.fresh("parameters", Kind.LOST, "parameters of a function") if known is None else known
    return Seq("tuple", tuple(Tensor(Shape((size,) * rank), "float64", "np") for rank in (1, 2)))


def _are_differences(ctx: Context, made: Tensor, wanted: Tensor) -> None:
    """State that the two can be subtracted from each other and give a vector."""
    for tensor, said in ((made, "the function gives"), (wanted, "the data has")):
        rank = tensor.shape.rank
        if rank is not None and rank > 1:
            ctx.require(
                ClashKind.RANK, Equal(rank, 1), f"{said} shape {tensor.shape}, differences must be a vector", tensor
            )
            return
    if made.shape.rank == wanted.shape.rank == 1:
        (first,), (second,) = made.shape.sizes, wanted.shape.sizes
        claim = AnyOf((Equal(first, second), Equal(first, 1), Equal(second, 1)))
        ctx.require(ClashKind.AXIS, claim, f"the function gives {first} values, the data has {second}", made, wanted)


@behaviour("scipy.optimize.leastsq")
def leastsq(ctx: Context, func: Value, x0: Value, args: Value = NONE, *others: Value, **keywords: Value) -> Value:
    state = vector(ctx, x0)
    made = are_differences(ctx, called(ctx, func, (state,), args))
    if made.shape.rank in (0, 1):
        (unknowns,), count = state.shape.sizes, made.shape.sizes[0] if made.shape.rank else 1
        said = f"the function gives {ctx.resolve(count)} differences for {ctx.resolve(unknowns)} unknowns"
        ctx.require(ClashKind.AXIS, AtLeast(count, unknowns), said, made)
    is_plain = not others and "full_output" not in keywords
    return Seq("tuple", (state, Scalar("int"))) if is_plain else ctx.lost("what a fit tells")


# Curves -------------------------------------------------------------------------------------------------------------


def curve(ctx: Context, x: Value, y: Value, axis: int | None) -> Value:
    """Return a function through points, which are along one axis of the values."""
    places, heights = _array(ctx, x), _array(ctx, y)
    rank = places.shape.rank
    if rank is not None and rank != 1:
        ctx.require(ClashKind.RANK, Equal(rank, 1), f"x has rank {rank}, not 1", places)
    size = heights.shape.size(axis) if axis is not None else None
    if axis is not None and heights.shape.rank and not -heights.shape.rank <= axis < heights.shape.rank:
        said = f"axis {axis} is out of range: y has rank {heights.shape.rank}"
        ctx.require(ClashKind.AXIS_RANGE, FALSE, said, heights)
    if rank == 1 and size is not None:
        (count,) = places.shape.sizes
        ctx.require(ClashKind.AXIS, Equal(count, size), f"x has {count} values, y has {size}", places, heights)
    return ctx.new(CURVE, _heights=heights, _axis=NONE if axis is None else Const(axis))


@behaviour("scipy.interpolate.interp1d")
def interp1d(
    ctx: Context, x: Value, y: Value, kind: Value = NONE, axis: Value = Const(-1), *others: Value, **keywords: Value
) -> Value:
    return curve(ctx, x, y, _axis(axis))


@behaviour("scipy.interpolate.{CubicSpline,PchipInterpolator,Akima1DInterpolator,KroghInterpolator}")
def spline(ctx: Context, x: Value, y: Value, axis: Value = Const(0), *others: Value, **keywords: Value) -> Value:
    return curve(ctx, x, y, _axis(axis))


@behaviour("scipy.interpolate.{UnivariateSpline,InterpolatedUnivariateSpline,make_interp_spline,make_lsq_spline}")
@behaviour("scipy.interpolate.{make_smoothing_spline,CubicHermiteSpline,LSQUnivariateSpline}")
def smooth(ctx: Context, x: Value, y: Value, *others: Value, **keywords: Value) -> Value:
    return curve(ctx, x, y, 0 if "axis" not in keywords else None)


@behaviour("scipy.interpolate.RegularGridInterpolator")
def grid(ctx: Context, points: Value, values: Value, *others: Value, **keywords: Value) -> Value:
    """Return a function on a grid: the values have an axis for each list of points, and more axes after these."""
    axes = items_of(ctx.freeze(points))
    heights = _array(ctx, values)
    if axes is None or heights.shape.rank is None:
        return ctx.lost("a function on an unknown grid")
    rank = heights.shape.rank
    if rank < len(axes):
        ctx.require(ClashKind.RANK, FALSE, f"values has rank {rank}, there are {len(axes)} lists of points", heights)
        return ctx.lost("a function on a grid")
    for at, (given, size) in enumerate(zip(axes, heights.shape.sizes, strict=False)):
        places = _array(ctx, given)
        if places.shape.rank == 1:
            (count,) = places.shape.sizes
            said = f"there are {count} points on axis {at}, values has {size}"
            ctx.require(ClashKind.AXIS, Equal(count, size), said, places, heights)
    return ctx.new(GRID, _heights=heights, _axes=Const(len(axes)))


@behaviour(f"{GRID}.__call__")
def values_on_grid(ctx: Context, self: Value, xi: Value, *others: Value, **keywords: Value) -> Value:
    """There is a value for each point, whose coordinates are the last axis."""
    heights, axes = ctx.get(self, "_heights"), _axis(ctx.get(self, "_axes") or NONE)
    if not isinstance(heights, Tensor) or axes is None or not isinstance(xi, Tensor) or (xi.shape.rank or 0) < 2:
        return Tensor(UNRANKED, "float64", "np")
    *places, count = xi.shape.sizes
    ctx.require(ClashKind.AXIS, Equal(count, axes), f"xi has {count} columns, the grid has {axes} axes", xi, heights)
    return Tensor(Shape((*places, *heights.shape.sizes[axes:])), "float64", "np")


def _axis(value: Value) -> int | None:
    found = as_size(value)
    return found if isinstance(found, int) else None


base(CURVE, "object")
base(GRID, "object")


@behaviour(f"{CURVE}.__call__")
def heights_at(ctx: Context, self: Value, x: Value, *others: Value, **keywords: Value) -> Value:
    """The shape of the points replaces the axis of the values."""
    heights = ctx.get(self, "_heights") if isinstance(self, Ref) else None
    axis = _axis(ctx.get(self, "_axis") or NONE)
    places = _array(ctx, x).shape
    if not isinstance(heights, Tensor) or axis is None or not heights.shape.is_ranked or not places.is_ranked:
        return Tensor(UNRANKED, "float64", "np")
    return Tensor(Shape(_instead(heights.shape.sizes, axis, places.sizes)), "float64", "np")


def _instead(sizes: Sequence[Size], axis: int, places: Sequence[Size]) -> tuple[Size, ...]:
    at = axis % len(sizes) if sizes else 0
    return (*sizes[:at], *places, *sizes[at + 1 :])
