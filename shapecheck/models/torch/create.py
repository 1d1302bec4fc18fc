"""Creation of tensors, random numbers, and what other libraries' arrays become."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain import values
from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Library, Range, Seq, Value, as_size
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Context,
    DtypeArg,
    ShapeArg,
    Size,
    Tensor,
    also,
    behaviour,
    op,
)
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.ops.create import counted, sizes_needed
from shapecheck.shapes.shape import Shape

TYPES = {
    "FloatTensor": "float32",
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
    "LongTensor": "int64",
    "IntTensor": "int32",
    "ShortTensor": "int16",
    "ByteTensor": "uint8",
    "CharTensor": "int8",
    "BoolTensor": "bool",
}
DEFAULTS = {"int32": "int64", "float64": "float32", "complex128": "complex64"}


@op("torch.{zeros,ones,empty,rand,randn}", varargs="size", dtype="float32")
def filled(size: ShapeArg, dtype: DtypeArg = None) -> Answer:
    return size, *sizes_needed(size)


@op("torch.full", dtype="?")
def full(size: ShapeArg, fill_value: AnyValue, dtype: AnyValue = NONE) -> Answer:
    """The value decides the dtype, where none is given."""
    known = {bool: "bool", int: "int64", float: "float32"}
    made = known.get(type(fill_value.value)) if isinstance(fill_value, Const) else None
    return size, *sizes_needed(size), also(dtype=made if dtype == NONE else None)


@op("torch.{zeros_like,ones_like,empty_like,full_like,rand_like,randn_like}")
@op("torch.{bernoulli,poisson}", "torch.Tensor.bernoulli")
def like(input: Tensor, dtype: DtypeArg = None) -> Answer:
    return "*S -> *S"


@op("torch.Tensor.{new_zeros,new_ones,new_empty}", varargs="size", oracle="none: a method")
def new(input: Tensor, size: ShapeArg, dtype: AnyValue = NONE) -> Answer:
    return size, *sizes_needed(size), also(dtype=input.dtype if dtype == NONE else None)


@op("torch.Tensor.new_full", oracle="none: a method")
def new_full(input: Tensor, size: ShapeArg, fill_value: AnyValue, dtype: AnyValue = NONE) -> Answer:
    return size, *sizes_needed(size), also(dtype=input.dtype if dtype == NONE else None)


@op("torch.eye", dtype="float32")
def eye(n: Size, m: Size | None = None, dtype: DtypeArg = None) -> Answer:
    return Shape((n, n if m is None else m))


@op("torch.{linspace,logspace}", dtype="float32")
def linspace(start: AnyValue, end: AnyValue, steps: Size, dtype: DtypeArg = None) -> Answer:
    return Shape((steps,))


@op("torch.range", dtype="?", oracle="none: ends are included")
def closed_range(start: AnyValue, end: AnyValue = NONE, step: AnyValue = NONE) -> Answer:
    return Shape((lost("the numbers of a range"),))


@op("torch.randint_like", oracle="none: bounds")
def randint_like(input: Tensor, low: AnyValue, high: AnyValue = NONE, dtype: DtypeArg = None) -> Answer:
    return "*S -> *S"


@op("torch.randperm", dtype="int64")
def randperm(n: Size, dtype: DtypeArg = None) -> Answer:
    return Shape((n,))


@op("torch.kaiser_window", dtype="float32", oracle="none: an even shape")
@op("torch.{hann_window,hamming_window,blackman_window,bartlett_window}", dtype="float32")
def a_window(window_length: Size, dtype: DtypeArg = None) -> Answer:
    return Shape((window_length,))


@behaviour("torch.arange")
def arange(ctx: Context, start: Value = NONE, end: Value = NONE, step: Value = NONE, **options: Value) -> Value:
    dtype = options.get("dtype", NONE)
    made = counted(ctx, "torch", start, end, step, dtype)
    return made if dtype != NONE or not isinstance(made, values.Tensor) else replace(made, dtype=_usual(made.dtype))


def _usual(dtype: str | None) -> str | None:
    """Return the dtype that PyTorch makes of Python's numbers."""
    return DEFAULTS.get(dtype or "", dtype)


@behaviour("torch.randint")
def randint(ctx: Context, *args: Value, **options: Value) -> Value:
    """The lower bound may be left out: `randint(high, size)`."""
    given = list(args)
    size = options.get("size", given[-1] if given and as_size(given[-1]) is None else NONE)
    if size == NONE:
        return ctx.lost("the size of random numbers")
    dtype = dtype_name(options.get("dtype", Library("torch.int64")))
    return values.Tensor(shape_arg(size, ctx), dtype, "torch")


@behaviour("torch.normal")
def normal(ctx: Context, mean: Value = NONE, std: Value = NONE, size: Value = NONE, **options: Value) -> Value:
    """The size is given, or that of the means or deviations."""
    if size != NONE:
        return ctx.apply("torch.zeros", size)
    given = [one for one in (mean, std) if isinstance(one, values.Tensor)]
    if not given:
        return ctx.lost("random numbers")
    return ctx.apply("torch.zeros_like", given[0] if len(given) == 1 else ctx.apply("torch.add", *given))


