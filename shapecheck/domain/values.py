"""The abstract values that flow through a traced program.

All are immutable and hashable.  Mutable Python objects (lists, dicts, instances) are `Ref`s into the tracer's heap;
library models see them *frozen*, as the plain sequences and mappings below.  This module knows neither syntax nor any
library's behaviour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal, TypeAlias

from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Expr, Size

_serials = count(1)


@dataclass(frozen=True, slots=True)
class Const:
    """A known Python constant: None, bool, int, float, complex, str, bytes or Ellipsis."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


CONTAINERS = ("list", "dict", "set")
"""The classes of references whose contents are frozen for models."""

NONE = Const(None)
ANNOTATED = "annotated parameter"  # why an integer is one: its parameter says so, which is no proof
TRUE = Const(True)
FALSE = Const(False)


@dataclass(frozen=True, slots=True)
class Int:
    """An integer known only symbolically."""

    size: Expr


@dataclass(frozen=True, slots=True)
class Scalar:
    """A Python scalar (`kind`: float, int, bool, str, number …) whose value is not known; `serial` is its identity."""

    kind: str
    serial: int = field(default_factory=_serials.__next__)

    def __hash__(self) -> int:
        return self.serial


@dataclass(frozen=True, slots=True)
class Lost:
    """A value that was not followed, and why; `serial` is its identity, so that two tests of it agree."""

    reason: str
    serial: int = field(default_factory=_serials.__next__)

    def __hash__(self) -> int:
        return self.serial


@dataclass(frozen=True, slots=True)
class Tensor:
    """An array of a library (`tf` for TensorFlow, `np` for NumPy, `keras` for a symbolic Keras tensor).

    `step` and `output` name the step of the dataflow graph that made it (0: none).  `content` is what is in it where
    that is known and small: a `Const` or `Int` for a scalar, a nested `Seq` otherwise (a shape vector, say).
    `role` tells apart variables, placeholders and sparse or ragged tensors from plain ones; "run-time" ones have a
    content that the library does not know while building its graph although we do.  `static` is False where that is
    so for the shape.  `nature` is what the numbers are where the call that made them tells: "softmax" or "sigmoid" for
    probabilities, "linear" for what a layer without activation gives, "relu" and the like, "one-hot" for labels.
    `trace` names the graph in which it is symbolic, 0 for a tensor that has a value.
    """

    shape: Shape = UNRANKED
    dtype: str | None = None
    library: Literal["tf", "np", "keras"] = "tf"
    step: int = 0
    output: int = 0
    content: Value | None = None
    role: str = "tensor"
    static: bool = True
    nature: str = ""
    trace: int = 0

    def with_shape(self, shape: Shape) -> Tensor:
        return replace(self, shape=shape)


@dataclass(frozen=True, slots=True)
class Seq:
    """A sequence with known items.  `kind` "shape" is a TensorShape, whose items are sizes."""

    kind: Literal["list", "tuple", "set", "shape"]
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class HomogeneousSeq:
    """A sequence (or iterable) of `length` items that all look like `element`.

    `items` are those that a generator gives, in order, where that is known; `first` is the first one, where more is
    known of that; `distinct_item` is one of which more is known, and which is certainly among them; `ends` are the last
    ones.  Symbols of sizes that are older than `since` are the same for all items.
    """

    kind: str
    element: Value
    length: Size
    items: tuple[Value, ...] | None = None
    first: Value | None = None
    distinct_item: Value | None = None
    ends: tuple[Value, ...] = ()
    since: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Dict:
    """A frozen dict in insertion order; keys are constants or other hashable values.  `rest` tells that there may be
    more entries than these, and what they look like."""

    items: tuple[tuple[Value, Value], ...]
    rest: Value | None = None

    def get(self, key: object) -> Value | None:
        wanted = key if isinstance(key, _VALUE_TYPES) else Const(key)
        return next((value for name, value in self.items if name == wanted), None)


@dataclass(frozen=True, slots=True)
class SliceValue:
    """`lower:upper:step`, each NONE where absent."""

    lower: Value
    upper: Value
    step: Value


@dataclass(frozen=True, slots=True)
class Range:
    start: Size
    stop: Size
    step: Size


@dataclass(frozen=True, slots=True)
class Ref:
    """A mutable object on the tracer's heap.  `cls` is `list`, `dict`, `set`, the canonical name of a library class
    ("keras.layers.Dense"), or "user" for an instance of a class of the program."""

    address: int
    cls: str


