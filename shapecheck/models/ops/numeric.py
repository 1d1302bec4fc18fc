"""NumPy's numerical functions: interpolation, differences, polynomials, and filters in one dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Lost, Seq, Value, as_size, as_sizes
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Context,
    Flag,
    Need,
    Refused,
    Size,
    Tensor,
    Tensors,
    also,
    at,
    at_least,
    behaviour,
    equal,
    never,
    op,
    result,
)
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.models.lang.constraints import broadcasting
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import maximum

# the number of elements of a convolution of n with m
CONVOLVED = {"full": "n + m - 1", "same": "max(n, m)", "valid": "max(n, m) - min(n, m) + 1"}


@op("np.interp", dtype="float64")
def interp(x: Tensor, xp: Tensor, fp: Tensor) -> Answer:
    kind = "complex128" if (fp.dtype or "").startswith("complex") else None
    return "*S, n, n -> *S", "n >= 1", also(dtype=kind)


@op("np.ediff1d")
def ediff1d(ary: Tensor, to_end: Tensor | None = None, to_begin: Tensor | None = None) -> Answer:
    return _with_ends(ary, to_end, to_begin)


def _with_ends(ary: Tensor, to_end: Tensor | None, to_begin: Tensor | None) -> Answer:
    total, *ends = (part.shape.elements() for part in (ary, to_end, to_begin) if part is not None)
    if total is None:
        return UNRANKED
    size = maximum(total - 1, 0)
    for end in ends:
        size = lost("an end of unknown size") if end is None else size + end
    return Shape((size,))


@op("np.gradient", varargs="spacing", dtype=",")
def gradient(f: Tensor, spacing: Tensors | None = None, axis: Axes = None) -> Answer:
    """Return an array for each axis; for a vector, or along one axis, a single one."""
    if not f.rank or not all(-f.rank <= place < f.rank for place in axis or ()):
        return result(Lost("one gradient for each axis"))
    sizes = f.shape.sizes if axis is None else [f.shape.sizes[place] for place in _distinct(f, axis)]
    return result(*[f.shape] * len(sizes), needs=list(_spaced(f, sizes, () if spacing is None else spacing.each)))


def _distinct(f: Tensor, axes: Sequence[int]) -> list[int]:
    """Return axes counted from the front; none of them may be named twice."""
    places = [place % len(f.shape.head) for place in axes]
    if len(set(places)) < len(places):
        raise Refused(ClashKind.AXIS_RANGE, f"axis {list(axes)} names an axis of {f.name} twice")
    return places


def _spaced(f: Tensor, sizes: Sequence[AnySize], spacing: Sequence[Tensor]) -> Iterator[Need]:
    """Return the constraint that there are at least two points, with a matching spacing: one number, or for each axis
    one number or the coordinates of its points.
    """
    for size in sizes:
        yield at_least(ClashKind.NEGATIVE_SIZE, size, 2, f"{size} points are too few for a gradient")
    if not spacing or (len(spacing) == 1 and spacing[0].rank in (0, None)):
        return
    if len(spacing) != len(sizes):
        yield never(ClashKind.RANK, f"{f.name} has {len(sizes)} axes, places are given for {len(spacing)}")
        return
    for size, places in zip(sizes, spacing, strict=True):
        if places.rank == 1:
            (many,) = places.shape.sizes
            yield equal(
                ClashKind.AXIS, many, size, f"{places.name} has {many} elements, the axis of {f.name} has {size}"
            )
        elif places.rank:
            yield never(ClashKind.RANK, f"{places.name} has rank {places.rank}, not 1")


@op("keras.ops.trapezoid")
def keras_trapezoid(y: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d ->") if axis == -1 else UNRANKED


@op("np.trapezoid", "np.trapz", "scipy.integrate.{trapezoid,trapz}", dtype="promote mean")
def trapezoid(y: Tensor, x: Tensor | None = None, axis: Axis = -1) -> Answer:
    """There is a value for each place; one step, or the mean of two values, is taken for all."""
    needs = _for_each_place(y, x, axis)
    is_stretched = x is not None and bool(needs) and 2 in (x.shape.sizes[0], y.shape.sizes[axis])
    return _along_places(x, axis, [] if is_stretched else needs)


@op("scipy.integrate.{simpson,simps}")
def simpson(y: Tensor, x: Tensor | None = None, axis: Axis = -1) -> Answer:
    """There is a value for each place."""
    return _along_places(x, axis, _for_each_place(y, x, axis))


def _along_places(x: Tensor | None, axis: int, needs: Sequence[Need]) -> Answer:
    """Return the integral along an axis, for places that are a vector."""
    return UNRANKED if x is not None and x.rank != 1 else (at(axis, "d ->"), *needs)


@op("scipy.integrate.{cumulative_trapezoid,cumtrapz}", oracle="none: removed names, lists of initial values")
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, axis: Axis = -1, initial: AnyValue = NONE) -> Answer:
    return at(axis, "d -> d" if initial != NONE else "d -> (d - 1)"), *_for_each_place(y, x, axis)


def _for_each_place(y: Tensor, x: Tensor | None, axis: int) -> list[Need]:
    """Return the need that a vector of places has one for each value along an axis."""
    if x is None or x.rank != 1 or y.rank is None or not -y.rank <= axis < y.rank:
        return []
    (places,), values = x.shape.sizes, y.shape.sizes[axis]
    return [equal(ClashKind.AXIS, places, values, f"{x.name} has {places} places, {y.name} has {values} values")]


@op("np.{cumulative_sum,cumulative_prod}")
def cumulative(x: Tensor, axis: Axis | None = None, include_initial: Flag = False) -> Answer:
    """A number may also be summed along an axis."""
    if not x.rank:
        return UNRANKED
    signature = "d -> (d + 1)" if include_initial else "d -> d"
    return signature if axis is None else at(axis, signature)


@op("np.unwrap")
def unwrap(p: Tensor, axis: Axis = -1) -> Answer:
    return at(axis, "d -> d")


@op("np.convolve", dtype="promote")
def convolve(a: Tensor, v: Tensor, mode: Literal["full", "same", "valid"] = "full") -> Answer:
    return _slid(a, v, mode)


@op("np.correlate", dtype="promote")
def correlate(a: Tensor, v: Tensor, mode: Literal["full", "same", "valid"] = "valid") -> Answer:
    return _slid(a, v, mode)


def _slid(a: Tensor, v: Tensor, mode: str) -> Answer:
    """Return a vector slid along another; a number is read as a vector."""
    if a.rank in (None, 0) or v.rank in (None, 0):
        return UNRANKED
    return "n, m -> k", {"k": CONVOLVED[mode]}, *not_empty("a vector", a, v)


def not_empty(what: str, *operands: Tensor) -> list[Need]:
    sizes = [size for operand in operands for size in operand.shape.known]
    return [at_least(ClashKind.NEGATIVE_SIZE, size, 1, f"{what} is empty") for size in sizes]


@op("keras.ops.correlate", dtype="promote", oracle="none: one that Keras works out itself")
def keras_correlate(x1: Tensor, x2: Tensor, mode: Literal["valid", "same", "full"] = "valid") -> Answer:
    return _slid(x1, x2, mode) if x1.rank == x2.rank == 1 else UNRANKED


# Polynomials -------------------------------------------------------------------------------------------------------


@op("np.polyfit", dtype="promote float", oracle="none: needs points that determine it")
def polyfit(x: Tensor, y: Tensor, deg: Size) -> Answer:
    return "n, n *S -> {c} *S", {"c": deg + 1}


@op("np.polyval")
def polyval(p: Tensor, x: Tensor) -> Answer:
    return "_, *S -> *S" if p.rank == 1 else UNRANKED


@op("{tf,tf.math}.polyval", oracle="none: takes a list of coefficients")
def tf_polyval(coeffs: Tensors, x: Tensor) -> Answer:
    shapes = [x.shape, *(item.shape for item in coeffs.each)]
    shape, needs = broadcasting(shapes, " and ".join(map(str, dict.fromkeys(shapes))))
    return result(shape, needs=needs)


@op("np.polymul")
def polymul(a1: Tensor, a2: Tensor) -> Answer:
    """Leading zeros are removed."""
    return Shape((lost("without leading zeros"),)) if a1.rank == a2.rank == 1 else UNRANKED


@op("np.{polyadd,polysub}")
def polyadd(a1: Tensor, a2: Tensor) -> Answer:
    return "n, m -> (max(n, m))" if a1.rank == a2.rank == 1 else UNRANKED


@op("np.{polyder,polyint}", dtype="?")
def polyder(p: Tensor) -> Answer:
    return Shape((lost("one less or more"),)) if p.rank == 1 else UNRANKED


@op("np.roots", dtype="?")
def roots(p: Tensor) -> Answer:
    return Shape((lost("without leading zeros"),)) if p.rank == 1 else UNRANKED


@op("np.poly")
def poly(seq: Tensor) -> Answer:
    """Compute the polynomial from its roots, or from a square matrix."""
    if seq.rank not in (1, 2) or seq.shape.head[0] == 0:
        return UNRANKED
    return "n -> (n + 1)" if seq.rank == 1 else "n n -> (n + 1)"


@op("{np,keras.ops}.vander", dtype="?")
def vander(x: Tensor, N: Size | None = None) -> Answer:  # noqa: N803
    return "n -> n {k}", {"k": "n" if N is None else N}


@op("np.kaiser", dtype="float64")
def kaiser(M: Size, beta: Tensor) -> Answer:  # noqa: N803
    return Shape((M,)) if beta.rank == 0 else UNRANKED


@op("keras.ops.kaiser", dtype="float32")
def keras_kaiser(x: Size, beta: Tensor) -> Answer:
    return Shape((x,)) if beta.rank == 0 and x != 0 else UNRANKED


@op("{np,keras.ops}.diagflat")
def diagflat(v: Tensor, k: Size | AnyValue = 0) -> Answer:
    total = v.shape.elements()
    if total is None or not isinstance(k, int):
        return UNRANKED
    return Shape((total + abs(k), total + abs(k)))


@behaviour("np.apply_along_axis")
def apply_along_axis(ctx: Context, func1d: Value, axis: Value, arr: Value, *args: Value, **keywords: Value) -> Value:
    """The function is called with the vectors along an axis; the axes of its result replace the axis."""
    array, place = as_tensor(ctx.freeze(arr), ctx), as_size(axis)
    rank = array.shape.rank
    if rank is None or not isinstance(place, int) or not -rank <= place < rank:
        ctx.call(ctx.lost("a function that runs again and again"), [func1d])
        return TensorValue(UNRANKED, None, "np")
    vector = TensorValue(Shape((array.shape.sizes[place],)), array.dtype, "np")
    given = ctx.freeze(ctx.call(func1d, [vector, *args], keywords))
    made = as_tensor(given, ctx).shape
    dtype = given.dtype if isinstance(given, TensorValue) else None
    sizes = array.shape.sizes
    whole = UNRANKED if made.rank is None else Shape((*sizes[: place % rank], *made.sizes, *sizes[place % rank + 1 :]))
    return TensorValue(whole, dtype, "np")


@behaviour("np.apply_over_axes")
def apply_over_axes(ctx: Context, func: Value, a: Value, axes: Value) -> Value:
    ctx.call(ctx.lost("a function that runs again and again"), [func])
    return TensorValue(UNRANKED, None, "np")


@behaviour("np.fromfunction")
def fromfunction(
    ctx: Context, function: Value, shape: Value, dtype: Value = NONE, like: Value = NONE, **keywords: Value
) -> Value:
    """Return the result of the function for one array of positions for each axis."""
    sizes = as_sizes(shape)
    if sizes is None:
        return ctx.lost("an array made by a function")
    positions = TensorValue(Shape(sizes), dtype_name(dtype) or "float64", "np")
    return ctx.call(function, [positions] * len(sizes), keywords)


@behaviour("np.block")
def block(ctx: Context, arrays: Value) -> Value:
    """The innermost lists are joined along the last axis, those around them along the axis before it."""
    given = ctx.freeze(arrays)
    depth = _depth(given)
    joined = _joined(ctx, given, 0, depth) if 0 < depth <= MOST_NESTED else None
    return TensorValue(UNRANKED, None, "np") if joined is None else TensorValue(joined, None, "np")


MOST_NESTED = 2


def _depth(value: Value) -> int:
    return 1 + max(map(_depth, value.items), default=0) if isinstance(value, Seq) and value.kind == "list" else 0


def _joined(ctx: Context, value: Value, level: int, depth: int) -> Shape | None:
    """Return the shape of lists that are joined; None if it is not known."""
    if level == depth:
        shape = as_tensor(value, ctx).shape
        missing = max(depth - (shape.rank or 0), 0)
        return Shape((1,) * missing + shape.sizes) if shape.is_ranked else None
    parts = [_joined(ctx, item, level + 1, depth) for item in value.items] if isinstance(value, Seq) else []
    shapes = [part for part in parts if part is not None]
    if not shapes or len(shapes) < len(parts) or len({shape.rank for shape in shapes}) > 1:
        return None
    first, *others = shapes
    axis = (first.rank or 0) - depth + level
    for other in others:
        for place, (size, wanted) in enumerate(zip(other.sizes, first.sizes, strict=True)):
            if place != axis:
                said = f"blocks of shapes {first} and {other} are joined along axis {axis}"
                ctx.require(ClashKind.AXIS, Equal(size, wanted), said)
    total = sum((other.sizes[axis] for other in others), first.sizes[axis])
    return Shape((*first.sizes[:axis], total, *first.sizes[axis + 1 :]))


@op("np.bmat", varargs="args", oracle="none: takes nested lists")
def nested(args: AnyValue) -> Answer:
    return UNRANKED


@op("tf.searchsorted", dtype="int32")
def searchsorted(sorted_sequence: Tensor, values: Tensor) -> Answer:
    """Search row by row."""
    return "*S n, *T m -> *T m", "prod(S) == prod(T)"
