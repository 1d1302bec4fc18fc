"""Rotations of SciPy: one, or one for each row."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, Ref, Tensor, Value, as_str
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

ROTATION = "scipy.spatial.transform.Rotation"
PLACES = "_places"
"""An array with an element for each rotation; one rotation alone is a scalar."""
AXES = {"quat": (4,), "matrix": (3, 3), "dcm": (3, 3), "rotvec": (3,), "mrp": (3,)}
"""The axes of what stands for one rotation."""

base(ROTATION, "object")


def _array(ctx: Context, value: Value) -> Tensor:
    return as_tensor(ctx.freeze(value), ctx)


def _floats(shape: Shape) -> Tensor:
    return Tensor(shape, "float64", "np")


def _rotation(ctx: Context, places: Shape) -> Value:
    return ctx.new(ROTATION, **{PLACES: _floats(places)})


def _without(given: Tensor, axes: int) -> Shape:
    """Return the shape of an array without its last axes."""
    rank = given.shape.rank
    return UNRANKED if rank is None or rank < axes else Shape(given.shape.sizes[: rank - axes])


def _places(ctx: Context, rotation: Value) -> Shape:
    found = ctx.get(rotation, PLACES) if isinstance(rotation, Ref) else None
    return found.shape if isinstance(found, Tensor) else UNRANKED


def _followed_by(places: Shape, *sizes: int) -> Value:
    return _floats(Shape((*places.sizes, *sizes)) if places.is_ranked else UNRANKED)


def _reader(form: str) -> None:
    @behaviour(f"{ROTATION}.from_{form}")
    def read(ctx: Context, given: Value, *others: Value, **keywords: Value) -> Value:
        return _rotation(ctx, _without(_array(ctx, given), len(AXES[form])))

    @behaviour(f"{ROTATION}.as_{form}")
    def written(ctx: Context, self: Value, *others: Value, **keywords: Value) -> Value:
        return _followed_by(_places(ctx, self), *AXES[form])


for _form in AXES:
    _reader(_form)


@behaviour(f"{ROTATION}.from_euler")
def from_euler(ctx: Context, seq: Value, angles: Value, *others: Value, **keywords: Value) -> Value:
    """Several letters need an axis of angles; for one letter, it may be left out."""
    letters, given = as_str(seq), _array(ctx, angles)
    if letters is None or (len(letters) == 1 and given.shape.rank not in (0, 1)):
        return _rotation(ctx, UNRANKED)
    return _rotation(ctx, given.shape if len(letters) == 1 else _without(given, 1))


@behaviour(f"{ROTATION}.as_euler")
def as_euler(ctx: Context, self: Value, *others: Value, **keywords: Value) -> Value:
    return _followed_by(_places(ctx, self), 3)


@behaviour(f"{ROTATION}.{{identity,random}}")
def several(ctx: Context, num: Value = NONE, *others: Value, **keywords: Value) -> Value:
    return _rotation(ctx, SCALAR if num == NONE else UNRANKED)


@behaviour(f"{ROTATION}.{{inv,__pow__}}")
def like(ctx: Context, self: Value, *others: Value) -> Value:
    return _rotation(ctx, _places(ctx, self))


@behaviour(f"{ROTATION}.magnitude")
def magnitude(ctx: Context, self: Value) -> Value:
    return _floats(_places(ctx, self))


@behaviour(f"{ROTATION}.__mul__")
def composed(ctx: Context, self: Value, other: Value) -> Value:
    """Return a rotation for each pair; one alone is paired with all."""
    return _rotation(ctx, _paired(_places(ctx, self), _places(ctx, other)))


@behaviour(f"{ROTATION}.apply")
def apply(ctx: Context, self: Value, vectors: Value, inverse: Value = FALSE) -> Value:
    return _followed_by(_paired(_places(ctx, self), _without(_array(ctx, vectors), 1)), 3)


def _paired(first: Shape, second: Shape) -> Shape:
    if SCALAR in (first, second):
        return second if first == SCALAR else first
    return first if first == second else UNRANKED
