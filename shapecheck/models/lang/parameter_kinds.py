"""Parameter kinds: the annotations of models, which say how an argument is read.

An argument that is not known never reaches a model as such: sizes become fresh symbols, flags and choices are tried
one by one, shapes become unranked, and for anything else the call's result is unknown (`Blind`).
"""

from __future__ import annotations

import enum
import functools
import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from shapecheck.domain.values import NONE, Value
from shapecheck.models.lang.context import Context, Target
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Expr, Kind, fresh
from shapecheck.shapes.size import Size as AnySize


class Reading(enum.Enum):
    """The ways to read an argument."""

    TENSOR = "Tensor"
    TENSORS = "Tensors"
    SIZE = "Size"
    SIZES = "Sizes"
    AXIS = "Axis"
    AXES = "Axes"
    SHAPE = "ShapeArg"
    FLAG = "Flag"
    CHOICE = "Literal"
    TEXT = "Text"
    DTYPE = "DtypeArg"
    ANY = "Any"
    TARGET = "Target"
    DIMENSIONS = "Dimensions"


@dataclass(frozen=True, slots=True)
class Tensor:
    """An operand: the parameter's name, what is known of its shape, and the tensor made of what was `given`."""

    name: str
    shape: Shape = UNRANKED
    dtype: str | None = None
    value: Value = NONE
    order: int = 0
    given: Value = NONE

    @property
    def rank(self) -> int | None:
        return len(self.shape.head) if self.shape.tail is None else None

    @property
    def content(self) -> Value | None:
        """Return the content, if it is known and small."""
        return getattr(self.value, "content", None)

    @property
    def is_traced(self) -> bool:
        """Return whether the operand belongs to a trace, so that it may be one item of a batch."""
        return bool(getattr(self.value, "trace", 0))

    @property
    def nature(self) -> str:
        """Return the nature of the elements, if it is known."""
        return getattr(self.value, "nature", "")

    @property
    def is_symbolic(self) -> bool:
        """Return whether this is a symbolic input of a Keras model."""
        return getattr(self.value, "library", "") == "keras"

    @property
    def is_object(self) -> bool:
        """Return whether an object was passed that can be converted to an array; NumPy calls its own reductions."""
        return getattr(self.value, "role", "") == "object"


@dataclass(frozen=True, slots=True)
class Ranked(Tensor):
    """An operand whose rank must be known: otherwise nothing is known of the call's result."""

    @property
    def rank(self) -> int:
        return len(self.shape.head)


def ranked(operand: Tensor) -> Ranked:
    """Return the operand as one of known rank; raise `Blind` where the rank is not known."""
    if operand.shape.tail is not None:
        raise Blind(f"the rank of {operand.name}")
    return Ranked(operand.name, operand.shape, operand.dtype, operand.value, operand.order, operand.given)


@dataclass(frozen=True, slots=True)
class Tensors:
    """Several operands. With `repeat`, there are that many, all like the only item."""

    name: str
    items: tuple[Tensor, ...]
    repeat: AnySize | None = None

    @property
    def count(self) -> AnySize:
        return len(self.items) if self.repeat is None else self.repeat

    @property
    def each(self) -> tuple[Tensor, ...]:
        """Return the operands one by one; raise `Blind` where their number is not known."""
        if self.repeat is not None:
            raise Blind(f"how many there are in {self.name}")
        return self.items


@dataclass(frozen=True, slots=True)
class Sizes:
    """One number per axis, or one for all of them (strides, kernel sizes); None if not known."""

    known: tuple[AnySize, ...] | None
    fresh: Callable[[str], Expr] = field(compare=False)
    is_single: bool = False

    def spread(self, axes: int) -> tuple[AnySize, ...]:
        """Return one size for each of the given number of axes."""
        if self.known is not None and self.is_single:
            return self.known * axes
        if self.known is not None and len(self.known) == axes:
            return self.known
        return tuple(self.fresh("?") for _ in range(axes))

    def fits(self, axes: int) -> bool:
        """Return whether the number of entries can be that of the axes."""
        return self.known is None or self.is_single or len(self.known) in (1, axes)


Size: TypeAlias = Annotated[int | Expr, Reading.SIZE]
Axis: TypeAlias = Annotated[int, Reading.AXIS]
Axes: TypeAlias = Annotated[tuple[int, ...] | None, Reading.AXES]
ShapeArg: TypeAlias = Annotated[Shape, Reading.SHAPE]
Flag: TypeAlias = Annotated[bool, Reading.FLAG]
Text: TypeAlias = Annotated[str, Reading.TEXT]
DtypeArg: TypeAlias = Annotated[str | None, Reading.DTYPE]
AnyValue: TypeAlias = Annotated[Value, Reading.ANY]
Dimensions: TypeAlias = Annotated[int, Reading.DIMENSIONS]  # no argument: the 2 of `conv2d` in the name


class Blind(Exception):
    """The call cannot be followed because an argument is not known."""


def everywhere(size: AnySize) -> Sizes:
    """Return the same size for every axis."""
    return Sizes((size,), lambda name: fresh(name, Kind.LOST), is_single=True)


def entries(shape: Shape, count: int) -> tuple[AnySize, ...]:
    """Return the entries of a shape argument, which must have the given number; raise `Blind` unless all are known."""
    if shape.tail is not None or len(shape.head) != count or -1 in shape.head:
        raise Blind(f"{count} sizes")
    return shape.head


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a model."""

    name: str
    reading: Reading
    options: tuple[Any, ...] = ()  # `...` where other values are accepted, too
    optional: bool = False  # None is a legal argument
    required: bool = True
    default: Any = None
    ranked: bool = False  # an operand whose rank must be known


@functools.cache
def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the parameters that a model declares."""
    hints = typing.get_type_hints(function, include_extras=True)
    found = []
    for name, parameter in inspect.signature(function).parameters.items():
        reading, options, optional = _reading(hints.get(name, Any))
        required = parameter.default is inspect.Parameter.empty
        default = None if required else parameter.default
        optional = optional or (not required and default is None)
        is_ranked = Ranked in (hints.get(name), *get_args(hints.get(name)))
        found.append(Parameter(name, reading, options, optional, required, default, is_ranked))
    return tuple(found)


def _reading(hint: Any) -> tuple[Reading, tuple[Any, ...], bool]:
    if get_origin(hint) in (Union, types.UnionType):
        arms = [arm for arm in get_args(hint) if arm is not type(None)]
        optional = len(arms) < len(get_args(hint))
        readings = [_reading(arm) for arm in arms]
        options = tuple(option for _, known, _ in readings for option in known)
        is_open = any(reading is Reading.ANY for reading, _, _ in readings[1:])
        return readings[0][0], (*options, *[...] * is_open), optional
    if get_origin(hint) is Annotated:
        reading = next((note for note in get_args(hint)[1:] if isinstance(note, Reading)), Reading.ANY)
        return reading, (), reading is Reading.AXES
    if get_origin(hint) is Literal:
        return Reading.CHOICE, get_args(hint), False
    return _CLASSES.get(hint, Reading.ANY), (), False


_CLASSES: dict[Any, Reading] = {
    Tensor: Reading.TENSOR,
    Ranked: Reading.TENSOR,
    Tensors: Reading.TENSORS,
    Sizes: Reading.SIZES,
    Target: Reading.TARGET,
}


def fresh_lost(ctx: Context) -> Callable[[str], Expr]:
    """Return sizes that are not known to the analysis."""
    return lambda name: ctx.fresh("?", Kind.LOST, name)
