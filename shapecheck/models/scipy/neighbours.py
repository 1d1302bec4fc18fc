"""Searches of SciPy among points, of which each is a row."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Ref, Seq, Tensor, Value, as_size, items_of, of_size
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import AtLeast, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size

TREE = "scipy.spatial.Tree"
DENSITY = "scipy.stats.Density"

base(TREE, "object")
base(DENSITY, "object")


def _array(ctx: Context, value: Value) -> Tensor:
    return as_tensor(ctx.freeze(value), ctx)


def _kept(ctx: Context, self: Value, name: str) -> Size | None:
    return as_size(ctx.get(self, name) or NONE) if isinstance(self, Ref) else None


# Trees --------------------------------------------------------------------------------------------------------------


@behaviour("scipy.spatial.{KDTree,cKDTree}")
def tree(ctx: Context, data: Value, *others: Value, **keywords: Value) -> Value:
    points = _array(ctx, data)
    rank = points.shape.rank
    if rank not in (None, 2):
        ctx.require(ClashKind.RANK, Equal(rank or 0, 2), f"data has rank {rank}, not 2: a row for each point", points)
        return ctx.lost("a tree of points")
    rows, columns = points.shape.size(0), points.shape.size(1)
    return ctx.new(
        TREE,
        data=points,
        n=ctx.lost("points of a tree") if rows is None else of_size(rows),
        m=ctx.lost("columns of a tree") if columns is None else of_size(columns),
    )


def _places(ctx: Context, self: Value, x: Value) -> Shape | None:
    """Return the shape of the places that are searched from; state that they have the columns of the points."""
    places = _array(ctx, x)
    count, wanted = places.shape.size(-1), _kept(ctx, self, "m")
    if count is not None and wanted is not None:
        said = f"x has {ctx.resolve(count)} values for each place, the points have {ctx.resolve(wanted)}"
        ctx.require(ClashKind.AXIS, Equal(count, wanted), said, places)
    return Shape(places.shape.sizes[:-1]) if places.shape.rank else None


@behaviour(f"{TREE}.query")
def query(ctx: Context, self: Value, x: Value, k: Value = Const(1), *others: Value, **keywords: Value) -> Value:
    """Return the distances of the nearest points, and which they are; for a single one without an axis."""
    places, ranks = _places(ctx, self, x), items_of(ctx.freeze(k))
    count = as_size(k) if ranks is None else len(ranks)
    if places is None or not isinstance(count, int):
        shape = UNRANKED
    else:
        shape = places if count == 1 and ranks is None else Shape((*places.sizes, count))
    return Seq("tuple", (Tensor(shape, "float64", "np"), Tensor(shape, "int64", "np")))


@behaviour(f"{TREE}.query_ball_point")
def query_ball(ctx: Context, self: Value, x: Value, r: Value, *others: Value, **keywords: Value) -> Value:
    _places(ctx, self, x)
    return ctx.lost("the points near a place")


# Densities ----------------------------------------------------------------------------------------------------------


@behaviour("scipy.stats.gaussian_kde")
def density(ctx: Context, dataset: Value, *others: Value, **keywords: Value) -> Value:
    """A column is a point; a vector has points of one value."""
    points = _array(ctx, dataset)
    if points.shape.rank not in (1, 2):
        return ctx.lost("a density")
    dimensions, count = (1, *points.shape.sizes)[-2:]
    said = f"dataset has {ctx.resolve(dimensions)} rows and {ctx.resolve(count)} columns, each of which is a point"
    ctx.require(ClashKind.AXIS, AtLeast(count, dimensions), said, points)
    return ctx.new(DENSITY, d=of_size(dimensions), n=of_size(count), dataset=points)


@behaviour(f"{DENSITY}.{{__call__,evaluate,pdf,logpdf}}")
def density_at(ctx: Context, self: Value, points: Value) -> Value:
    """A vector with as many values as a point has is one point, too."""
    places, wanted = _array(ctx, points), _kept(ctx, self, "d")
    if places.shape.rank not in (1, 2) or wanted is None:
        return Tensor(UNRANKED, "float64", "np")
    dimensions, count = (1, *places.shape.sizes)[-2:]
    if dimensions == 1 and wanted != 1:
        said = f"points is one row, the data has {ctx.resolve(wanted)}"
        ctx.require(ClashKind.AXIS, Equal(count, wanted), said, places)
        return Tensor(UNRANKED, "float64", "np")
    said = f"points has {ctx.resolve(dimensions)} rows, the data has {ctx.resolve(wanted)}"
    ctx.require(ClashKind.AXIS, Equal(dimensions, wanted), said, places)
    return Tensor(Shape((count,)), "float64", "np")


@attribute(f"{DENSITY}.{{covariance,inv_cov,factor,neff,weights}}")
def told(ctx: Context, self: Value) -> Value:
    return ctx.lost("what a density tells")
