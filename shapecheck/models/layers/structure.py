"""Nested inputs and outputs of Keras models: lists, tuples and dicts of tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import (
    Choice,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Lost,
    Method,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    items_of,
    of_size,
    walk,
)
from shapecheck.models.lang.context import Context
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, substitute, symbols


def leaves(value: Value) -> Iterator[Value]:
    """Return the innermost values of a structure, dict entries in the order of their keys as Keras flattens them."""
    match value:
        case Seq(kind="list" | "tuple", items=items):
            for item in items:
                yield from leaves(item)
        case Dict(items=pairs):
            for _, item in pairs:
                yield from leaves(item)
        case Const(value=None):
            return
        case _:
            yield value


def tensors(value: Value) -> tuple[Tensor, ...]:
    """Return the tensors of a structure."""
    return tuple(leaf for leaf in leaves(value) if isinstance(leaf, Tensor))


def holds_tensors(value: Value) -> bool:
    """Return whether a value is a tensor or a structure that contains tensors."""
    return bool(tensors(value))


def change(value: Value, function: Callable[[Tensor], Value]) -> Value:
    """Return the structure with each tensor changed."""
    match value:
        case Tensor():
            return function(value)
        case Seq(items=items) if any(isinstance(item, (Tensor, Seq, Dict)) for item in items):
            return replace(value, items=tuple(change(item, function) for item in items))
        case Dict(items=pairs):
            return replace(value, items=tuple((key, change(item, function)) for key, item in pairs))
        case HomogeneousSeq() | Choice():
            return map_children(value, lambda part: change(part, function))
    return value


def is_symbolic(*values: Value) -> bool:
    """Return whether a Keras tensor is among them, or an item of a list of unknown length."""
    return any(isinstance(part, Tensor) and part.library == "keras" for value in values for part in walk(value))


def as_tensors(value: Value) -> Value:
    """Return the inputs as a layer's `call` sees them: NumPy arrays are converted to tensors."""
    return change(value, lambda x: replace(x, library="tf", dtype=_cast(x.dtype)) if x.library == "np" else x)


def _cast(dtype: str | None) -> str | None:
    return "float32" if dtype == "float64" else dtype


def like(shape: Shape, *inputs: Value, dtype: str | None = "float32") -> Tensor:
    """Return a new tensor, symbolic if one of the inputs is."""
    return Tensor(shape, dtype, "keras" if is_symbolic(*inputs) else "tf")


def with_batch(tensor: Tensor, size: Size) -> Tensor:
    """Return the tensor with another first axis."""
    shape = tensor.shape
    if not shape.head:
        return tensor
    first = shape.head[0]
    if len(symbols(first)) == 1 and not isinstance(first, int) and first.terms and str(first).isidentifier():
        (symbol,) = symbols(first)
        return tensor.with_shape(shape.map(lambda old: substitute(old, {symbol: size})))
    return tensor.with_shape(Shape((size, *shape.head[1:]), shape.tail))


def python_shape(shape: Shape, kind: str = "tuple") -> Value:
    """Return the shape as Keras shows it to programs: axes that are not fixed are None."""
    if shape.tail is not None:
        return Lost("shape of unknown rank")
    items = tuple(_python_size(size) for size in shape.head)
    return Seq("shape" if kind == "shape" else "tuple", items)


def shapes_of(inputs: Value, kind: str = "tuple") -> Value:
    """Return the shape, or list of shapes, that `build` and `compute_output_shape` are given."""
    if isinstance(inputs, Tensor):
        return python_shape(inputs.shape, kind)
    items = items_of(inputs)
    if items is None:
        return Lost("input shape")
    return Seq("list", tuple(shapes_of(item, kind) for item in items))


def _python_size(size: Size) -> Value:
    if any(symbol.kind is Kind.DYNAMIC for symbol in symbols(size)):
        return Const(None)
    return of_size(size)


def data(value: Value) -> Value:
    """Return arrays as given to `fit`: lists of numbers are arrays, lists of arrays stay lists."""
    match value:
        case Seq(items=items) if items and not any(isinstance(item, (Tensor, Ref, Lost)) for item in items):
            shape = _nested(value)
            return value if shape is None else Tensor(shape, None, "np")
        case HomogeneousSeq(element=Tensor() | Ref() | Lost()):
            return value
    return value


def fed(value: Value) -> Value:
    """Return the inputs of a model: as `data`, but lists of arrays contain no lists."""
    if isinstance(value, Seq) and any(isinstance(item, Seq) and _has_array(item) for item in value.items):
        return Seq("list", tuple(leaves(value)))
    return data(value)


def _has_array(value: Value) -> bool:
    return any(isinstance(part, Tensor) and bool(part.shape.head) for part in walk(value))


def _nested(value: Value) -> Shape | None:
    match value:
        case Const(value=bool() | int() | float()) | Scalar():
            return Shape(())
        case Seq(kind="list" | "tuple", items=items):
            shapes = [_nested(item) for item in items]
            first = shapes[0] if shapes else None
            if first is None or any(shape != first for shape in shapes):
                return None
            return Shape((len(items), *first.head))
        case HomogeneousSeq(element=element, length=length):
            inner = _nested(element)
            return None if inner is None else Shape((length, *inner.head))
    return None


def unknown(*inputs: Value) -> Tensor:
    """Return a tensor of which nothing is known."""
    return like(UNRANKED, *inputs, dtype=None)


def flag(ctx: Context, owner: Value, name: str) -> Value | None:
    """Return an attribute that was given to a constructor, None where it is absent or Python's None."""
    value = ctx.get(owner, name)
    return None if value == Const(None) or isinstance(value, Lost) else value


def is_written(function: Value | None) -> bool:
    """Return whether a method is defined by the program."""
    return isinstance(function, (Method, Function, Partial))
