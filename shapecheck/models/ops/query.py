"""Queries of a tensor's shape, rank, size or dtype."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Const, Library, Seq, Value, as_size, as_sizes, items_of, of_size, sizes_of
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Context,
    Target,
    Tensor,
    also,
    attribute,
    behaviour,
    op,
    result,
)
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.constraints import equal, never
from shapecheck.models.lang.unknown_sizes import IN_FILE, lost
from shapecheck.models.ops.join import run_model
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.dtype import fields_of, may_be_objects, width
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Expr, Kind, Size, is_lost, product, symbols


@op("tf.{shape,shape_v2}", "keras.backend.shape", dtype="int32")
def run_time_shape(input: Tensor, target: Target = Target()) -> Answer:
    """Return a vector whose content is the shape; in TensorFlow 1 it is a static value only if no size is open."""
    content = None if input.rank is None else Seq("list", tuple(map(of_size, input.shape.head)))
    if content is not None and target.tensorflow == 1 and _is_open(input):
        return result(values.Tensor(Shape((_rank(input),)), "int32", content=content, role="run-time"))
    return Shape((_rank(input),)), also(content=content)


def _is_open(tensor: Tensor) -> bool:
    """Return whether sizes are only known at run time, unlike those that data tells while the graph is built."""
    symbols = tensor.shape.symbols()
    is_static = isinstance(tensor.value, values.Tensor) and tensor.value.static
    return bool(symbols) and (not is_static or any(symbol.kind is Kind.DYNAMIC for symbol in symbols))


def _rank(tensor: Tensor) -> Size:
    """Return the number of axes, known or not."""
    return lost("the rank") if tensor.rank is None else tensor.rank


@op("tf.size", dtype="int32")
def size(input: Tensor) -> Answer:
    total = input.shape.elements()
    return SCALAR, also(content=None if total is None else of_size(total))


@op("tf.rank", dtype="int32")
def rank(input: Tensor) -> Answer:
    return SCALAR, also(content=None if input.rank is None else Const(input.rank))


@op("np.shape", oracle="none: gives a tuple")
def np_shape(a: Tensor) -> Answer:
    return result(sizes_of(a.shape))


@behaviour("np.broadcast_shapes")
def broadcast_shapes(ctx: Context, *args: Value) -> Value:
    shapes = [_shape_told(ctx.freeze(each)) for each in args]
    known = [shape for shape in shapes if shape is not None]
    together, claims = broadcast(known)
    for claim in claims:
        ctx.require(ClashKind.BROADCAST, claim, f"shapes {' and '.join(map(str, known))} do not broadcast")
    return sizes_of(together) if len(known) == len(shapes) else ctx.lost("a shape that is not known")


def _shape_told(value: Value) -> Shape | None:
    """Return the shape that a number or a sequence of numbers stands for."""
    size = as_size(value)
    sizes = as_sizes(value) if size is None else (size,)
    return None if sizes is None else Shape(sizes)


@op("np.size", "keras.ops.size", oracle="none: gives a number")
def np_size(a: Tensor, axis: Axis | None = None) -> Answer:
    total = a.shape.elements() if axis is None else a.shape.size(axis)
    return result(of_size(lost("the elements") if total is None else total))


@op("np.ndim", "keras.ops.ndim", "keras.backend.ndim", oracle="none: gives a number")
def np_ndim(a: Tensor) -> Answer:
    return result(of_size(_rank(a)))


@behaviour("keras.ops.shape")
def dynamic_shape(ctx: Context, x: Value) -> Value:
    """Return the sizes; in a graph, those that are open are tensors."""
    shape = as_tensor(x, ctx).shape
    static = ctx.static_shape(x, shape, "tuple")
    if not ctx.is_in_graph or not isinstance(static, Seq) or (isinstance(x, values.Tensor) and x.library == "keras"):
        return sizes_of(shape)
    pairs = zip(static.items, shape.head, strict=True)
    return Seq("tuple", tuple(_as_tensor(size) if known == NONE else known for known, size in pairs))


def _as_tensor(size: Size) -> Value:
    return values.Tensor(SCALAR, "int32", "tf", content=of_size(size))


@op("keras.backend.int_shape", oracle="none: gives a tuple")
def int_shape(x: Tensor) -> Answer:
    return result(sizes_of(x.shape))


def _shape_of(ctx: Context, self: Value) -> Shape:
    return as_tensor(self, ctx).shape.map(lambda each: each if isinstance(each, int) else ctx.resolve(each))


@attribute("np.ndarray.shape")
def ndarray_shape(ctx: Context, self: Value) -> Value:
    return sizes_of(_shape_of(ctx, self))


@attribute("tf.Tensor.shape")
def tensor_shape(ctx: Context, self: Value) -> Value:
    return ctx.static_shape(self, _shape_of(ctx, self), "shape")


@attribute("keras.KerasTensor.shape")
def keras_shape(ctx: Context, self: Value) -> Value:
    return ctx.static_shape(self, _shape_of(ctx, self), "tuple" if ctx.target.keras == 3 else "shape")


@attribute("tf.Tensor._keras_shape", "keras.KerasTensor._keras_shape")
def shape_of_old_keras(ctx: Context, self: Value) -> Value:
    return ctx.static_shape(self, _shape_of(ctx, self), "tuple")


@behaviour("tf.Tensor.get_shape")
def get_shape(ctx: Context, self: Value) -> Value:
    return ctx.static_shape(self, _shape_of(ctx, self), "shape")


@attribute("{tf.Tensor,np.ndarray}.ndim")
def ndim(ctx: Context, self: Value) -> Value:
    known = _shape_of(ctx, self)
    return Const(len(known.head)) if known.tail is None else ctx.lost("the rank")


@attribute("{tf.Tensor,np.ndarray}.size")
def ndarray_size(ctx: Context, self: Value) -> Value:
    total = _shape_of(ctx, self).elements()
    return ctx.lost("the number of elements") if total is None else of_size(total)


@attribute("{tf.Tensor,np.ndarray}.dtype")
def dtype(ctx: Context, self: Value) -> Value:
    name = self.dtype if isinstance(self, values.Tensor) else None
    library = "np" if isinstance(self, values.Tensor) and self.library == "np" else "tf"
    if fields_of(name):
        return values.Const(name)
    return Library(f"{library}.{name}") if name else ctx.lost("the dtype")


@attribute("{tf.Tensor,np.ndarray}.{name,device,op,graph}")
def description(ctx: Context, self: Value) -> Value:
    return values.Scalar("str")


@attribute("np.ndarray.{itemsize,nbytes}")
def bytes_taken(ctx: Context, self: Value) -> Value:
    return values.Scalar("int")


@attribute("np.ndarray.strides")
def strides(ctx: Context, self: Value) -> Value:
    rank = self.shape.rank if isinstance(self, values.Tensor) else None
    return ctx.lost("strides") if rank is None else values.Seq("tuple", (values.Scalar("int"),) * rank)


@attribute("{tf.Tensor,np.ndarray}.T")
def transposed(ctx: Context, self: Value) -> Value:
    """Return the array with its axes in reverse order."""
    return ctx.apply("tf.transpose" if as_tensor(self, ctx).library == "tf" else "np.transpose", self)


@attribute("np.ndarray.{real,imag}")
def part(ctx: Context, self: Value) -> Value:
    return self


@attribute("np.ndarray.flat")
def flat(ctx: Context, self: Value) -> Value:
    return ctx.apply("np.ravel", self)


@behaviour("{tf.Tensor,np.ndarray}.__len__")
def length(ctx: Context, self: Value) -> Value:
    known = _shape_of(ctx, self)
    return of_size(known.head[0]) if known.head else ctx.lost("the length")


# TensorShape and Dimension -----------------------------------------------------------------------------------------


@behaviour("tf.TensorShape")
def make_tensor_shape(ctx: Context, dims: Value = NONE) -> Value:
    items = items_of(dims)
    if items is None:
        return ctx.lost("a shape of unknown rank")
    sizes = [of_size(ctx.fresh("None", Kind.DYNAMIC, "given as None")) if item == NONE else item for item in items]
    return Seq("shape", tuple(sizes))


@behaviour("tf.TensorShape.as_list")
def as_list(ctx: Context, self: Value) -> Value:
    items = items_of(self)
    return ctx.lost("a shape of unknown rank") if items is None else Seq("list", tuple(map(ctx.as_number, items)))


@attribute("tf.TensorShape.{ndims,rank}")
def shape_rank(ctx: Context, self: Value) -> Value:
    items = items_of(self)
    return ctx.lost("the rank") if items is None else Const(len(items))


@attribute("tf.TensorShape.dims")
def dims(ctx: Context, self: Value) -> Value:
    return as_list(ctx, self)


@behaviour("tf.TensorShape.num_elements")
def num_elements(ctx: Context, self: Value) -> Value:
    sizes = as_sizes(self)
    return ctx.lost("the number of elements") if sizes is None else of_size(product(sizes))


@behaviour("tf.TensorShape.{is_fully_defined,is_compatible_with}")
def is_fully_defined(ctx: Context, self: Value, other: Value = NONE) -> Value:
    sizes = as_sizes(self)
    known = sizes is not None and all(isinstance(each, int) for each in sizes)
    return Const(True) if known and other == NONE else values.Scalar("bool")


@behaviour("tf.TensorShape.{with_rank,with_rank_at_least,assert_has_rank,merge_with,assert_is_compatible_with}")
def same_shape(ctx: Context, self: Value, other: Value = NONE) -> Value:
    return self


@behaviour("tf.{Dimension,dimension_value,compat.dimension_value}", "tf.compat.v1.{Dimension,dimension_value}")
def dimension_value(ctx: Context, dimension: Value) -> Value:
    return dimension


# Refining a shape --------------------------------------------------------------------------------------------------


def refined(ctx: Context, tensor: Value, shape: Value) -> values.Tensor:
    """Return the tensor with the sizes that a stated shape adds; both must be compatible."""
    before, stated = as_tensor(tensor, ctx), shape_arg(shape, ctx)
    if stated.tail is not None:
        return replace(before, shape=before.shape.map(_perhaps_stated), is_rank_open=False)
    said = f"the tensor has shape {before.shape}, not {stated}"
    if before.shape.tail is None and len(before.shape.head) != len(stated.head):
        need = never(ClashKind.SET_SHAPE, said)
        ctx.require(need.kind, need.claim, said, before)
        return before
    old = (
        before.shape.head
        if before.shape.tail is None
        else tuple(before.shape.size(at) for at in range(len(stated.head)))
    )
    sizes: list[Size] = []
    for have, want in zip(old, stated.head, strict=True):
        if have is not None and not _is_none(want) and not (is_lost(want) and _may_be_stated(have)):
            need = equal(ClashKind.SET_SHAPE, have, want, said)
            ctx.require(need.kind, need.claim, said, before)
        sizes.append(have if have is not None and (_is_none(want) or isinstance(have, int)) else want)
    return replace(before, shape=Shape(tuple(sizes)), static=before.static or not any(map(_is_none, stated.head)))


def _perhaps_stated(size: Size) -> Size:
    """Return a size that was open before an unknown shape was stated, so that a graph may know it now."""
    return lost("an unknown shape was stated") if _may_be_stated(size) else size


def _may_be_stated(size: Size) -> bool:
    """Return whether a size was open before one was stated that is not followed: that one need not be open."""
    return any(symbol.kind is Kind.DYNAMIC or symbol.why == IN_FILE for symbol in symbols(size))


def _is_none(size: Size) -> bool:
    return isinstance(size, Expr) and all(symbol.name == "None" for symbol in size.symbols())


@behaviour("tf.Tensor.set_shape")
def set_shape(ctx: Context, self: Value, shape: Value) -> Value:
    """The tensor itself is changed."""
    if isinstance(self, values.Tensor):
        ctx.refine(self, refined(ctx, self, shape))
    return NONE


@behaviour("tf.ensure_shape")
def ensure_shape(ctx: Context, x: Value, shape: Value) -> Value:
    return refined(ctx, x, shape)


# Values ------------------------------------------------------------------------------------------------------------


@behaviour("np.ndarray.view")
def view(ctx: Context, self: Value, dtype: Value = NONE, type: Value = NONE) -> Value:
    """Return an instance of a custom subclass of arrays, or the same elements with another dtype."""
    cls = next((each for each in (dtype, type) if isinstance(each, values.Class)), None)
    if cls is None:
        return run_model("np.ndarray.viewed", ctx, self, dtype)
    array = values.Partial(Library("np.asarray"), (self,))
    instance = ctx.new("user", __class__=cls, __array__=array)
    finish = ctx.get(instance, "__array_finalize__")
    if finish is not None:
        ctx.call(finish, [self])
    return instance


@op("np.ndarray.viewed", oracle="none: a method")
def viewed(a: Tensor, dtype: AnyValue = NONE) -> Answer:
    """Elements of another width change the last axis."""
    if dtype in (NONE, Library("np.ndarray")):
        return a.shape, also(dtype=a.dtype)
    return _viewed(a.shape, width(a.dtype), width(dtype_name(dtype)))


def _viewed(shape: Shape, before: int | None, after: int | None) -> Shape:
    """Return the shape after elements of one width in bytes are read as elements of another width."""
    if before is not None and before == after:
        return shape
    if before is None or after is None or not shape.rank:
        return UNRANKED
    *rest, last = shape.head
    return Shape((*rest, last * before // after))


@behaviour("tf.Tensor.numpy")
def as_array(ctx: Context, self: Value) -> Value:
    return replace(self, library="np", role="tensor") if isinstance(self, values.Tensor) else self


@behaviour("tf.Variable.{value,read_value,initialized_value}")
def as_plain(ctx: Context, self: Value) -> Value:
    """Read a variable, which is an operation that has a gradient."""
    return replace(self, role="tensor", step=0, output=0) if isinstance(self, values.Tensor) else self


@behaviour("np.ndarray.tolist")
def tolist(ctx: Context, self: Value) -> Value:
    tensor = as_tensor(self, ctx)
    if tensor.content is not None:
        return tensor.content
    if tensor.shape == SCALAR and may_be_objects(tensor.dtype):
        return values.Lost("an object in an array")
    if tensor.shape.tail is not None or not tensor.shape.head:
        return _number(tensor) if tensor.shape == SCALAR else ctx.lost("a list")
    inner = values.Tensor(Shape(tensor.shape.head[1:]), tensor.dtype, "np")
    return values.HomogeneousSeq("list", tolist(ctx, inner), tensor.shape.head[0])


@behaviour("np.ndarray.item")
def item(ctx: Context, self: Value) -> Value:
    tensor = as_tensor(self, ctx)
    if tensor.content is not None and as_size(tensor.content) is not None:
        return tensor.content
    return values.Lost("an object in an array") if may_be_objects(tensor.dtype) else _number(tensor)


def _number(element: values.Tensor) -> Value:
    """Return an element of an array as a number of Python."""
    return values.Scalar("float" if (element.dtype or "").startswith("float") else "number")
