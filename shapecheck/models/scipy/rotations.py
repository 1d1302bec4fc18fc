"""Rotations of SciPy: one, or one for each row."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Ref, Tensor, Value, as_str
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.claims import AnyOf, Equal
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


def _ends_with(ctx: Context, given: Tensor, axes: tuple[int, ...]) -> None:
    """State the last axes of an array."""
    rank = given.shape.rank
    if rank is not None and rank < len(axes):
        said = f"the array has rank {rank}, its last axes must be {axes}"
        ctx.require(ClashKind.RANK, Equal(rank, len(axes)), said, given)
    elif rank is not None:
        for size, wanted in zip(given.shape.sizes[rank - len(axes) :], axes, strict=True):
            said = f"the array has shape {given.shape}, its last {'axes' if len(axes) > 1 else 'axis'} must be "
            ctx.require(ClashKind.AXIS, Equal(size, wanted), said + " by ".join(map(str, axes)), given)


def _places(ctx: Context, rotation: Value) -> Shape:
    found = ctx.get(rotation, PLACES) if isinstance(rotation, Ref) else None
    return found.shape if isinstance(found, Tensor) else UNRANKED


def _followed_by(places: Shape, *sizes: int) -> Value:
    return _floats(Shape((*places.sizes, *sizes)) if places.is_ranked else UNRANKED)


def _reader(form: str) -> None:
    @behaviour(f"{ROTATION}.from_{form}")
    def read(ctx: Context, given: Value, *others: Value, **keywords: Value) -> Value:
        array, axes = _array(ctx, given), AXES[form]
        _ends_with(ctx, array, axes)
        return _rotation(ctx, _without(array, len(axes)))

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
    if len(letters) > 1:
        _ends_with(ctx, given, (len(letters),))
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
    """One rotation moves all vectors; several move one vector each, or all the same one."""
    given, places = _array(ctx, vectors), _places(ctx, self)
    _ends_with(ctx, given, (3,))
    others = _without(given, 1)
    if places.rank == others.rank == 1:
        (first,), (second,) = places.sizes, others.sizes
        said = f"{ctx.resolve(first)} rotations are applied to {ctx.resolve(second)} vectors"
        claim = AnyOf((Equal(first, second), Equal(first, 1), Equal(second, 1)))
        ctx.require(ClashKind.AXIS, claim, said, given)
    return _followed_by(_paired(places, others), 3)


def _paired(first: Shape, second: Shape) -> Shape:
    if SCALAR in (first, second):
        return second if first == SCALAR else first
    return first if first == second else UNRANKED
