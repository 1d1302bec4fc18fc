"""Creation of tensors with a given shape or given contents."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, isfinite
from struct import pack, unpack

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Const, Seq, Value, as_size
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Context,
    Need,
    Ranked,
    Refused,
    ShapeArg,
    Size,
    Target,
    Tensor,
    also,
    at,
    at_least,
    behaviour,
    equal,
    never,
    of_rank,
    one_of,
    op,
)
from shapecheck.models.lang.answer import Also
from shapecheck.models.lang.apply import stretches_to, together
from shapecheck.models.lang.arguments import as_tensor, decided_by, dtype_name, is_array_dtype
from shapecheck.models.lang.axes import At
from shapecheck.models.lang.axis_positions import aligned
from shapecheck.models.lang.bind import Bound
from shapecheck.models.lang.constraints import of_integers
from shapecheck.models.lang.element_bounds import largest, require_below
from shapecheck.models.lang.ragged_lists import refused, uneven
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.dtype import canonical, fields_of
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, ceildiv, fresh, maximum
from shapecheck.shapes.size import Size as AnySize


def sizes_needed(shape: Shape) -> list[Need]:
    return [
        at_least(ClashKind.NEGATIVE_SIZE, size, 0, f"a size is {size}") for size in shape.head if not _natural(size)
    ]


MOST_AXES = 64  # the limit for NumPy arrays
OBJECTS = ("object", "object_", "O", None)  # None: a type that is not known


def _natural(size: AnySize) -> bool:
    return size >= 0 if isinstance(size, int) else (size.low() or 0) >= 0 and size.low() is not None


@op("tf.{zeros,ones}", "keras.ops.{zeros,ones,empty}", "keras.backend.{zeros,ones}", dtype="float32")
def filled(shape: ShapeArg, dtype: AnyValue = NONE) -> Answer:
    """A second size is read as a dtype; dtypes have numbers too."""
    return shape, *sizes_needed(shape), *_taken_for_dtype(shape, as_size(dtype))


def _taken_for_dtype(shape: Shape, size: AnySize | None) -> list[Also]:
    if size is None or shape.rank != 1:
        return []
    return [also(notices=[(ClashKind.SIZE_AS_DTYPE, f"shape is {_written(shape)} only, {size} is taken as the dtype")])]


@op("np.{zeros,ones,empty}", dtype="float64")
def np_filled(shape: ShapeArg, dtype: AnyValue = NONE) -> Answer:
    """A second size is in the position of the dtype."""
    if as_size(dtype) is not None:
        raise Refused(ClashKind.RANK, f"shape is {_written(shape)}, and {as_size(dtype)} is not a dtype")
    return shape, *sizes_needed(shape)


def _written(shape: Shape) -> AnySize | Shape:
    """Return a shape argument; one given as a single number is that number."""
    return shape.head[0] if shape.tail is None and len(shape.head) == 1 else shape


@op("keras.ops.full")
def keras_full(shape: ShapeArg, fill_value: Tensor) -> Answer:
    return shape, *sizes_needed(shape), *stretches_to(fill_value, shape)


@op("np.full")
def full(shape: ShapeArg, fill_value: Tensor) -> Answer:
    return shape, *sizes_needed(shape), *stretches_to(_without_ones(fill_value, shape), shape)


def _without_ones(value: Tensor, shape: Shape) -> Tensor:
    """Return a fill value without leading axes of size 1, which it may have beyond those of the array."""
    extra = 0 if value.rank is None or shape.tail is not None else max(0, value.rank - len(shape.head))
    return replace(value, shape=Shape(value.shape.head[extra:])) if set(value.shape.head[:extra]) == {1} else value


@op("tf.fill", was={"value": "fill_value"})
def fill(shape: ShapeArg, fill_value: Tensor, target: Target = Target()) -> Answer:
    return shape, *_of_one(fill_value, target), *sizes_needed(shape)


def _of_one(value: Tensor, target: Target) -> list[Need]:
    """Return the constraint for a value to be a scalar; TensorFlow 2 accepts a vector of one element, too."""
    if value.rank == 1 and target.tensorflow != 1:
        return [equal(ClashKind.RANK, value.shape.head[0], 1, "value is not a scalar")]
    return [never(ClashKind.RANK, f"value has rank {value.rank}, not 0")] if value.rank else []


@op("{tf,np,keras.ops}.{zeros_like,ones_like}", "{np,keras.ops}.{empty_like,full_like}", was={"tensor": "x"})
@op("keras.backend.{zeros_like,ones_like}")
def like(x: Tensor, shape: ShapeArg | None = None) -> Answer:
    return "*S -> *S" if shape is None else (shape, *sizes_needed(shape))


@op("keras.ops.eye", dtype="float32")
@op("np.eye", dtype="float64")
def eye(N: Size, M: Size | None = None) -> Answer:  # noqa: N803
    return Shape((N, N if M is None else M))


@op("keras.ops.identity", dtype="float32")
@op("np.identity", dtype="float64")
def identity(n: Size) -> Answer:
    return Shape((n, n))


@op("tf.{eye,linalg.eye}", dtype="float32")
def tf_eye(num_rows: Size, num_columns: Size | None = None, batch_shape: ShapeArg | None = None) -> Answer:
    columns = num_rows if num_columns is None else num_columns
    return "-> *K r c", {"K": batch_shape or Shape(()), "r": num_rows, "c": columns}


@op("keras.ops.tri", dtype="float32")
@op("np.tri", dtype="float64")
def tri(N: Size, M: Size | None = None) -> Answer:  # noqa: N803
    return Shape((N, N if M is None else M))


@op("tf.{linspace,lin_space}", was={"num": "count"})
def tf_linspace(start: Tensor, stop: Tensor, count: Size = 50, axis: Axis = 0, target: Target = Target()) -> Answer:
    if target.tensorflow == 1:
        return ", -> n", {"n": count}, "n >= 1"
    return linspace(start, stop, count, axis)


@op("keras.ops.geomspace", was={"num": "count"})
def keras_geomspace(start: Tensor, stop: Tensor, count: Size = 50, axis: Axis = 0) -> Answer:
    """Of other axes, Keras makes something of its own."""
    return linspace(start, stop, count) if axis == 0 else UNRANKED


@op("keras.ops.{linspace,logspace}", was={"num": "count"})
@op("np.{linspace,logspace,geomspace}", dtype="?", was={"num": "count"})
def linspace(start: Tensor, stop: Tensor, count: Size = 50, axis: Axis = 0) -> Answer:
    """As many numbers along a new axis, between bounds that broadcast."""
    shape, needs = together([start.shape, stop.shape], f"start {start.shape} and stop {stop.shape} do not broadcast")
    return at(axis, "-> n", of=Tensor("start", shape)), {"n": count}, *needs


@behaviour("tf.range", "keras.ops.arange", "keras.backend.arange")
def tf_range(
    ctx: Context,
    start: Value = NONE,
    limit: Value = NONE,
    delta: Value = NONE,
    dtype: Value = NONE,
    stop: Value = NONE,
    step: Value = NONE,
) -> Value:
    limit, delta = stop if limit == NONE else limit, step if delta == NONE else delta
    return counted(ctx, "tf", start, limit, delta, dtype)


@behaviour("np.arange")
def np_arange(ctx: Context, start: Value = NONE, stop: Value = NONE, step: Value = NONE, dtype: Value = NONE) -> Value:
    return counted(ctx, "np", start, stop, step, dtype)


def counted(ctx: Context, library: str, start: Value, stop: Value, step: Value, dtype: Value) -> Value:
    """Return a range from start (0 if only one bound is given) up to stop."""
    if stop == NONE:
        start, stop = Const(0), start
    start, step = Const(0) if start == NONE else start, Const(1) if step == NONE else step
    name = dtype_name(dtype) if dtype != NONE else _type_of_range(library, (start, stop, step), ctx)
    length, first, by = _count(start, stop, step, name, ctx), as_size(start), as_size(step)
    content = None
    if isinstance(length, int) and length <= 64 and isinstance(first, int) and isinstance(by, int):
        content = Seq("list", tuple(Const(first + at * by) for at in range(length)))
    return values.Tensor(Shape((length,)), name, library, content=content)


def _type_of_range(library: str, bounds: tuple[Value, ...], ctx: Context) -> str | None:
    """Return the dtype of the bounds; Python integers adapt to all other dtypes."""
    leading = [bound for bound in bounds if not (isinstance(bound, Const) and type(bound.value) is int)]
    found = {as_tensor(bound, ctx).dtype for bound in leading or bounds[:1]}
    name = found.pop() if len(found) == 1 else None
    wide = library == "np" and not any(isinstance(bound, values.Tensor) for bound in bounds)
    return {"int32": "int64", "float32": "float64"}.get(name or "", name) if wide else name


LARGEST = 1e30  # beyond this, 32-bit floats overflow


def _count(start: Value, stop: Value, step: Value, dtype: str | None, ctx: Context) -> AnySize:
    plain = [
        bound.content if isinstance(bound, values.Tensor) and bound.content else bound for bound in (start, stop, step)
    ]
    numbers = [bound.value for bound in plain if isinstance(bound, Const) and isinstance(bound.value, (int, float))]
    if len(numbers) == 3 and numbers[2] and all(abs(number) < LARGEST for number in numbers):
        first, last, between = numbers
        return max(0, _steps(first, last, between, is_single=dtype == "float32"))
    low, high, by = map(as_size, plain)
    if low is None or high is None or not isinstance(by, int) or not by:
        return ctx.fresh("?", decided_by(start, stop, step), "a range whose bounds are not known")
    return maximum(ceildiv(high - low, by), 0)


def _steps(start: float, stop: float, step: float, is_single: bool) -> int:
    """Return the number of steps as the libraries compute it: in floats, which are rounded at each operation."""
    if all(isinstance(number, int) for number in (start, stop, step)):
        return int(-((start - stop) // step))
    start, stop, step = map(_rounded, (start, stop, step)) if is_single else (start, stop, step)
    span = _rounded(stop - start) if is_single else stop - start
    return ceil(_rounded(span / step) if is_single else span / step)


def _rounded(number: float) -> float:
    """Return the nearest 32-bit float."""
    rounded: float = unpack("f", pack("f", number))[0]
    return rounded


@op("tf.{constant,convert_to_tensor}", "keras.backend.constant", was={"x": "value"})
def constant(value: Tensor, shape: ShapeArg | None = None, target: Target = Target()) -> Answer:
    """A given shape repeats a scalar, or rearranges the elements (in TensorFlow 1, there may be fewer)."""
    if shape is None:
        return value.shape, *refused(value, target), also(content=value.content)
    return shape, *sizes_needed(shape), *_fills(value, shape, target)


@op("tf.compat.v1.constant", oracle="none: fewer elements only in a graph")
def constant_of_1(value: Tensor, shape: ShapeArg | None = None) -> Answer:
    """Apply the `constant` of TensorFlow 1, which repeats the last element in a graph."""
    return constant(value, shape, Target(tensorflow=1))


def _fills(value: Tensor, shape: Shape, target: Target) -> list[Need]:
    """Return the constraint for the elements of a value to make a tensor of this shape."""
    total, wanted = value.shape.elements(), shape.elements()
    if total is None or wanted is None or value.rank == 0:
        return []
    said = f"value has {total} elements, shape {shape} has {wanted}"
    if target.tensorflow == 1:
        return [at_least(ClashKind.ELEMENTS, wanted, total, said)]
    return [one_of(ClashKind.ELEMENTS, total, (wanted, 1) if value.rank == 1 else (wanted,), said)]


@op("np.array")
def new_array(a: Tensor, dtype: AnyValue = NONE, ndmin: Size = 0, target: Target = Target()) -> Answer:
    """Axes of size 1 are put first where more are requested."""
    if ndmin == 0 or fields_of(dtype_name(dtype)):
        return array(a, dtype, target)
    return Shape(aligned(a.shape, _ones(ndmin))[0])


def _ones(axes: Size) -> Shape:
    """Return the given number of axes of size 1."""
    if not isinstance(axes, int) or axes > MOST_AXES:
        raise Blind("how many axes there are")
    return Shape((1,) * axes)


@op("np.{asarray,asarray_chkfinite,asanyarray,copy,require}", "np.ndarray.copy")
@op("keras.ops.{convert_to_tensor,array,convert_to_numpy,copy}")
def array(a: Tensor, dtype: AnyValue = NONE, target: Target = Target()) -> Answer:
    """A tuple is one record for a record dtype, and a text is a row for the dtype `c`."""
    if isinstance(dtype, Seq) or fields_of(dtype_name(dtype)) or dtype == Const("c"):
        return UNRANKED
    return (a.shape, also(content=a.content)) if uneven(a.given) is None else _of_lists(a, dtype, target)


def _of_lists(a: Tensor, dtype: Value, target: Target) -> Answer:
    """Return the array of lists that differ in length, which is an array of objects where that is possible."""
    whole = Shape(a.shape.head[:1], ())
    of_numbers = dtype == NONE or dtype_name(dtype) not in OBJECTS
    return (whole, *refused(a, target)) if of_numbers else whole


@op("np.{ascontiguousarray,asfortranarray}")
def contiguous(a: Tensor) -> Answer:
    return (a.shape if a.rank else UNRANKED), also(content=a.content)


_PYTHON = {"bool_": "bool", "int_": "int64"}
for _name in "float16 float32 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ int_".split():
    op(f"np.{_name}", dtype=_PYTHON.get(_name, _name))(array)


@op("np.{float64,float_,double}", dtype="float64")
def python_float(a: Tensor, target: Target = Target()) -> Answer:
    """Before NumPy 2, an array of one element becomes a number, if `float` can convert it; a list does not."""
    is_longer = any(isinstance(size, int) and size != 1 for size in a.shape.known)
    if target.numpy != 2 and isinstance(a.given, values.Tensor) and a.rank != 0 and not is_longer:
        return UNRANKED
    return array(a, NONE, target)


@op("{tf,tf.dtypes,keras.ops,keras.backend}.cast", "{tf,tf.dtypes,keras.ops}.saturate_cast")
def cast(x: Tensor, dtype: AnyValue) -> Answer:
    name = dtype_name(dtype)
    plain = name and (canonical(name) or name)
    return "*S -> *S", also(content=_cut(x.content, plain), dtype=plain, nature=x.nature)


@op("{np,np.ndarray}.astype")
def astype(x: Tensor, dtype: AnyValue) -> Answer:
    return cast(x, Const("float64") if dtype == Const("float") else dtype)


def _cut(content: Value | None, dtype: str | None) -> Value | None:
    """Return a number without its fraction, as integers are converted."""
    match content:
        case Const(value=float(number)) if dtype is not None and "int" in dtype and isfinite(number):
            return Const(int(number))
    return content


TO = ("int32", "int64", "bfloat16", "complex64", "complex128")
for _old, _dtype in [("float", "float32"), ("double", "float64"), *((name, name) for name in TO)]:

    @op(f"tf.to_{_old}", dtype=_dtype)
    def to_dtype(x: Tensor) -> Answer:
        return "*S -> *S", also(content=x.content)


@op("tf.{stop_gradient,Print,check_numerics,guarantee_const,verify_tensor_all_finite}", "keras.ops.stop_gradient")
@op("tf.debugging.{check_numerics,assert_all_finite}", "keras.backend.stop_gradient")
def same(x: Tensor) -> Answer:
    return "*S -> *S", also(content=x.content)


@op("tf.one_hot", dtype="?")
def tf_one_hot(
    indices: Tensor,
    depth: Size,
    on_value: Tensor | None = None,
    off_value: Tensor | None = None,
    axis: Axis = -1,
    dtype: AnyValue = NONE,
) -> Answer:
    """The result has the dtype of its values if none is requested. Arrays of NumPy are converted to integers."""
    given = on_value or off_value
    kind = "float32" if given is None else given.dtype
    _refuse(indices, on_value, off_value)
    return *one_hot(indices, depth, axis), also(dtype=kind if dtype == NONE else None, nature="one-hot")


def _refuse(indices: Tensor, *values: Tensor | None) -> None:
    """Refuse floats as indices, and arrays as values."""
    if getattr(indices.given, "library", "") != "np":
        of_integers(indices)
    for value in values:
        if value is not None:
            of_rank(value, 0)


@op("{keras.ops,keras.backend}.one_hot", was={"num_classes": "depth"}, dtype="float32")
def keras_one_hot(indices: Tensor, depth: Size, axis: Axis = -1) -> Answer:
    return *one_hot(indices, depth, axis), also(nature="one-hot")


def one_hot(indices: Tensor, depth: Size, axis: int) -> tuple[At, dict[str, AnySize]]:
    """Return the signature that adds an axis with a position for each class."""
    if axis < -1:
        raise Refused(ClashKind.AXIS_RANGE, f"axis {axis} is out of range")
    return at(axis, "-> n"), {"n": depth}


def _below_classes(ctx: Context, name: str, bound: Bound, result: Value) -> None:
    """State that the labels are less than the number of classes, which is by one more than the largest otherwise."""
    if bound.given.get("num_classes", NONE) == NONE:
        found = largest(ctx, as_tensor(bound.given.get("x", NONE), ctx))
        size = result.shape.size(-1) if isinstance(result, values.Tensor) else None
        if found is not None and found.is_there and size is not None:
            ctx.require(ClashKind.AXIS, Equal(size, found.value + 1), "the number of classes")
    require_below(ctx, "x", bound.given.get("x", NONE), bound.given.get("num_classes", NONE), "classes")


@op("keras.utils.to_categorical", dtype="?", leaves=_below_classes)
def to_categorical(x: Ranked, num_classes: Size | None = None) -> Answer:
    """A last axis of size 1 is replaced, otherwise one is added."""
    if x.rank > 1 and not isinstance(x.shape.head[-1], int):
        return UNRANKED
    form = "*S 1 -> *S c" if x.rank > 1 and x.shape.head[-1] == 1 else "*S -> *S c"
    return form, {"c": num_classes or _classes()}, also(nature="one-hot")


def _classes() -> AnySize:
    """Return the number of classes in the labels, which is at least two."""
    return fresh("classes", Kind.FREE, why="as many classes as the labels have", low=2)


@op("tf.sequence_mask", dtype="bool")
def sequence_mask(lengths: Tensor, maxlen: Size | None = None) -> Answer:
    return "*S -> *S n", {"n": lost() if maxlen is None else maxlen}


@op("np.{triu,tril}")
def np_triangle(m: Ranked) -> Answer:
    """A vector is repeated as each of as many rows."""
    return "n -> n n" if m.rank == 1 else triangle(m)


@op("keras.ops.{triu,tril}")
def triangle(m: Tensor) -> Answer:
    return "*B m n -> *B m n"


@behaviour("{np.frombuffer,np.fromfile,np.fromstring,np.fromiter}")
def vector_of_unknown_length(ctx: Context, source: Value = NONE, dtype: Value = NONE, count: Value = NONE) -> Value:
    """Return a vector as long as its source."""
    if is_array_dtype(dtype):
        return values.Tensor(UNRANKED, None, "np")
    known = as_size(count)
    length = known if known is not None and known != -1 else ctx.fresh("n", Kind.FREE, "as many as the source holds")
    return values.Tensor(Shape((length,)), "float64" if dtype == NONE else dtype_name(dtype), "np")
