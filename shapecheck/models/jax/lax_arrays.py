"""`jax.lax`: creation, reductions and rearrangement of arrays, and products."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Seq, Value, as_sizes, items_of
from shapecheck.domain.values import Tensor as Array
from shapecheck.models.jax.lax import of_equal_shapes
from shapecheck.models.jax.trees import anew, each_leaf
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axes,
    Axis,
    Blind,
    Context,
    Need,
    Ranked,
    Refused,
    ShapeArg,
    Size,
    Tensor,
    also,
    at,
    at_least,
    behaviour,
    equal,
    op,
    result,
)
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import ceildiv, maximum, product

STRICT = "none: other dtypes are refused"
_UNARY = "bitwise_not clz population_count integer_pow reduce_precision imag"
_BINARY = "bitwise_and bitwise_or bitwise_xor shift_left shift_right_arithmetic shift_right_logical nextafter mulhi"
_FLOATS = "igamma igammac random_gamma_grad igamma_grad_a zeta polygamma complex"
_SCATTERED = "scatter scatter_add scatter_sub scatter_mul scatter_min scatter_max scatter_apply"
_NAMED = "all_gather all_to_all psum_scatter ragged_all_to_all pswapaxes"
_OTHERS = """
approx_max_k approx_min_k gather reduce reduce_window fft conv_general_dilated_local ragged_dot ragged_dot_general
scaled_dot rng_bit_generator rng_uniform custom_linear_solve bitcast_convert_type index_take conv_transpose
conv_with_general_padding conv_general_dilated_patches composite
"""


def _each(names: str) -> str:
    return f"jax.lax.{{{','.join(names.split())}}}"


@op(_each(_UNARY), dtype="?", oracle=STRICT)
@op(_each(_SCATTERED), dtype="first", oracle="none: indices")
def kept(x: Tensor) -> Answer:
    return "*S -> *S"


@op(_each(_BINARY), dtype="promote", oracle=STRICT)
def binary(x: Tensor, y: Tensor) -> Answer:
    return of_equal_shapes(x, y)


@op(_each(_FLOATS), dtype="?", oracle=STRICT)
def of_floats(x: Tensor, y: Tensor) -> Answer:
    return "~B, ~B -> ~B"


@op(_each(_NAMED), _each(_OTHERS), oracle="none: named axes and tables of axes")
def not_followed(x: AnyValue) -> Answer:
    raise Blind("axes of a table")


@op("jax.lax.betainc", dtype="?", oracle=STRICT)
def of_three(a: Tensor, b: Tensor, x: Tensor) -> Answer:
    return "~B, ~B, ~B -> ~B"


@behaviour("jax.lax.broadcast_shapes")
def broadcast_shapes(ctx: Context, *shapes: Value) -> Value:
    return ctx.apply("np.broadcast_shapes", *shapes)


@behaviour("jax.lax.conv")
def conv(ctx: Context, lhs: Value, rhs: Value, window_strides: Value, padding: Value, *rest: Value) -> Value:
    return ctx.apply("jax.lax.conv_general_dilated", lhs, rhs, window_strides, padding)


@behaviour("jax.lax.stack")
def stack(ctx: Context, arrays: Value, axis: Value) -> Value:
    return ctx.apply("jax.numpy.stack", arrays, axis)


@op("jax.lax.clamp", dtype="?", oracle=STRICT)
def clamp(min: Tensor, x: Tensor, max: Tensor) -> Answer:
    return x.shape, also(dtype=x.dtype)


@behaviour("jax.lax.convert_element_type")
def converted(ctx: Context, operand: Value, new_dtype: Value) -> Value:
    return ctx.apply("jax.numpy.asarray", operand, new_dtype)


# Creation ------------------------------------------------------------------------------------------------------------


@behaviour("jax.lax.full")
def full(ctx: Context, shape: Value, fill_value: Value, dtype: Value = NONE, **options: Value) -> Value:
    return ctx.apply("jax.numpy.full", shape, fill_value, *([] if dtype == NONE else [dtype]))


@behaviour("jax.lax.full_like")
def full_like(ctx: Context, x: Value, fill_value: Value, dtype: Value = NONE, *rest: Value, **options: Value) -> Value:
    return ctx.lost("an array") if rest or options else ctx.apply("jax.numpy.full_like", x, fill_value, dtype)


@op("jax.lax.empty", dtype="?", oracle="none: a dtype must be given")
def empty(shape: ShapeArg, dtype: AnyValue) -> Answer:
    return shape, also(dtype=dtype_name(dtype))


@op("jax.lax.iota", dtype="?", oracle="none: the dtype comes first")
def iota(dtype: AnyValue, size: Size) -> Answer:
    return Shape((size,)), also(dtype=dtype_name(dtype))


@op("jax.lax.broadcasted_iota", dtype="?", oracle="none: the dtype comes first")
def broadcasted_iota(dtype: AnyValue, shape: ShapeArg, dimension: AnyValue) -> Answer:
    return shape, also(dtype=dtype_name(dtype))


# Reductions ----------------------------------------------------------------------------------------------------------


@op("jax.lax.{reduce_sum,reduce_max,reduce_min,reduce_prod,reduce_and,reduce_or,reduce_xor}", dtype="?", oracle=STRICT)
def reduced(operand: Tensor, axes: Axes) -> Answer:
    return at(axes, "d ->") if axes is not None else Shape(())


@op("jax.lax.{argmax,argmin}", dtype="?", oracle="none: the dtype must be given")
def places(operand: Tensor, axis: Axis, index_dtype: AnyValue) -> Answer:
    return at(axis, "d ->"), also(dtype=dtype_name(index_dtype))


@behaviour("jax.lax.sort")
def sort(ctx: Context, operand: Value, *rest: Value, **options: Value) -> Value:
    """Arrays keep their shapes, and are sorted together."""
    return each_leaf(ctx, ctx.freeze(operand), lambda leaf: anew(as_tensor(leaf, ctx)))


@behaviour("jax.lax.sort_key_val")
def sort_key_val(ctx: Context, keys: Value, values: Value, *rest: Value, **options: Value) -> Value:
    return sort(ctx, Seq("tuple", (keys, values)))


# Rearrangement -------------------------------------------------------------------------------------------------------


@op("jax.lax.broadcast", dtype="first", oracle=STRICT)
def broadcast(operand: Ranked, sizes: ShapeArg) -> Answer:
    """New axes are put first."""
    return Shape((*sizes.head, *operand.shape.head)) if sizes.tail is None else UNRANKED


@op("jax.lax.broadcast_in_dim", dtype="first", oracle=STRICT)
def broadcast_in_dim(operand: Tensor, shape: ShapeArg, broadcast_dimensions: AnyValue) -> Answer:
    """Each axis of the operand stands for one of the result, and has its size or 1."""
    return shape, *_stands_for(operand, shape, as_sizes(broadcast_dimensions))


def _stands_for(operand: Tensor, shape: Shape, places: tuple[AnySize, ...] | None) -> list[Need]:
    if operand.rank is None or shape.tail is not None or places is None:
        return []
    if len(places) != operand.rank:
        raise Refused(ClashKind.RANK, f"{operand.name} has rank {operand.rank}, {len(places)} axes are named")
    needs = []
    for size, place in zip(operand.shape.head, places, strict=True):
        if isinstance(place, int) and 0 <= place < len(shape.head) and size not in (1, shape.head[place]):
            wanted = shape.head[place]
            said = f"{operand.name} has {size} where the result has {wanted} on axis {place}"
            needs.append(Need(ClashKind.BROADCAST, AnyOf((Equal(size, 1), Equal(size, wanted))), said))
    return needs


@op("jax.lax.collapse", dtype="first", oracle=STRICT)
def collapse(operand: Ranked, start_dimension: Size, stop_dimension: Size | None = None) -> Answer:
    """Neighbouring axes become one."""
    stop = operand.rank if stop_dimension is None else stop_dimension
    if not isinstance(start_dimension, int) or not isinstance(stop, int):
        raise Blind("the axes")
    return _merged(operand.shape.head, range(operand.rank)[start_dimension:stop])


def _merged(sizes: tuple[AnySize, ...], places: range) -> Answer:
    if not places:
        raise Blind("no axes")
    return Shape((*sizes[: places[0]], product(sizes[at] for at in places), *sizes[places[-1] + 1 :]))


@op("jax.lax.pad", dtype="first", oracle=STRICT)
def pad(operand: Ranked, padding_value: AnyValue, padding_config: AnyValue) -> Answer:
    """Each axis has three numbers: what is added before, behind, and between its elements."""
    return _bordered(operand, [as_sizes(row) for row in items_of(padding_config) or ()])


def _bordered(operand: Ranked, rows: list[tuple[AnySize, ...] | None]) -> Answer:
    known = [row for row in rows if row is not None and len(row) == 3]
    if len(known) < len(rows) or len(known) != operand.rank:
        raise Blind("the widths")
    return Shape(tuple(_padded(size, *row) for size, row in zip(operand.shape.head, known, strict=True)))


def _padded(size: AnySize, low: AnySize, high: AnySize, inner: AnySize) -> AnySize:
    """Return the size of a padded axis, with numbers between each two elements."""
    return size + low + high + (0 if inner == 0 else maximum(size - 1, 0) * inner)


@op("jax.lax.slice", dtype="first", oracle=STRICT)
def sliced(operand: Ranked, start_indices: AnyValue, limit_indices: AnyValue, strides: AnyValue = NONE) -> Answer:
    steps = (1,) * operand.rank if strides == NONE else as_sizes(strides)
    return _sliced(operand, as_sizes(start_indices), as_sizes(limit_indices), steps)


Sizes = tuple[AnySize, ...] | None


def _sliced(operand: Ranked, starts: Sizes, stops: Sizes, steps: Sizes) -> Answer:
    if starts is None or stops is None or steps is None or {len(starts), len(stops), len(steps)} != {operand.rank}:
        raise Blind("the bounds")
    bounds = enumerate(zip(operand.shape.head, starts, stops, strict=True))
    needs = [  # a slice that reaches over the end is moved, unless it is compiled
        at_least(ClashKind.INDEX_RANGE, size, stop - start, f"axis {axis} has {size}, the slice {stop - start}")
        for axis, (size, start, stop) in bounds
        if size != stop
    ]
    each = zip(starts, stops, steps, strict=True)
    return result(Shape(tuple(ceildiv(stop - start, step) for start, stop, step in each)), needs=needs)


@op("jax.lax.index_in_dim", dtype="first", oracle=STRICT)
def index_in_dim(operand: Tensor, index: AnyValue, axis: Axis = 0, keepdims: AnyValue = NONE) -> Answer:
    if keepdims != NONE:
        raise Blind("whether an axis is kept")
    return at(axis, "d -> 1")


@op("jax.lax.split", dtype="first", returns="list", oracle=STRICT)
def split(operand: Ranked, sizes: AnyValue, axis: Axis = 0) -> Answer:
    return _parts(operand, as_sizes(sizes), place_of(operand, axis))


def _parts(operand: Ranked, widths: Sizes, place: int) -> Answer:
    if widths is None:
        raise Blind("the sizes of the parts")
    whole, total = operand.shape.head[place], sum(widths, 0)
    said = f"axis {place} has {whole}, the parts have {total}"
    needs = [] if whole == total else [equal(ClashKind.AXIS, whole, total, said)]
    return result(*[instead(operand.shape, place, Shape((width,))) for width in widths], needs=needs)


@op("jax.lax.tile", dtype="first", oracle=STRICT)
def tile(operand: Ranked, reps: AnyValue) -> Answer:
    counts = as_sizes(reps)
    if counts is None or len(counts) != operand.rank:
        raise Blind("the repetitions")
    return Shape(tuple(size * count for size, count in zip(operand.shape.head, counts, strict=True)))


@behaviour("jax.lax.select_n")
def select_n(ctx: Context, which: Value, *cases: Value) -> Value:
    """All cases have one shape."""
    arrays = [each for each in map(ctx.freeze, cases) if isinstance(each, Array) and each.shape.rank is not None]
    found = next(iter(arrays), None)
    return ctx.lost("one of several arrays") if found is None else anew(found)


# Products ------------------------------------------------------------------------------------------------------------


@op("jax.lax.dot", dtype="promote", oracle=STRICT)
def dot(lhs: Tensor, rhs: Tensor, dimension_numbers: AnyValue = NONE) -> Answer:
    """Matrices and vectors; more axes only with numbers of axes."""
    if dimension_numbers != NONE or lhs.rank not in (1, 2) or rhs.rank not in (1, 2):
        raise Blind("which axes are summed")
    return f"{'m ' * (lhs.rank == 2)}k, k{' n' * (rhs.rank == 2)} -> {'m ' * (lhs.rank == 2)}{'n' * (rhs.rank == 2)}"


@op("jax.lax.batch_matmul", dtype="promote", oracle=STRICT)
def batch_matmul(lhs: Tensor, rhs: Tensor) -> Answer:
    return "*B m k, *B k n -> *B m n"


@op("jax.lax.dot_general", dtype="promote", oracle="none: numbers of axes")
def dot_general(lhs: Ranked, rhs: Ranked, dimension_numbers: AnyValue) -> Answer:
    """Axes that are summed, and batches, are named in pairs."""
    parts = [[as_sizes(one) for one in items_of(pair) or ()] for pair in items_of(dimension_numbers) or ()]
    if len(parts) != 2 or any(len(pair) != 2 or None in pair for pair in parts):
        raise Blind("the axes")
    return _contracted(lhs, rhs, [[_places(each) for each in pair] for pair in parts])


def _places(axes: tuple[AnySize, ...] | None) -> list[int]:
    if axes is None or not all(isinstance(axis, int) for axis in axes):
        raise Blind("the axes")
    return [axis for axis in axes if isinstance(axis, int)]


def _contracted(lhs: Ranked, rhs: Ranked, axes: list[list[list[int]]]) -> Answer:
    (left, right), (left_batch, right_batch) = axes
    for operand, places in ((lhs, [*left, *left_batch]), (rhs, [*right, *right_batch])):
        for place in places:
            place_of(operand, place)
    pairs = [*zip(left, right, strict=False), *zip(left_batch, right_batch, strict=False)]
    sizes = [(one, other, lhs.shape.head[one], rhs.shape.head[other]) for one, other in pairs]
    needs = [
        equal(ClashKind.AXIS, x, y, f"{lhs.name} has {x} on axis {one}, {rhs.name} has {y} on axis {other}")
        for one, other, x, y in sizes
        if x != y
    ]
    batch = [lhs.shape.head[place] for place in left_batch]
    free = [size for at, size in enumerate(lhs.shape.head) if at not in (*left, *left_batch)]
    free += [size for at, size in enumerate(rhs.shape.head) if at not in (*right, *right_batch)]
    return result(Shape((*batch, *free)), needs=needs)
