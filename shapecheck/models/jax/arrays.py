"""Arrays of JAX: methods and attributes, subscripts, and updates with `x.at[index]`."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import (
    NONE,
    Const,
    HomogeneousSeq,
    Library,
    Ref,
    Scalar,
    Seq,
    Value,
    as_str,
    of_size,
    sizes_of,
)
from shapecheck.models.lang import Answer, AnyValue, Context, Refused, Tensor, attribute, behaviour, op, result
from shapecheck.models.lang.apply import stretches_to
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.constraints import Need
from shapecheck.models.lang.registry import same
from shapecheck.models.ops.index import index_shape
from shapecheck.shapes.shape import Shape

CLASS = "jax.Array"
PLACES = "jax.Array.at"
PLACE = "jax.Array.at.place"
_METHODS = """
all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot flatten max mean min nonzero
prod ravel repeat reshape round searchsorted squeeze std sum swapaxes take trace transpose
"""
same(_METHODS.split(), "np.ndarray.", f"{CLASS}.", __name__, oracle="none: a method")


@attribute(f"{CLASS}.shape")
def shape(ctx: Context, self: Value) -> Value:
    return sizes_of(_shape_of(ctx, self))


def _shape_of(ctx: Context, self: Value) -> Shape:
    return as_tensor(self, ctx).shape.map(lambda each: each if isinstance(each, int) else ctx.resolve(each))


@attribute(f"{CLASS}.ndim")
def ndim(ctx: Context, self: Value) -> Value:
    found = _shape_of(ctx, self)
    return ctx.lost("the rank") if found.tail is not None else Const(len(found.head))


@attribute(f"{CLASS}.size")
def size(ctx: Context, self: Value) -> Value:
    total = _shape_of(ctx, self).elements()
    return ctx.lost("the number of elements") if total is None else of_size(total)


@attribute(f"{CLASS}.dtype")
def dtype(ctx: Context, self: Value) -> Value:
    name = self.dtype if isinstance(self, values.Tensor) else None
    return Library(f"jax.numpy.{name}") if name else ctx.lost("the dtype")


@attribute(f"{CLASS}.{{nbytes,itemsize}}")
def bytes_taken(ctx: Context, self: Value) -> Value:
    return Scalar("int")


@attribute(f"{CLASS}.T")
def transposed(ctx: Context, self: Value) -> Value:
    return ctx.apply("jax.numpy.transpose", self)


@attribute(f"{CLASS}.mT")
def matrices_transposed(ctx: Context, self: Value) -> Value:
    return ctx.apply("jax.numpy.matrix_transpose", self)


@attribute(f"{CLASS}.{{real,imag}}")
def part(ctx: Context, self: Value) -> Value:
    return ctx.apply("jax.numpy.real", self)


@behaviour(f"{CLASS}.{{block_until_ready,to_device}}", f"{CLASS}.{{view,sort}}")
def kept(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return self if not args or not isinstance(self, values.Tensor) else replace(self, dtype=None)


@behaviour(f"{CLASS}.item")
def item(ctx: Context, self: Value, *args: Value) -> Value:
    return Scalar("number")


@behaviour(f"{CLASS}.__array__")
def as_array(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return ctx.apply("np.asarray", self)


@behaviour(f"{CLASS}.tolist")
def tolist(ctx: Context, self: Value) -> Value:
    return ctx.lost("numbers of an array")


# Subscripts ----------------------------------------------------------------------------------------------------------


@op(f"{CLASS}.__getitem__", operator="[]", oracle="none: an operator")
def subscript(x: Tensor, index: AnyValue) -> Answer:
    """As in NumPy, but an index that is out of range is no error: it is moved into the range."""
    found, needs = _part(x, index)
    return result(found, needs=needs)


def _part(x: Tensor, index: Value) -> tuple[Shape, list[Need]]:
    """Return the shape of `x[index]`, and the constraints. A list is no index; one beside others is, as an array."""
    entries = index.items if isinstance(index, Seq) and index.kind == "tuple" else (index,)
    if isinstance(index, (Seq, HomogeneousSeq)) and index.kind == "list":
        raise Refused(ClashKind.RANK, "the index is a list, not an array")
    if any(as_str(entry) is not None for entry in entries):
        raise Refused(ClashKind.RANK, "the index is a text, and arrays are indexed by numbers")
    found, needs = index_shape(x, index)
    return found, [need for need in needs if not need.message.startswith("index ")]


@op(f"{CLASS}.__setitem__", operator="[]=", oracle="none: an operator")
def assign(self: Tensor, i: AnyValue, x: AnyValue) -> Answer:
    raise Refused(ClashKind.IMMUTABLE, "x is an array of JAX, whose elements cannot be assigned")


@attribute(f"{CLASS}.at")
def places(ctx: Context, self: Value) -> Value:
    return ctx.new(PLACES, array=self)


@behaviour(f"{PLACES}.__getitem__")
def place(ctx: Context, self: Value, index: Value) -> Value:
    array = ctx.get(self, "array") if isinstance(self, Ref) else None
    return (
        ctx.new(PLACE, array=array, index=ctx.freeze(index)) if array is not None else ctx.lost("a place in an array")
    )


@behaviour(f"{PLACE}.{{set,add,subtract,multiply,mul,divide,power,min,max}}")
def updated(ctx: Context, self: Value, values: Value = NONE, **options: Value) -> Value:
    """Return the array with other elements, to which the values must broadcast."""
    array, index = ctx.get(self, "array"), ctx.get(self, "index")
    if array is None or index is None:
        return ctx.lost("a place in an array")
    return ctx.apply("jax.Array.at.updated", array, index, values)


@behaviour(f"{PLACE}.get")
def taken(ctx: Context, self: Value, **options: Value) -> Value:
    array, index = ctx.get(self, "array"), ctx.get(self, "index")
    if array is None or index is None:
        return ctx.lost("a place in an array")
    return ctx.apply(f"{CLASS}.__getitem__", array, index)


@behaviour(f"{PLACE}.apply")
def applied(ctx: Context, self: Value, func: Value, **options: Value) -> Value:
    return ctx.get(self, "array") or ctx.lost("a place in an array")


@op("jax.Array.at.updated", oracle="none: a method")
def update(x: Tensor, index: AnyValue, values: Tensor) -> Answer:
    part, needs = _part(x, index)
    return result(x.shape, needs=[*needs, *stretches_to(values, part)])
