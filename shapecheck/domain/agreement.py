"""Agreement of values that a graph must not tell apart: structure, dtype, and the shape that is known beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from shapecheck.domain.values import NONE, Const, Dict, Int, Scalar, Seq, Tensor, Value, as_str
from shapecheck.shapes.dtype import canonical
from shapecheck.shapes.shape import SCALAR, Shape
from shapecheck.shapes.size import Kind, Size, symbols
from shapecheck.shapes.symbol import Symbol

NUMBERS = {bool: "bool", int: "int32", float: "float32", str: "string"}
SCALARS = {"bool": "bool", "int": "int32", "float": "float32", "str": "string"}

Difference: TypeAlias = "tuple[str, str]"
"""What two values are that do not agree, in words."""


@dataclass(frozen=True, slots=True)
class TensorKind:
    """The shape and dtype of the tensor that TensorFlow makes of a value.

    It `is_static` if a graph has that shape as well, as far as it is known when the graph is built.
    """

    shape: Shape
    dtype: str | None
    is_static: bool = True


def tensor_kind(value: Value | None) -> TensorKind | None:
    """Return the kind of tensor that a value is or becomes; None if it is none, or not known to be one."""
    match value:
        case Tensor(role="tensor" | "run-time" | "variable" | "placeholder"):
            return TensorKind(value.shape, _dtype_of(value), value.static)
        case Const(value=bool() | int() | float() | str() as number):
            return TensorKind(SCALAR, NUMBERS[type(number)])
        case Int(size=size):
            return None if any(is_open(symbol) for symbol in symbols(size)) else TensorKind(SCALAR, "int32")
        case Scalar(kind="bool" | "int" | "float" | "str" as kind):
            return TensorKind(SCALAR, SCALARS[kind])
    return None


def _dtype_of(tensor: Tensor) -> str | None:
    """Return the dtype of a tensor of TensorFlow; None if it is not known, as that of an array of Python objects."""
    return canonical(tensor.dtype or "") if tensor.library == "tf" and tensor.dtype != "object" else None


def is_open(symbol: Symbol, since: int = 0) -> bool:
    """Return whether a graph has None for a size, since only an execution tells it.

    What was counted earlier than the serial number `since` may be the number of elements of a value of Python.
    """
    return symbol.kind is Kind.DYNAMIC or (symbol.kind is Kind.COUNTED and symbol.serial > since)


def is_nest(value: Value | None) -> bool:
    """Return whether a value is a structure with known parts."""
    return (isinstance(value, Seq) and value.kind in ("tuple", "list")) or (
        isinstance(value, Dict) and value.rest is None
    )


def difference(a: Value, b: Value) -> Difference | None:
    """Return the first difference in structure or dtype between values that must be alike; None if none is known."""
    return structure_difference(a, b) or next(
        (found for x, y in _leaves(a, b) if (found := dtype_difference(x, y))), None
    )


def structure_difference(a: Value, b: Value, *, lists_are_tuples: bool = False) -> Difference | None:
    """Return the first parts of two values that have another structure; None if none are known."""
    if NONE in (a, b) or is_nest(a) != is_nest(b):
        return (describe(a), describe(b)) if a != b and is_known(a) and is_known(b) else None
    match a, b:
        case (Seq(), Seq()) | (Dict(), Dict()) if is_nest(a):
            if not _has_same_parts(a, b, lists_are_tuples):
                return describe(a), describe(b)
            parts = (structure_difference(x, y, lists_are_tuples=lists_are_tuples) for x, y in _parts(a, b))
            return next((found for found in parts if found), None)
    return (describe(a), describe(b)) if is_nest(a) else None


def dtype_difference(a: Value, b: Value) -> Difference | None:
    """Return the dtypes of the tensors that two values become, if they differ."""
    first, second = tensor_kind(a), tensor_kind(b)
    if first and second and first.dtype and second.dtype and first.dtype != second.dtype:
        return first.dtype, second.dtype
    return None


def is_converted(value: Value, dtype: str) -> bool:
    """Return whether TensorFlow makes a tensor of a dtype of a value of Python or NumPy."""
    if isinstance(value, Tensor):
        return value.library != "tf"
    kind = tensor_kind(value)
    return kind is not None and (kind.dtype == "int32" or (kind.dtype == "float32" and "float" in dtype))


def _has_same_parts(a: Value, b: Value, lists_are_tuples: bool) -> bool:
    """Return whether two structures of the same class have the same number of items, or the same keys."""
    if isinstance(a, Seq) and isinstance(b, Seq):
        return (lists_are_tuples or a.kind == b.kind) and len(a.items) == len(b.items)
    return isinstance(a, Dict) and isinstance(b, Dict) and {key for key, _ in a.items} == {key for key, _ in b.items}


def _parts(a: Value, b: Value) -> list[tuple[Value, Value]]:
    """Return pairs of the parts of two structures with the same parts."""
    if isinstance(a, Seq) and isinstance(b, Seq):
        return list(zip(a.items, b.items, strict=False))
    if isinstance(a, Dict) and isinstance(b, Dict):
        return [(item, b.get(key) or item) for key, item in a.items]
    return []


def _leaves(a: Value, b: Value) -> Iterator[tuple[Value, Value]]:
    """Yield pairs of the values in two structures of the same form."""
    if not is_nest(a) or not is_nest(b):
        yield a, b
        return
    for x, y in _parts(a, b):
        yield from _leaves(x, y)


def is_known(value: Value) -> bool:
    """Return whether it is known what a value becomes in a graph."""
    return value == NONE or is_nest(value) or tensor_kind(value) is not None


def describe(value: Value) -> str:
    """Return what a value is, in words."""
    match value:
        case Seq(kind=kind, items=items):
            return f"a {kind} of {len(items)} item{'' if len(items) == 1 else 's'}"
        case Dict(items=pairs):
            names = [as_str(key) for key, _ in pairs]
            return (
                "a dict" if None in names or len(names) > 4 else f"a dict of {', '.join(map(repr, names)) or 'nothing'}"
            )
        case Const(value=None):
            return "None"
    return "a tensor"


def shapes_differ(before: TensorKind, after: TensorKind, since: int) -> bool:
    """Return whether a graph refuses the second shape for a tensor of the first one.

    They differ in rank, or in a size that is a number in the first; where it is open in the second, it may differ.
    """
    if not before.shape.is_ranked or not after.shape.is_ranked or not before.is_static:
        return False
    if before.shape.rank != after.shape.rank:
        return True
    pairs = zip(before.shape.sizes, after.shape.sizes, strict=True)
    return any(isinstance(size, int) and _is_other(size, other, since) for size, other in pairs)


def _is_other(size: int, other: Size, since: int) -> bool:
    """Return whether a size is another number, or open."""
    return size != other if isinstance(other, int) else any(is_open(symbol, since) for symbol in symbols(other))
