"""Drawing functions of Matplotlib: points have as many values on each axis, surfaces are tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Tensor, Value, as_str
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import AllOf, AnyOf, Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, product

AXES = "matplotlib.axes.Axes"
IN_SPACE = "mpl_toolkits.mplot3d.axes3d.Axes3D"
Check: TypeAlias = Callable[[Context, Sequence[Value]], None]


def _array(ctx: Context, value: Value) -> Tensor:
    return as_tensor(ctx.freeze(value), ctx)


def _is_text(value: Value) -> bool:
    return as_str(value) is not None


# Lines --------------------------------------------------------------------------------------------------------------


def lines(ctx: Context, given: Sequence[Value]) -> None:
    """Check pairs of arguments, each with or without its format; the last may be values alone."""
    left = list(given)
    while left:
        group, left = left[:2], left[2:]
        if any(map(_is_text, group[:1])):
            return  # names of columns
        if len(group) == 2 and not _is_text(group[1]):
            _are_paired(ctx, *group)
            left = left[1:] if left and _is_text(left[0]) else left


def _are_paired(ctx: Context, x: Value, y: Value) -> None:
    """State that the values are paired: a scalar is one value; columns are lines."""
    across, up = _array(ctx, x), _array(ctx, y)
    if not across.shape.is_ranked or not up.shape.is_ranked:
        return
    first, second = (tensor.shape.sizes or (1,) for tensor in (across, up))
    said = f"x has {first[0]} values, y has {second[0]}"
    ctx.require(ClashKind.AXIS, Equal(first[0], second[0]), said, across, up)
    if len(first) == len(second) == 2:
        said = f"x has {first[1]} columns, y has {second[1]}"
        claim = AnyOf((Equal(first[1], second[1]), Equal(first[1], 1), Equal(second[1], 1)))
        ctx.require(ClashKind.AXIS, claim, said, across, up)


# Points -------------------------------------------------------------------------------------------------------------


def points(ctx: Context, given: Sequence[Value]) -> None:
    """State that there are as many values for each axis, in any form."""
    if any(map(_is_text, given)):
        return
    across, up = (_array(ctx, value) for value in given[:2])
    counts = [product(tensor.shape.sizes) if tensor.shape.is_ranked else None for tensor in (across, up)]
    if counts[0] is not None and counts[1] is not None:
        ctx.require(
            ClashKind.AXIS, Equal(counts[0], counts[1]), f"x has {counts[0]} values, y has {counts[1]}", across, up
        )


def spread(ctx: Context, given: Sequence[Value]) -> None:
    """State that there are as many values for each axis, or one for all points."""
    flat = [_array(ctx, value) for value in given[:3] if not _is_text(value)]
    known = [(tensor, product(tensor.shape.sizes)) for tensor in flat if tensor.shape.is_ranked]
    for (one, first), (other, second) in combinations(known, 2):
        claim = AnyOf((Equal(first, second), Equal(first, 1), Equal(second, 1)))
        ctx.require(ClashKind.AXIS, claim, f"there are {first} and {second} values", one, other)


def stretched(ctx: Context, given: Sequence[Value]) -> None:
    """State that there is one number for each bar, or one for all of them."""
    vectors = [tensor for value in given if not _is_text(value) and (tensor := _array(ctx, value)).shape.rank == 1]
    for one, other in pairwise(vectors):
        (first,), (second,) = one.shape.sizes, other.shape.sizes
        claim = AnyOf((Equal(first, second), Equal(first, 1), Equal(second, 1)))
        ctx.require(ClashKind.AXIS, claim, f"one argument has {first} values, another has {second}", one, other)


def between(ctx: Context, given: Sequence[Value]) -> None:
    """State that a border has a value at each position, or is a constant."""
    across = _array(ctx, given[0])
    for border in (_array(ctx, value) for value in given[1:3]):
        if across.shape.rank == border.shape.rank == 1:
            (first,), (second,) = across.shape.sizes, border.shape.sizes
            ctx.require(
                ClashKind.AXIS, Equal(first, second), f"x has {first} values, the border {second}", across, border
            )


# Tables -------------------------------------------------------------------------------------------------------------


def levels(ctx: Context, given: Sequence[Value]) -> None:
    """Heights are a table; coordinates are given for its columns and rows, or for each of its cells."""
    table = _array(ctx, given[2] if len(given) > 2 else given[0])
    _is_table(ctx, table)
    if len(given) < 3 or table.shape.rank != 2:
        return
    for value, axis in ((given[0], 1), (given[1], 0)):
        place = _array(ctx, value)
        name, wanted = ("x", "columns") if axis else ("y", "rows")
        if place.shape.rank == 1:
            (size,), cells = place.shape.sizes, table.shape.sizes[axis]
            said = f"{name} has {size} values, the table {cells} {wanted}"
            ctx.require(ClashKind.AXIS, Equal(size, cells), said, place, table)
        elif place.shape.rank == 2:
            _is_like(ctx, name, place, table)


def _is_table(ctx: Context, table: Tensor) -> None:
    rank = table.shape.rank
    if rank is not None and rank != 2:
        ctx.require(ClashKind.RANK, Equal(rank, 2), f"the table has rank {rank}, not 2", table)


def _is_like(ctx: Context, name: str, place: Tensor, table: Tensor) -> None:
    claim = AllOf(tuple(Equal(a, b) for a, b in zip(place.shape.sizes, table.shape.sizes, strict=True)))
    ctx.require(ClashKind.AXIS, claim, f"{name} has shape {place.shape}, the table {table.shape}", place, table)


def surface(ctx: Context, given: Sequence[Value]) -> None:
    """Heights are a table; the coordinates broadcast with it."""
    table = _array(ctx, given[2])
    _is_table(ctx, table)
    parts = [part for part in (*(_array(ctx, value) for value in given[:2]), table) if part.shape.rank in (1, 2)]
    for one, other in combinations(parts, 2):
        pairs = zip(reversed(one.shape.sizes), reversed(other.shape.sizes), strict=False)
        claim = AllOf(tuple(AnyOf((Equal(a, b), Equal(a, 1), Equal(b, 1))) for a, b in pairs))
        said = f"places and heights have shapes {one.shape} and {other.shape}"
        ctx.require(ClashKind.BROADCAST, claim, said, one, other)


def picture(ctx: Context, given: Sequence[Value]) -> None:
    """The image is a table of brightness, or of colours."""
    shown = _array(ctx, given[0])
    shape: Shape = shown.shape
    if shape.rank is None:
        return
    if shape.rank not in (2, 3):
        claim = AnyOf((Equal(shape.rank, 2), Equal(shape.rank, 3)))
        ctx.require(ClashKind.RANK, claim, f"the picture has rank {shape.rank}, not 2 or 3", shown)
    elif shape.rank == 3:
        colours: Size = shape.sizes[2]
        claim = AnyOf(tuple(Equal(colours, count) for count in (1, 3, 4)))
        ctx.require(ClashKind.AXIS, claim, f"the picture has {colours} colours, not 1, 3 or 4", shown)


# Methods and functions ----------------------------------------------------------------------------------------------


def _drawing(names: str, check: Check, least: int, keywords: Sequence[str], *owners: str) -> None:
    """Register a drawing function as a method and as a function; parameters listed by name may be given as keywords."""

    def drawn(ctx: Context, *args: Value, **named: Value) -> Value:
        given = [*args, *(named[name] for name in keywords[len(args) :] if name in named)]
        if len(given) >= least and named.get("data", NONE) == NONE:
            check(ctx, given)
        return ctx.lost("what is drawn")

    def by_method(ctx: Context, self: Value, *args: Value, **named: Value) -> Value:
        return drawn(ctx, *args, **named)

    for owner in owners:
        behaviour(f"{owner}.{{{names}}}")(by_method if owner in (AXES, IN_SPACE) else drawn)


PYPLOT = "matplotlib.pyplot"
_drawing("plot,step,semilogx,semilogy,loglog", lines, 2, (), PYPLOT, AXES)
_drawing("scatter,errorbar", points, 2, ("x", "y"), PYPLOT, AXES)
_drawing("bar", stretched, 2, ("x", "height", "width"), PYPLOT, AXES)
_drawing("barh", stretched, 2, ("y", "width", "height"), PYPLOT, AXES)
_drawing("fill_between", between, 2, ("x", "y1", "y2"), PYPLOT, AXES)
_drawing("contour,contourf", levels, 1, (), PYPLOT, AXES, IN_SPACE)
_drawing("contour3D,contourf3D", levels, 3, ("X", "Y", "Z"), IN_SPACE)
_drawing("plot_surface,plot_wireframe", surface, 3, ("X", "Y", "Z"), IN_SPACE)
_drawing("plot,plot3D", points, 2, ("xs", "ys"), IN_SPACE)
_drawing("scatter,scatter3D", spread, 2, ("xs", "ys"), IN_SPACE)
_drawing("imshow", picture, 1, ("X",), PYPLOT, AXES)
