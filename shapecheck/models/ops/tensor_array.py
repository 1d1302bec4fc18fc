"""TensorArray: a list of tensors of one shape that are written one by one and stacked at the end."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.agreement import dtype_difference, is_converted
from shapecheck.domain.values import FALSE, NONE, TRUE, Tensor, Value, as_size, as_str, of_size
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.evaluate import joined
from shapecheck.shapes import claims
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind

CLASS = "tf.TensorArray"
base(CLASS, "object")


@behaviour(CLASS)
def make(
    ctx: Context,
    dtype: Value = NONE,
    size: Value = NONE,
    dynamic_size: Value = NONE,
    infer_shape: Value = TRUE,
    element_shape: Value = NONE,
    **others: Value,
) -> Value:
    """The number of elements is given, unless it is dynamic. Unless `infer_shape` is false, all have one shape."""
    known = NONE if dynamic_size == TRUE or as_size(size) is None else size
    is_free = TRUE if infer_shape == FALSE and element_shape == NONE else FALSE
    made = ctx.new(CLASS, _size=known, dtype=dtype, _dtype=values.Const(dtype_name(dtype)), _is_free=is_free)
    if ctx.is_compiled and dynamic_size == TRUE and size in (NONE, values.Const(0)):
        ctx.set(made, "_is_fixed", TRUE)
    if element_shape != NONE:
        ctx.set(made, "_element", Tensor(shape_arg(element_shape, ctx), dtype_name(dtype), "tf"))
    return made


def _element(ctx: Context, self: Value) -> Tensor:
    """Return a value for any element."""
    known = ctx.get(self, "_element")
    if isinstance(known, Tensor):
        return known
    return Tensor(UNRANKED, as_str(ctx.get(self, "_dtype") or NONE), "tf")


def _length(ctx: Context, self: Value) -> Value:
    size = as_size(ctx.get(self, "_size") or NONE)
    return of_size(ctx.fresh("?", Kind.LOST, "as many as are written") if size is None else size)


@behaviour(f"{CLASS}.write")
def write(ctx: Context, self: Value, index: Value, value: Value, name: Value = NONE) -> Value:
    new, before = as_tensor(value, ctx), ctx.get(self, "_element")
    _check_dtype(ctx, self, value)
    if ctx.get(self, "_is_fixed") == TRUE:
        ctx.notice(ClashKind.XLA, "XLA gives the array no elements, since its size at first is 0", new)
    if isinstance(before, Tensor) and _is_unequal(before, new):
        said = f"an element has shape {new.shape}, an earlier one has shape {before.shape}"
        if ctx.get(self, "_is_free") == FALSE and new.static and before.static:
            ctx.require(ClashKind.LOOP_SHAPE, claims.FALSE, said, new)
        ctx.set(self, "_unequal", values.Const(said))
    element = joined([before, new], ctx, is_open=ctx.is_in_graph) if isinstance(before, Tensor) else new
    if isinstance(self, values.Ref) and isinstance(element, Tensor):
        ctx.set(self, "_element", Tensor(element.shape, element.dtype, "tf"))
    return self


def _check_dtype(ctx: Context, self: Value, value: Value) -> None:
    """State that a value has the dtype of the array, to which the numbers of Python are converted."""
    wanted = Tensor(dtype=as_str(ctx.get(self, "_dtype") or NONE))
    differ = dtype_difference(wanted, value)
    if differ is not None and not is_converted(value, differ[0]):
        said = f"the array has dtype {differ[0]}, an element is {differ[1]}"
        ctx.require(ClashKind.LOOP_TYPE, claims.FALSE, said, value)


def _is_unequal(before: Tensor, new: Tensor) -> bool:
    """Return whether two elements certainly have different shapes."""
    if not before.shape.is_ranked or not new.shape.is_ranked:
        return False
    if before.shape.rank != new.shape.rank:
        return True
    pairs = zip(before.shape.sizes, new.shape.sizes, strict=True)
    return any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)


@behaviour(f"{CLASS}.{{unstack,scatter}}")
def unstack(ctx: Context, self: Value, value: Value = NONE, *rest: Value, **others: Value) -> Value:
    """There is an element for each row."""
    rows = as_tensor(rest[0] if rest else value, ctx)
    if isinstance(self, values.Ref) and rows.shape.head:
        ctx.set(self, "_element", Tensor(Shape(rows.shape.head[1:], rows.shape.tail), rows.dtype, "tf"))
        if not rest:
            ctx.set(self, "_size", of_size(rows.shape.head[0]))
    return self


@behaviour(f"{CLASS}.{{identity,split}}")
def same(ctx: Context, self: Value, *rest: Value, **others: Value) -> Value:
    return self


@behaviour(f"{CLASS}.read")
def read(ctx: Context, self: Value, index: Value = NONE, name: Value = NONE) -> Value:
    return _element(ctx, self)


@behaviour(f"{CLASS}.stack")
def stack(ctx: Context, self: Value, name: Value = NONE) -> Value:
    said = as_str(ctx.get(self, "_unequal") or NONE)
    if said is not None:
        ctx.require(ClashKind.LOOP_SHAPE, claims.FALSE, said, self)
    return _rows(ctx, self, _length(ctx, self))


@behaviour(f"{CLASS}.gather")
def gather(ctx: Context, self: Value, indices: Value, name: Value = NONE) -> Value:
    shape = as_tensor(indices, ctx).shape
    return _rows(ctx, self, of_size(shape.head[0]) if shape.head else _length(ctx, self))


def _rows(ctx: Context, self: Value, count: Value) -> Value:
    one, size = _element(ctx, self), as_size(count)
    head = () if size is None else (size,)
    return Tensor(Shape((*head, *one.shape.head), one.shape.tail), one.dtype, "tf") if head else Tensor()


@behaviour(f"{CLASS}.concat")
def concat(ctx: Context, self: Value, name: Value = NONE) -> Value:
    one = _element(ctx, self)
    if not one.shape.head:
        return Tensor(UNRANKED, one.dtype, "tf")
    rows = ctx.fresh("?", Kind.LOST, "all rows that are written")
    return Tensor(Shape((rows, *one.shape.head[1:]), one.shape.tail), one.dtype, "tf")


@behaviour(f"{CLASS}.size")
def size(ctx: Context, self: Value, name: Value = NONE) -> Value:
    return Tensor(SCALAR, "int32", "tf", content=_length(ctx, self))


@behaviour(f"{CLASS}.{{close,grad}}")
def close(ctx: Context, self: Value, *rest: Value, **others: Value) -> Value:
    return NONE


@attribute(f"{CLASS}.{{flow,handle,dtype,element_shape,dynamic_size}}")
def detail(ctx: Context, self: Value) -> Value:
    return ctx.lost("a detail of a TensorArray")
