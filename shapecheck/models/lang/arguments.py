"""Reading of abstract values as the kinds of arguments that models take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from shapecheck.domain import values
from shapecheck.domain.values import (
    MINUS_ONE,
    NONE,
    Const,
    HomogeneousSeq,
    Int,
    Lost,
    Range,
    Scalar,
    Seq,
    Value,
    as_size,
    as_sizes,
    items_of,
)
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.dtypes import widened
from shapecheck.models.lang.parameter_kinds import Blind, Parameter, Reading, Sizes, Tensor, Tensors, fresh_lost, ranked
from shapecheck.shapes import dtype as dtypes
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape, join
from shapecheck.shapes.size import Kind, ceildiv, maximum, unknown
from shapecheck.shapes.size import Size as AnySize

CONTENT_LIMIT = 64
PYTHON_DTYPES: dict[type, str] = {bool: "bool", int: "int32", float: "float32", complex: "complex64", str: "string"}
SCALAR_DTYPES = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64", "str": "string"}


class Split(Exception):
    """The argument is not known, but is one of a few values."""

    def __init__(self, options: Sequence[Any]) -> None:
        self.options = tuple(options)


def read(parameter: Parameter, value: Value, ctx: Context, order: int = 0, function: str = "") -> Any:
    """Return the argument in the form that the model declares; raise Split or Blind where it is not known."""
    if value == NONE and parameter.optional:
        return None
    if parameter.reading is Reading.TENSOR:
        found = operand(value, parameter.name, ctx, order, function)
        return ranked(found) if parameter.ranked else found
    if parameter.reading is Reading.TENSORS:
        return operands(value, parameter.name, ctx, order, function)
    return _READERS[parameter.reading](value, parameter, ctx)


# Tensors -----------------------------------------------------------------------------------------------------------


def operand(value: Value, name: str, ctx: Context, order: int = 0, function: str = "") -> Tensor:
    """Return anything that a function would convert to a tensor."""
    tensor = widened(as_tensor(value, ctx), function, value)
    shape = tensor.shape.map(lambda size: size if isinstance(size, int) else ctx.resolve(size))
    return Tensor(name, shape, tensor.dtype, tensor, order, value)


def operands(value: Value, name: str, ctx: Context, order: int = 0, function: str = "") -> Tensors:
    """Return a list of tensors; a tensor is read as its slices along the first axis."""
    match value:
        case Seq(items=items):
            parts = [operand(item, f"{name}[{at}]", ctx, order + at, function) for at, item in enumerate(items)]
            return Tensors(name, tuple(parts))
        case HomogeneousSeq(element=element, length=length):
            return Tensors(name, (operand(element, f"{name}[0]", ctx, order, function),), length)
        case values.Tensor(dtype="object" | "string" | None, library="np", shape=Shape(head=(_,), tail=None)):
            raise Blind(f"the objects in {name}")
        case values.Tensor(shape=Shape(head=(first, *rest), tail=tail)):
            inner = replace(value, shape=Shape(tuple(rest), tail), content=None)
            if isinstance(first, int) and first <= CONTENT_LIMIT:
                return operands(Seq("list", (inner,) * first), name, ctx, order, function)
            return Tensors(name, (operand(inner, f"{name}[0]", ctx, order),), first)
    raise Blind(name)


def as_tensor(value: Value, ctx: Context) -> values.Tensor:
    """Return the tensor that a library makes of a value; unranked where that is not known."""
    match value:
        case values.Tensor():
            return value
        case Const(value=number) if type(number) in PYTHON_DTYPES:
            return values.Tensor(Shape(()), PYTHON_DTYPES[type(number)], "np", content=value)
        case Const(value=None):
            return values.Tensor(UNRANKED, "object", "np")
        case Int():
            return _of_integer(value)
        case Scalar(kind=kind):
            return values.Tensor(Shape(()), SCALAR_DTYPES.get(kind), "np", content=value)
        case Seq(items=items):
            return stacked([_item(item, ctx) for item in items], value, ctx)
        case Range():
            return values.Tensor(Shape((_length(value),)), "int32", "np")
        case HomogeneousSeq(element=element, length=length):
            inner = as_tensor(element, ctx)
            shape = Shape((length, *inner.shape.head), inner.shape.tail)
            return values.Tensor(shape, _common_dtype([inner]), inner.library)
        case values.Choice(options=options):
            return _whichever([as_tensor(option, ctx) for _, option in options], ctx)
        case values.Ref():
            return array_of(value, ctx) or values.Tensor(UNRANKED, None, "np", role="object")
    return values.Tensor(UNRANKED, None, "np", role="object")


def _item(value: Value, ctx: Context) -> values.Tensor:
    """Return the tensor of an item of a list, where None is an object like others."""
    return values.Tensor(Shape(()), "object", "np") if value == NONE else as_tensor(value, ctx)


def _of_integer(value: Int) -> values.Tensor:
    """The array of an integer; what is only annotated as one may well be an array."""
    if any(symbol.why == values.ANNOTATED for symbol in value.size.symbols()):
        return values.Tensor(UNRANKED, None, "np")
    return values.Tensor(Shape(()), "int32", "np", content=value)


def _length(value: Range) -> AnySize:
    return maximum(ceildiv(value.stop - value.start, value.step), 0) if value.step != 0 else 0


def _whichever(options: Sequence[values.Tensor], ctx: Context) -> values.Tensor:
    """Return a tensor that is one of these."""
    shape = reduce(lambda a, b: join(a, b, lambda *_: _varying(ctx)), (option.shape for option in options))
    dtype = options[0].dtype if all(option.dtype == options[0].dtype for option in options) else None
    library = next((option.library for option in options if option.library != "np"), "np")
    return values.Tensor(shape, dtype, library)


def array_of(value: values.Ref, ctx: Context) -> values.Tensor | None:
    """Return the array that an object converts itself to, as images and data frames do."""
    method = ctx.get(value, "__array__")
    made = ctx.call(method, []) if method is not None else None
    return replace(made, role="object", step=0, output=0) if isinstance(made, values.Tensor) else None


def stacked(items: Sequence[values.Tensor], value: Value, ctx: Context) -> values.Tensor:
    """Return the tensor of a list of tensors; unranked where their shapes differ."""
    if not items:
        return values.Tensor(Shape((0,)), "float32", "np", content=value)
    shape = _common_shape([item.shape for item in items], ctx)
    if shape is None:
        return values.Tensor(UNRANKED, _common_dtype(items), items[0].library)
    library = next((item.library for item in items if item.library != "np"), items[0].library)
    whole = values.Tensor(Shape((len(items), *shape.head), shape.tail), _common_dtype(items), library)
    contents = [item.content for item in items if item.content is not None]
    known = len(contents) == len(items) <= CONTENT_LIMIT
    role = "run-time" if known and any(item.role == "run-time" for item in items) else "tensor"
    content = Seq("list", tuple(contents)) if known else None
    return replace(whole, content=content, role=role, static=all(item.static for item in items))


def _common_shape(shapes: Sequence[Shape], ctx: Context) -> Shape | None:
    """What shapes have in common; None where their ranks differ. Beside a number, there are only numbers or objects."""
    common = shapes[0]
    if any(shape.rank == 0 for shape in shapes) and all(shape in (SCALAR, UNRANKED) for shape in shapes):
        return SCALAR
    for shape in shapes[1:]:
        if shape.tail is None and common.tail is None and len(shape.head) != len(common.head):
            return None
        common = join(common, shape, lambda *_: _varying(ctx))
    return common


def _common_dtype(items: Sequence[values.Tensor]) -> str | None:
    """Return the dtype of an array of these; items that are unknown, or of several ranks, may be kept as objects."""
    kinds = [item.dtype for item in items]
    if all(item.library == "np" for item in items):
        ranks = {item.shape.rank for item in items}
        is_unknown = any(item.dtype is None and item.shape == UNRANKED for item in items)
        if "object" in kinds or len(ranks - {None}) > 1 or is_unknown:
            return "object"
    return next((wide for wide in ("float64", "float32", "int64", "int32") if wide in kinds), kinds[0])


def _varying(ctx: Context) -> AnySize:
    return ctx.fresh("?", Kind.LOST, "list items of different sizes")


# Numbers, axes and shapes ------------------------------------------------------------------------------------------


def _size(value: Value, ctx: Context) -> AnySize:
    size = as_size(value)
    if size is None and isinstance(value, Const) and isinstance(value.value, (bool, float)):
        if not float(value.value).is_integer():
            raise Blind("not a size")
        return int(value.value)
    return unread(value, ctx) if size is None else ctx.resolve(size)


def unread(value: Value, ctx: Context) -> AnySize:
    """Return a size for an argument that was not read as a number; the elements of an array are known only from the
    data.
    """
    return ctx.fresh("?", decided_by(value), "a number we do not know")


def decided_by(*numbers: Value) -> Kind:
    """Return a size that depends on these numbers, some of which are not known; the elements of an array are known
    only from the data.
    """
    sizes = [size for number in numbers if (size := as_size(number)) is not None]
    others = [number for number in numbers if as_size(number) is None and not isinstance(number, Const)]
    is_data = all(isinstance(number, values.Tensor) and number.shape.rank == 0 for number in others)
    return unknown(sizes) if is_data else Kind.LOST


def sizes(value: Value, ctx: Context) -> Sizes:
    """Return numbers, one per axis or one for all."""
    fresh = fresh_lost(ctx)
    single = as_size(value)
    if single is not None:
        return Sizes((single,), fresh, is_single=True)
    items = items_of(value)
    if items is None:
        return Sizes(None, fresh)
    return Sizes(tuple(_size(item, ctx) for item in items), fresh)


def _axes(value: Value, parameter: Parameter) -> Any:
    single = -1 if isinstance(value, Lost) and value.reason == MINUS_ONE else as_size(value)
    if isinstance(single, int):
        return single if parameter.reading is Reading.AXIS else (single,)
    items = items_of(value)
    if items is not None and parameter.reading is Reading.AXES:
        numbers = tuple(as_size(item) for item in items)
        if all(isinstance(number, int) for number in numbers):
            return numbers
    if items is not None and len(items) == 1 and isinstance(as_size(items[0]), int):
        return as_size(items[0])
    raise Blind(parameter.name)


def shape_arg(value: Value, ctx: Context) -> Shape:
    """Return a shape given as an argument; -1 stays -1, None is declared dynamic."""
    single = as_size(value)
    items = items_of(value)
    if items is not None:
        return Shape(tuple(_extent(item, ctx) for item in items))
    if single is not None:
        return Shape((ctx.resolve(single),))
    match value:
        case values.Tensor(shape=Shape(head=(int(rank),), tail=None)) if rank <= CONTENT_LIMIT:
            return Shape(tuple(fresh_lost(ctx)("an entry of a shape") for _ in range(rank)))
        case values.Tensor(shape=Shape(head=(), tail=None)) | Scalar():
            return Shape((unread(value, ctx),))
        case HomogeneousSeq(length=int()) if (each := ctx.elements(value)) is not None:
            return Shape(tuple(_extent(item, ctx) for item in each))
    return UNRANKED


def _extent(item: Value, ctx: Context) -> AnySize:
    if item == NONE:
        return ctx.fresh("None", Kind.DYNAMIC, "given as None")
    return _size(item, ctx)


# Flags, choices and dtypes -----------------------------------------------------------------------------------------


def _flag(value: Value) -> bool:
    match value:
        case Const(value=None | bool() | int() | str() | float() as known):
            return bool(known)
    raise Split((False, True))


def _choice(value: Value, parameter: Parameter) -> Any:
    if isinstance(value, (Seq, HomogeneousSeq)) and ... in parameter.options:
        return value
    if isinstance(value, (Seq, HomogeneousSeq, values.Tensor)):
        raise Blind(parameter.name)
    if not isinstance(value, Const):
        raise Split([option for option in parameter.options if option is not ...])
    for option in parameter.options:
        if option == value.value and type(option) is type(value.value):
            return option
    if isinstance(value.value, str):
        for option in parameter.options:
            if isinstance(option, str) and option.lower() == value.value.lower():
                return option
    raise Blind(parameter.name)


_CONTAINERS = frozenset({"np.ndarray", *(f"builtins.{kind.__name__}" for kind in (dict, list, object, set, tuple))})


def is_array_dtype(value: Value) -> bool:
    """Return whether each item of such an array is an array itself, whose axes are added: `(float, 3)`, `"3f4"`."""
    if isinstance(value, Seq):
        return value.kind == "tuple"
    text = (values.as_str(value) or "").rstrip(",")  # a comma at the end makes it a record since NumPy 2
    sizes, _, kind = text.rpartition(")")
    return "," not in kind and (bool(sizes) or kind[:1].isdigit())


def dtype_name(value: Value) -> str | None:
    """Return the name of a dtype given as `tf.float32`, `np.int64`, `"float32"`, `int` or a tensor's `.dtype`."""
    match value:
        case Const(value=str(name)) if "," in name and not name.startswith("["):
            return None if "(" in name else _record_of_text(name)
        case Const(value=str(name)):
            return name
        case values.Class():
            return "object"
        case values.Library(name=name) if name in _CONTAINERS:
            return "object"
        case values.Library(name=name):
            plain = name.rsplit(".", 1)[-1].rstrip("_")
            return {"float": "float64", "int": "int64", "double": "float64", "bool8": "bool"}.get(plain, plain)
        case Seq(kind="list", items=items) if items:
            return _record(items)
    return None