@behaviour("torch.multinomial", "torch.Tensor.multinomial")
def multinomial(ctx: Context, input: Value, num_samples: Value, *rest: Value, **options: Value) -> Value:
    shape, count = as_tensor(ctx.freeze(input), ctx).shape, as_size(num_samples)
    if shape.tail is not None or count is None or not shape.head:
        return ctx.lost("samples")
    return values.Tensor(Shape((*shape.head[:-1], count)), "int64", "torch")


# From other values ---------------------------------------------------------------------------------------------------


@behaviour("torch.{tensor,as_tensor,asarray,scalar_tensor}")
def tensor(ctx: Context, data: Value, dtype: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Python's floats become float32; arrays keep their dtype."""
    given = ctx.freeze(data)
    made = as_tensor(given if isinstance(given, values.Tensor) else _of_numbers(given), ctx)
    is_array = isinstance(given, values.Tensor) and given.library in ("np", "torch")
    name = made.dtype if is_array else _usual(made.dtype)
    if dtype != NONE:
        name = dtype_name(dtype)
    return replace(made, library="torch", dtype=name, role="tensor")


def _of_numbers(data: Value) -> Value:
    """Return the items of a list as they are read: tensors of one element are numbers."""
    match data:
        case Seq(items=items):
            return replace(data, items=tuple(map(_of_numbers, items)))
        case HomogeneousSeq(element=element):
            return replace(data, element=_of_numbers(element))
        case values.Tensor(library="torch", shape=shape) if not any(isinstance(n, int) and n != 1 for n in shape.known):
            return replace(data, shape=Shape(()), content=None if shape.head else data.content)
    return data


@behaviour("torch.from_numpy")
def from_numpy(ctx: Context, array: Value) -> Value:
    made = as_tensor(ctx.freeze(array), ctx)
    return values.Tensor(made.shape, made.dtype, "torch")


def _register(name: str, dtype: str) -> None:
    def make(ctx: Context, *args: Value, **options: Value) -> Value:
        """Return a tensor of given sizes, or of the elements of a list or an array."""
        if args and all(as_size(arg) is not None for arg in args):
            made = ctx.apply("torch.zeros", *args)
        elif len(args) == 1 and _may_be_sizes(args[0]):
            return ctx.lost("a tensor of sizes, or of the numbers of a tuple")
        elif len(args) == 1 and not options and isinstance(args[0], (Seq, HomogeneousSeq, Range, values.Tensor)):
            made = tensor(ctx, args[0])
        else:
            return ctx.lost("a tensor")
        return replace(made, dtype=dtype) if isinstance(made, values.Tensor) else made

    make.__module__ = __name__
    behaviour(f"{{torch,torch.cuda}}.{name}")(make)


def _may_be_sizes(value: Value) -> bool:
    """Return whether a value may be a torch.Size, which is a tuple here."""
    return isinstance(value, Seq) and value.kind == "tuple" and not any(map(_is_no_size, value.items))


def _is_no_size(item: Value) -> bool:
    return isinstance(item, (Seq, values.Tensor)) or (isinstance(item, Const) and not isinstance(item.value, int))


for _name, _dtype in TYPES.items():
    _register(_name, _dtype)


@behaviour("torch.Tensor")
def plain_tensor(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.call(Library("torch.FloatTensor"), args, options)


# To other values -----------------------------------------------------------------------------------------------------


def _cast(method: str, dtype: str) -> None:
    def cast(ctx: Context, self: Value, *rest: Value, **options: Value) -> Value:
        return replace(self, dtype=dtype, content=None) if isinstance(self, values.Tensor) else ctx.lost("a tensor")

    cast.__module__ = __name__
    behaviour(f"torch.Tensor.{method}")(cast)


for _method, _made in {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "byte": "uint8",
    "char": "int8",
    "bool": "bool",
    "chalf": "complex32",
    "cfloat": "complex64",
    "cdouble": "complex128",
}.items():
    _cast(_method, _made)


@behaviour("torch.Tensor.{to,type}")
def moved(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    """Return the tensor on another device, or with another dtype, or with those of another tensor."""
    if not isinstance(self, values.Tensor) or (not args and not options):
        return ctx.lost("a tensor")
    names = [dtype_name(arg) for arg in (*args, *options.values()) if isinstance(arg, Library)]
    known = TYPES.get(names[0] or "", names[0]) if names else None
    others = [arg.dtype for arg in args if isinstance(arg, values.Tensor)]
    is_device = all(isinstance(arg, (Const, values.Ref)) for arg in args)
    dtype = known or (others[0] if others else self.dtype if is_device and "dtype" not in options else None)
    return replace(self, dtype=dtype)


@behaviour("torch.Tensor.type_as")
def type_as(ctx: Context, self: Value, other: Value) -> Value:
    dtype = other.dtype if isinstance(other, values.Tensor) else None
    return replace(self, dtype=dtype) if isinstance(self, values.Tensor) else ctx.lost("a tensor")


@behaviour("torch.Tensor.{numpy,__array__}")
def numpy(ctx: Context, self: Value, *rest: Value, **options: Value) -> Value:
    if not isinstance(self, values.Tensor):
        return ctx.lost("an array")
    return values.Tensor(self.shape, self.dtype, "np", self.step, self.output, nature=self.nature)