@dataclass(frozen=True, slots=True)
class Library:
    """A library's module, function, class or constant, by canonical name ("tf.nn.relu")."""

    name: str


@dataclass(frozen=True, slots=True)
class BoundLibraryMethod:
    """A method (by name) of a value, not yet called."""

    owner: Value
    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program: `key` is its number in the tracer's table of definitions, `frame` the heap address of
    the scope it closes over, `defaults` the values of its parameters' defaults."""

    key: int
    frame: int
    name: str
    defaults: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """A function of the program bound to its first argument."""

    owner: Value
    function: Function


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the program, living at a heap address."""

    address: int
    name: str


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the program, living at a heap address."""

    address: int
    name: str


@dataclass(frozen=True, slots=True)
class Partial:
    """`functools.partial` and decorators that keep a function's meaning but bind arguments."""

    function: Value
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives, each under the guard that selects it; the guards are disjoint.  A guard is the conjunction of
    (condition, truth) pairs; a condition is any value that was tested, and may itself be one of alternatives: the hash
    is kept, for what shares its parts would be gone through once for each way to them."""

    options: tuple[tuple[Guard, Value], ...]
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash(self.options))
        return self._hash


Guard: TypeAlias = "tuple[tuple[Value, bool], ...]"

Value: TypeAlias = (
    Const
    | Int
    | Scalar
    | Lost
    | Tensor
    | Seq
    | HomogeneousSeq
    | Dict
    | SliceValue
    | Range
    | Ref
    | Library
    | BoundLibraryMethod
    | Function
    | Method
    | Class
    | ModuleValue
    | Partial
    | Choice
)
_VALUE_TYPES = (
    Const,
    Int,
    Scalar,
    Lost,
    Tensor,
    Seq,
    HomogeneousSeq,
    Dict,
    SliceValue,
    Range,
    Ref,
    Library,
    BoundLibraryMethod,
    Function,
)
_VALUE_TYPES += (Method, Class, ModuleValue, Partial, Choice)  # type: ignore[assignment]


def of_size(size: Size) -> Value:
    """The Python integer that a size is."""
    return Const(size) if isinstance(size, int) else Int(size)


def as_size(value: Value) -> Size | None:
    """The integer that a value is, if it is one (a scalar tensor with known content counts)."""
    match value:
        case Const(value=bool()):
            return None
        case Const(value=int(number)):
            return number
        case Int(size=size):
            return size
        case Tensor(content=Const() | Int() as inner):
            return as_size(inner)
    return None


def as_bool(value: Value) -> bool | None:
    """True or False where the value is exactly that."""
    return value.value if isinstance(value, Const) and isinstance(value.value, bool) else None


def as_str(value: Value) -> str | None:
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def items_of(value: Value) -> tuple[Value, ...] | None:
    """The items of a frozen sequence, a known range or a tensor with known content; None otherwise."""
    match value:
        case Seq(items=items):
            return items
        case Range(start=int(a), stop=int(b), step=int(c)) if c and extent(range(a, b, c)) <= 4096:
            return tuple(Const(i) for i in range(a, b, c))
        case Tensor(content=Seq(items=items)):
            return items
    return None


def extent(numbers: range) -> int:
    """How many there are, also where they are more than `len` can tell."""
    return max(0, -((numbers.start - numbers.stop) // numbers.step))


def is_constant(value: Value) -> bool:
    """Whether a value is known entirely: a constant, or a tuple of such."""
    if isinstance(value, Seq):
        return value.kind == "tuple" and all(map(is_constant, value.items))
    return isinstance(value, Const)


def as_sizes(value: Value) -> tuple[Size, ...] | None:
    """The integers of a frozen sequence of integers; None otherwise."""
    items = items_of(value)
    if items is None:
        return None
    sizes = tuple(as_size(item) for item in items)
    return None if any(size is None for size in sizes) else sizes  # type: ignore[return-value]


def walk(value: Value) -> Iterator[Value]:
    """The value and all values inside it."""
    yield value
    match value:
        case Seq(items=items):
            for item in items:
                yield from walk(item)
        case HomogeneousSeq(element=element):
            yield from walk(element)
        case Dict(items=pairs, rest=rest):
            for key, item in pairs:
                yield from walk(key)
                yield from walk(item)
            if rest is not None:
                yield from walk(rest)
        case SliceValue(lower=lower, upper=upper, step=step):
            yield from walk(lower)
            yield from walk(upper)
            yield from walk(step)
        case Choice(options=options):
            for _, item in options:
                yield from walk(item)