def _record_of_text(text: str) -> str:
    """Return the dtype of a record whose fields have no names of their own: `i4,f8`."""
    return dtypes.record((f"f{at}", _field(part)) for at, part in enumerate(text.split(",")))


def _field(text: str) -> dtypes.Field:
    """Return the dtype and the shape of a field given as text: `3f4` is three numbers."""
    shape, plain = dtypes.repeated(text)
    return dtypes.canonical(plain) or plain, shape


def _record(items: Sequence[Value]) -> str | None:
    """Return the dtype of a record, from a list of tuples of its fields' names, dtypes and shapes.

    The number 1 is no shape in older versions.
    """
    fields: list[tuple[str, dtypes.Field]] = []
    for item in items:
        match item:
            case Seq(kind="tuple", items=(Const(value=str(name)), kind)):
                shape: tuple[AnySize, ...] | None = ()
            case Seq(kind="tuple", items=(Const(value=str(name)), kind, given)):
                single = as_size(given)
                shape = as_sizes(given) if single is None else None if single == 1 else (single,)
            case _:
                return None
        plain = dtype_name(kind)
        inner, own = _field(plain) if plain and not plain.startswith("[") else (plain, () if plain else None)
        sizes = None if shape is None or own is None else (*shape, *own)
        known = tuple(size for size in sizes or () if isinstance(size, int))
        fields.append((name, (inner, known if sizes is not None and len(known) == len(sizes) else None)))
    return dtypes.record(fields)


def _text(value: Value) -> str:
    text = values.as_str(value)
    if text is None:
        raise Blind("a text that is not known")
    return text


_READERS: dict[Reading, Callable[[Value, Parameter, Context], Any]] = {
    Reading.SIZE: lambda value, _, ctx: _size(value, ctx),
    Reading.SIZES: lambda value, _, ctx: sizes(value, ctx),
    Reading.AXIS: lambda value, parameter, _: _axes(value, parameter),
    Reading.AXES: lambda value, parameter, _: _axes(value, parameter),
    Reading.SHAPE: lambda value, _, ctx: shape_arg(value, ctx),
    Reading.FLAG: lambda value, *_: _flag(value),
    Reading.CHOICE: lambda value, parameter, _: _choice(value, parameter),
    Reading.TEXT: lambda value, *_: _text(value),
    Reading.DTYPE: lambda value, *_: dtype_name(value),
    Reading.ANY: lambda value, *_: value,
}
