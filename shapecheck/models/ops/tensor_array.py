"""TensorArray: a list of tensors of one shape that are written one by one and stacked at the end."""

from __future__ import annotations

from shapecheck.domain import values
from shapecheck.domain.values import NONE, TRUE, Tensor, Value, as_size, as_str, of_size
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.evaluate import joined
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
    element_shape: Value = NONE,
    **others: Value,
) -> Value:
    """The number of elements is given, unless it is dynamic."""
    known = NONE if dynamic_size == TRUE or as_size(size) is None else size
    made = ctx.new(CLASS, _size=known, dtype=dtype, _dtype=values.Const(dtype_name(dtype)))
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
    element = joined([before, new], ctx) if isinstance(before, Tensor) else new
    if isinstance(self, values.Ref) and isinstance(element, Tensor):
        ctx.set(self, "_element", Tensor(element.shape, element.dtype, "tf"))
    return self


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
