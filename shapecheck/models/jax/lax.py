"""`jax.lax`: operations on arrays of one shape, slices, and convolutions."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Value, as_size, as_sizes, as_str, items_of
from shapecheck.domain.values import Tensor as Array
from shapecheck.models.jax.promotion import common
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Context,
    Need,
    Ranked,
    ShapeArg,
    Size,
    Tensor,
    at,
    behaviour,
    op,
    result,
)
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import Refused, at_least, equal
from shapecheck.models.lang.dtypes import is_python_number
from shapecheck.models.lang.refused_dtypes import kind
from shapecheck.models.lang.registry import same
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import ceildiv

_SAME_AS_NUMPY = """
abs acos acosh asin asinh atan atanh ceil cos cosh exp exp2 expm1 floor log log1p sign sin sinh sqrt square tan tanh
conj real
"""
same(_SAME_AS_NUMPY.split(), "np.", "jax.lax.", __name__, operator="", oracle="none: other dtypes are refused")
_OTHERS = "erf erf_inv erfc rsqrt lgamma digamma logistic cbrt bessel_i0e bessel_i1e neg is_finite round reciprocal"


@op(f"jax.lax.{{{','.join(_OTHERS.split())}}}", dtype="first", oracle="none: other dtypes are refused")
@op("jax.lax.{cumsum,cumprod,cummax,cummin,cumlogsumexp,rev}", dtype="first", oracle="none: other dtypes are refused")
def kept(x: Tensor) -> Answer:
    return "*S -> *S"


@op("jax.scipy.special.{erf,erfc,erfinv,expit,gammaln,digamma,ndtri,log_ndtr,ndtr,i0,i1,i0e,i1e}", dtype="?")
def special(x: Tensor) -> Answer:
    return "*S -> *S"


@op(
    "jax.lax.{add,sub,mul,div,max,min,rem,atan2}",
    dtype="promote",
    oracle="none: other dtypes are refused",
)
@op("jax.lax.{eq,ne,lt,le,gt,ge}", dtype="bool", oracle="none: other dtypes are refused")
def of_equal_shapes(x: Tensor, y: Tensor) -> Answer:
    """Arrays must have the same shape; numbers, and arrays without axes, go with any."""
    return _compared(x, y)


def _compared(x: Tensor, y: Tensor) -> Answer:
    _refuse_two_dtypes(x, y)
    return _of_equal_rank(x, y)


def _of_equal_rank(x: Tensor, y: Tensor) -> Answer:
    if x.rank is None or y.rank is None:
        return UNRANKED
    if not x.rank or not y.rank:
        return "~B, ~B -> ~B"
    return "*S, *S -> *S"


def _refuse_two_dtypes(*operands: Tensor) -> None:
    """Refuse arrays of two dtypes; a number of Python must be of the same kind."""
    known = [(each, name) for each in operands if (name := common([each.dtype])) is not None]
    for other, name in known[1:]:
        first, wanted = known[0]
        is_number = is_python_number(first) or is_python_number(other)
        if kind(name) != kind(wanted) if is_number else name != wanted:
            raise Refused(ClashKind.DTYPE, f"{first.name} is {wanted}, {other.name} is {name}, and one dtype is taken")


@op("jax.lax.pow", dtype="first", oracle="none: other dtypes are refused")
def power(x: Tensor, y: Tensor) -> Answer:
    return _of_equal_rank(x, y)


@op("jax.lax.top_k", dtype="first,int32", returns="list")
def top_k(operand: Tensor, k: Size, axis: Axis = -1) -> Answer:
    return _largest(operand, k, axis)


def _largest(operand: Tensor, k: Size, axis: Axis) -> Answer:
    place = place_of(operand, axis)
    size = operand.shape.head[place]
    shape = Shape((*operand.shape.head[:place], k, *operand.shape.head[place + 1 :]))
    said = f"the {k} largest of {size}"
    return result(shape, shape, needs=[at_least(ClashKind.INDEX_RANGE, size, k, said)])


@op("jax.lax.dynamic_slice", dtype="first", oracle="none: needs legal sizes")
def dynamic_slice(operand: Tensor, start_indices: AnyValue, slice_sizes: ShapeArg) -> Answer:
    """The start is moved into the range, so only sizes can be too large."""
    _refuse_starts(operand, start_indices)
    return _sliced(operand, slice_sizes)


def _refuse_starts(operand: Tensor, starts: Value) -> None:
    """Refuse starts that are not one for each axis."""
    items = items_of(starts)
    count = starts.shape.size(0) if isinstance(starts, Array) and starts.shape.rank == 1 else None
    count = count if items is None else len(items)
    if None not in (count, operand.rank) and isinstance(count, int) and count != operand.rank:
        raise Refused(ClashKind.RANK, f"{operand.name} has rank {operand.rank}, start_indices has {count} entries")


def _sliced(operand: Tensor, slice_sizes: ShapeArg) -> Answer:
    if operand.rank is None or slice_sizes.tail is not None:
        return slice_sizes
    if operand.rank != len(slice_sizes.head):
        said = f"{operand.name} has rank {operand.rank}, slice_sizes has {len(slice_sizes.head)} entries"
        raise Refused(ClashKind.RANK, said)
    pairs = zip(operand.shape.head, slice_sizes.head, strict=True)
    said = f"{operand.name} has shape {operand.shape}, the slice {slice_sizes}"
    return slice_sizes, *(at_least(ClashKind.INDEX_RANGE, have, size, said) for have, size in pairs)


@op("jax.lax.slice_in_dim", dtype="first", oracle="none: needs legal bounds")
def slice_in_dim(
    operand: Tensor, start_index: AnyValue, limit_index: AnyValue, stride: Size = 1, axis: Axis = 0
) -> Answer:
    return _between(operand, (start_index, limit_index), stride, axis)


def _between(operand: Tensor, bounds: tuple[Value, Value], stride: Size, axis: Axis) -> Answer:
    """Return the elements between two bounds, which may be None, and must lie in the axis."""
    place = place_of(operand, axis)
    size = operand.shape.head[place]
    start, stop = (whole if told == NONE else as_size(told) for told, whole in zip(bounds, (0, size), strict=True))
    if not isinstance(start, int) or start < 0 or stop is None or (isinstance(stop, int) and stop < 0):
        return instead(operand.shape, place, Shape((lost("a slice"),)))
    shape = instead(operand.shape, place, Shape((ceildiv(stop - start, stride),)))
    return result(
        shape, needs=[at_least(ClashKind.INDEX_RANGE, size, stop, f"axis {place} has {size}, the slice ends at {stop}")]
    )


@op("jax.lax.select", dtype="last", oracle="none: other dtypes are refused")
def select(pred: Tensor, on_true: Tensor, on_false: Tensor) -> Answer:
    """The condition may be a number. Where `vmap` maps it, the numbers to select from are stretched."""
    if pred.rank and on_true.rank == on_false.rank == 0 and pred.is_traced:
        return pred.shape
    return "*S, *S, *S -> *S" if pred.rank else "*P, *S, *S -> *S" if pred.rank == 0 else UNRANKED


@behaviour("jax.lax.with_sharding_constraint")
def placed(ctx: Context, x: Value, *rest: Value, **options: Value) -> Value:
    return x


@op("jax.lax.dynamic_slice_in_dim", dtype="first", oracle="none: needs legal sizes")
def dynamic_slice_in_dim(operand: Tensor, start_index: AnyValue, slice_size: Size, axis: Axis = 0) -> Answer:
    return at(axis, "d -> s"), {"s": slice_size}


@op("jax.lax.dynamic_update_slice", dtype="first", oracle="none: needs legal sizes")
def dynamic_update_slice(operand: Tensor, update: Tensor, start_indices: AnyValue) -> Answer:
    """The update has as many axes as the array, and is no larger."""
    _refuse_two_dtypes(operand, update)
    _refuse_starts(operand, start_indices)
    return operand.shape, *_fits(operand, update)


def _fits(operand: Tensor, update: Tensor) -> list[Need]:
    if operand.rank is None or update.rank is None:
        return []
    if operand.rank != update.rank:
        said = f"{update.name} has rank {update.rank}, {operand.name} has rank {operand.rank}"
        raise Refused(ClashKind.RANK, said)
    said = f"{update.name} has shape {update.shape}, {operand.name} {operand.shape}"
    pairs = zip(operand.shape.head, update.shape.head, strict=True)
    return [at_least(ClashKind.INDEX_RANGE, have, size, said) for have, size in pairs if have != size]


@op(
    "jax.lax.{dynamic_update_slice_in_dim,dynamic_update_index_in_dim}",
    dtype="first",
    oracle="none: needs legal sizes",
)
def dynamic_update(operand: Tensor, update: Tensor, start: AnyValue) -> Answer:
    return operand.shape


@op("jax.lax.dynamic_index_in_dim", dtype="first", oracle="none: needs legal sizes")
def dynamic_index_in_dim(operand: Tensor, index: AnyValue, axis: Axis = 0, keepdims: AnyValue = NONE) -> Answer:
    if keepdims != NONE:
        raise Blind("whether an axis is kept")
    return at(axis, "d -> 1")


@op("jax.lax.{axis_index,axis_size}", dtype="int32", oracle="none: needs a named axis")
def of_named_axis(axis_name: AnyValue) -> Answer:
    return Shape(())


@behaviour("jax.lax.concatenate")
def concatenate(ctx: Context, operands: Value, dimension: Value) -> Value:
    return ctx.apply("jax.numpy.concatenate", operands, dimension)


same(
    ("reshape", "transpose", "squeeze", "expand_dims"),
    "np.",
    "jax.lax.",
    __name__,
    oracle="none: as in jax.numpy",
    was={"permutation": "axes", "dimensions": "axis"},
)


# Convolution ---------------------------------------------------------------------------------------------------------


@op("jax.lax.conv_general_dilated", dtype="promote", oracle="none: the letters of axes")
def conv_general_dilated(
    lhs: Ranked,
    rhs: Ranked,
    window_strides: AnyValue,
    padding: AnyValue,
    lhs_dilation: AnyValue = NONE,
    rhs_dilation: AnyValue = NONE,
    dimension_numbers: AnyValue = NONE,
    feature_group_count: Size = 1,
    batch_group_count: Size = 1,
) -> Answer:
    """Letters say which axes are batch (N), channels (C, I, O) and spatial."""
    window = (window_strides, padding, lhs_dilation, rhs_dilation)
    return _convolved(lhs, rhs, window, dimension_numbers, feature_group_count)


def _convolved(
    lhs: Ranked, rhs: Ranked, window: tuple[Value, Value, Value, Value], letters: Value, groups: AnySize
) -> Answer:
    layout = _layout(letters, lhs.rank or 0)
    if lhs.rank != rhs.rank or lhs.rank < 2:
        raise Refused(ClashKind.RANK, f"{lhs.name} has rank {lhs.rank}, {rhs.name} has rank {rhs.rank}")
    if layout is None or window[2] != NONE or groups != 1:
        raise Blind("the layout of a convolution")
    source, kernel, out = layout
    sizes, filters = dict(zip(source, lhs.shape.head, strict=True)), dict(zip(kernel, rhs.shape.head, strict=True))
    said = f"{lhs.name} has {sizes['C']} channels, {rhs.name} takes {filters['I']}"
    needs = [] if sizes["C"] == filters["I"] else [equal(ClashKind.AXIS, sizes["C"], filters["I"], said)]
    spatial = [letter for letter in source if letter not in "NC"]
    steps = as_sizes(window[0])
    is_same = as_str(window[1]) == "SAME" and steps is not None and len(steps) == len(spatial)
    made: dict[str, AnySize] = {"N": sizes["N"], "C": filters["O"]}
    for at_axis, letter in enumerate(spatial):
        known = is_same and steps is not None and isinstance(steps[at_axis], int) and steps[at_axis] != 0
        made[letter] = ceildiv(sizes[letter], steps[at_axis]) if known and steps is not None else lost("windows")
    return result(Shape(tuple(made[letter] for letter in out)), needs=needs)


def _layout(letters: Value, rank: int) -> tuple[str, str, str] | None:
    """Return the letters of the axes of input, kernel and output; None if they are not told."""
    spatial = "HWD"[: max(0, rank - 2)]
    if letters == NONE:
        return f"NC{spatial}", f"OI{spatial}", f"NC{spatial}"
    told = [as_str(item) for item in items_of(letters) or ()]
    if len(told) != 3 or any(text is None or len(text) != rank or len(set(text)) != rank for text in told):
        return None
    source, kernel, out = (text or "" for text in told)
    if not {"N", "C"} <= set(source) or not {"O", "I"} <= set(kernel) or set(source) != set(out):
        return None
    return source, kernel, out
