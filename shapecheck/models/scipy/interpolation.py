"""Interpolation of SciPy between points of several variables: on grids and between scattered points."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Const, Ref, Seq, Tensor, Value, as_size, items_of, of_size
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.scipy.fitting import CURVE, curve, grid, heights_at, values_on_grid
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

SCATTERED = "scipy.interpolate.Scattered"
SURFACE = "scipy.interpolate.Surface"
KNOTS = "scipy.interpolate.Knots"
RADIAL = "scipy.interpolate.Radial"

base(SCATTERED, "object")
base(SURFACE, "object")
base(KNOTS, "object")
base(RADIAL, "object")


def _array(ctx: Context, value: Value) -> Tensor:
    return as_tensor(ctx.freeze(value), ctx)


def _floats(shape: Shape) -> Tensor:
    return Tensor(shape, "float64", "np")


def _coordinates(ctx: Context, value: Value) -> tuple[Shape, Size] | None:
    """Return the shape of places, and how many coordinates each has: a tuple has an array for each, otherwise they are
    the last axis.
    """
    given = ctx.freeze(value)
    if isinstance(given, Seq) and given.kind == "tuple":
        shapes = [_array(ctx, item).shape for item in given.items]
        return (broadcast(shapes)[0], len(shapes)) if shapes and all(shape.is_ranked for shape in shapes) else None
    shape = as_tensor(given, ctx).shape
    if not shape.is_ranked or not shape.sizes:
        return None
    return (shape, 1) if shape.rank == 1 else (Shape(shape.sizes[:-1]), shape.sizes[-1])


def _has_values(ctx: Context, points: tuple[Shape, Size] | None, values: Tensor) -> None:
    """State that there is a value for each point."""
    count, size = points[0].size(0) if points else None, values.shape.size(0)
    if count is not None and size is not None:
        said = f"{ctx.resolve(count)} places have {ctx.resolve(size)} heights"
        ctx.require(ClashKind.AXIS, Equal(count, size), said, values)


def _between(ctx: Context, dimensions: Size | None, values: Tensor, xi: Value) -> Value:
    """Return a value for each place, which must have as many coordinates as the points."""
    places = _coordinates(ctx, xi)
    if places is None or dimensions is None or not values.shape.rank:
        return _floats(UNRANKED)
    shape, count = places
    if count == 1 and dimensions != 1:
        return _floats(UNRANKED)  # a vector is one place, too
    said = f"xi has {ctx.resolve(count)} coordinates, the data has {ctx.resolve(dimensions)}"
    ctx.require(ClashKind.AXIS, Equal(count, dimensions), said, values)
    return _floats(Shape((*shape.sizes, *values.shape.sizes[1:])) if shape.is_ranked else UNRANKED)


@behaviour("scipy.interpolate.griddata")
def griddata(ctx: Context, points: Value, values: Value, xi: Value, *others: Value, **keywords: Value) -> Value:
    given, heights = _coordinates(ctx, points), _array(ctx, values)
    _has_values(ctx, given, heights)
    return _between(ctx, given[1] if given else None, heights, xi)


@behaviour("scipy.interpolate.{LinearNDInterpolator,NearestNDInterpolator,CloughTocher2DInterpolator}")
def scattered(ctx: Context, points: Value, values: Value = NONE, *others: Value, **keywords: Value) -> Value:
    given = _coordinates(ctx, points)
    if values == NONE or given is None:
        return ctx.lost("a function of places")
    heights = _array(ctx, values)
    _has_values(ctx, given, heights)
    return ctx.new(SCATTERED, _heights=heights, _dimensions=of_size(given[1]))


@behaviour("scipy.interpolate.RBFInterpolator")
def radial(ctx: Context, y: Value, d: Value, *others: Value, **keywords: Value) -> Value:
    """The points and the places are tables, even of one column."""
    points = _array(ctx, y)
    rank = points.shape.rank
    if rank not in (None, 2):
        ctx.require(ClashKind.RANK, Equal(rank or 0, 2), f"y has rank {rank}, not 2: a row for each point", points)
        return ctx.lost("a function of places")
    return scattered(ctx, points, d)


@behaviour(f"{SCATTERED}.__call__")
def scattered_at(ctx: Context, self: Value, *places: Value, **keywords: Value) -> Value:
    heights = ctx.get(self, "_heights") if isinstance(self, Ref) else None
    if not isinstance(heights, Tensor) or not places or keywords:
        return _floats(UNRANKED)
    dimensions = as_size(ctx.get(self, "_dimensions") or NONE)
    return _between(ctx, dimensions, heights, places[0] if len(places) == 1 else Seq("tuple", places))


@behaviour("scipy.interpolate.interpn")
def interpn(ctx: Context, points: Value, values: Value, xi: Value, *others: Value, **keywords: Value) -> Value:
    made = grid(ctx, points, values)
    return values_on_grid(ctx, made, ctx.freeze(xi)) if isinstance(made, Ref) else _floats(UNRANKED)


@behaviour("scipy.interpolate.RectBivariateSpline")
def surface(ctx: Context, x: Value, y: Value, z: Value, *others: Value, **keywords: Value) -> Value:
    """There is a row of heights for each x, and a column for each y."""
    heights = _array(ctx, z)
    for name, axis, places in (("x", 0, _array(ctx, x)), ("y", 1, _array(ctx, y))):
        if heights.shape.rank == 2 and places.shape.rank == 1:
            count, size = places.shape.sizes[0], heights.shape.sizes[axis]
            said = f"{name} has {ctx.resolve(count)} values, z has {ctx.resolve(size)} {('rows', 'columns')[axis]}"
            ctx.require(ClashKind.AXIS, Equal(count, size), said, places, heights)
    return ctx.new(SURFACE)


@behaviour(f"{SURFACE}.__call__")
def surface_on_grid(ctx: Context, self: Value, x: Value, y: Value, *others: Value, **keywords: Value) -> Value:
    """Return a table with a row for each x and a column for each y."""
    shapes = [_array(ctx, x).shape, _array(ctx, y).shape]
    is_grid = keywords.get("grid", TRUE) == TRUE and not others and all(shape.rank == 1 for shape in shapes)
    return _floats(Shape(tuple(shape.sizes[0] for shape in shapes)) if is_grid else UNRANKED)


@behaviour(f"{SURFACE}.ev")
def surface_at(ctx: Context, self: Value, xi: Value, yi: Value, *others: Value, **keywords: Value) -> Value:
    return ctx.apply("np.add", _array(ctx, xi), _array(ctx, yi))


@behaviour("scipy.interpolate.splrep")
def splrep(ctx: Context, x: Value, y: Value, *others: Value, **keywords: Value) -> Value:
    first, second = _array(ctx, x), _array(ctx, y)
    if first.shape.rank == second.shape.rank == 1:
        (count,), (size,) = first.shape.sizes, second.shape.sizes
        said = f"x has {ctx.resolve(count)} values, y has {ctx.resolve(size)}"
        ctx.require(ClashKind.AXIS, Equal(count, size), said, first, second)
    return ctx.lost("knots of a spline") if "full_output" in keywords or len(others) > 7 else ctx.new(KNOTS)


@behaviour("scipy.interpolate.splprep")
def splprep(ctx: Context, x: Value, *others: Value, **keywords: Value) -> Value:
    """Return a curve, which has a coordinate for each list of places, and its parameters."""
    axes = items_of(ctx.freeze(x))
    shape = _array(ctx, axes[0] if axes else x).shape
    if "full_output" in keywords or len(others) > 6:
        return ctx.lost("knots of a curve")
    count = shape.size(0 if axes else 1)
    places = UNRANKED if count is None or shape.rank != (1 if axes else 2) else Shape((count,))
    return Seq("tuple", (ctx.lost("knots of a curve"), _floats(places)))


@behaviour("scipy.interpolate.splev")
def splev(ctx: Context, x: Value, tck: Value, *others: Value, **keywords: Value) -> Value:
    """Return a height for each place; of a curve, such an array for each coordinate."""
    given = ctx.freeze(tck)
    is_graph = isinstance(given, Ref) and given.cls == KNOTS
    is_vector = isinstance(given, Seq) and len(given.items) == 3 and _array(ctx, given.items[1]).shape.rank == 1
    return _floats(_array(ctx, x).shape) if is_graph or is_vector else ctx.lost("a curve")


@behaviour("scipy.interpolate.{pchip_interpolate,krogh_interpolate,barycentric_interpolate}")
def interpolated(ctx: Context, xi: Value, yi: Value, x: Value, *others: Value, **keywords: Value) -> Value:
    """Return a height for each place; derivatives and other axes are not followed."""
    if others or keywords:
        return ctx.lost("derivatives of a curve")
    return heights_at(ctx, curve(ctx, xi, yi, 0), x)


@behaviour("scipy.interpolate.BSpline")
def basis_spline(ctx: Context, t: Value, c: Value, k: Value, *others: Value, **keywords: Value) -> Value:
    """There is a coefficient for each basis function, and perhaps some more."""
    is_usual = len(others) < 2 and "axis" not in keywords
    return ctx.new(CURVE, _heights=_array(ctx, c), _axis=Const(0) if is_usual else NONE)


@behaviour("scipy.interpolate.Rbf")
def radial_function(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.lost("a function of places") if "mode" in keywords else ctx.new(RADIAL)


@behaviour(f"{RADIAL}.__call__")
def radial_at(ctx: Context, self: Value, *args: Value) -> Value:
    return _floats(broadcast([_array(ctx, place).shape for place in args])[0] if args else UNRANKED)
