"""The abstract values that flow through a traced program.

All are immutable and hashable. Mutable Python objects (lists, dicts, instances) are `Ref`s to the tracer's heap;
library models see them *frozen*, as the plain sequences and mappings below. This module knows neither syntax nor the
behaviour of any library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from itertools import count
from typing import Literal, TypeAlias

from shapecheck.plain_data import dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class Missing(Const):
    """None in place of a result: of which step of the dataflow graph, what it is called, and why it is None."""

    value: object = None
    step: int = 0
    what: str = ""
    reason: str = ""


CONTAINERS = ("list", "dict", "set")
"""The classes of references whose contents models see frozen."""

NONE = Const(None)
ANNOTATED = "annotated parameter"  # `why` of a number that only an annotation declares: no proof
TRUE = Const(True)
FALSE = Const(False)


@dataclass(frozen=True, slots=True)
class Int:
    """An integer known only symbolically."""

    size: Expr


@dataclass(frozen=True, slots=True)
class Scalar:
    """A Python scalar (`kind`: float, int, bool, str, number …) of unknown value; `serial` is its identity. Where only
    an annotation declares it, `why` says so."""

    kind: str
    serial: int = field(default_factory=_serials.__next__)
    why: str = ""

    def __hash__(self) -> int:
        return self.serial


@dataclass(frozen=True, slots=True)
class Lost:
    """A value that the analysis does not follow, with the reason; `serial` is its identity, so that two tests of it
    agree."""

    reason: str
    serial: int = field(default_factory=_serials.__next__)

    def __hash__(self) -> int:
        return self.serial


PARAMETER = "parameter"
"""How the reasons begin of values of parameters that no caller gives."""
MINUS_ONE = f"{PARAMETER} that is -1 by default"
"""The reason of a value that is -1 where it is used as an axis or an index; elsewhere it may stand for nothing."""


class Failed(Lost):
    """What an operation that certainly fails would give: no run of the program has it, so any value covers it."""

    __slots__ = ()


class OpenRank(Lost):
    """A shape whose rank a graph does not know while it is built."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PartialSizes(Lost):
    """The sizes of an array whose rank is unknown; those of its first and last axes may be known."""

    shape: Shape = UNRANKED

    __hash__ = Lost.__hash__


@dataclass(frozen=True, slots=True)
class Tensor:
    """An array of a library; `library` is the kind, as the packs of `models.lang.packs` name it.

    `step` and `output` name the step of the dataflow graph that made it (0: none). `content` holds the elements if they
    are known and few: a `Const` or `Int` for a scalar, otherwise a nested `Seq` (for a vector of sizes, for example).

    `role` distinguishes variables, placeholders, and sparse or ragged tensors from plain ones. The content of a
    "run-time" tensor is known to the analysis, but not to the library while it builds its graph. `static` is False if
    the same is true of the shape. `nature` says what the numbers are, if the operation tells: "softmax" or "sigmoid"
    for probabilities, "linear" for the output of a layer without activation, "relu" and other activations, "one-hot"
    for labels. `trace` is the graph in which the tensor is symbolic, 0 for one with a value. `is_ambiguous` says that
    it stands for tensors of several steps, of which `step` is only the first. `is_rank_open` says of a tensor without
    a known rank that the graph that it is of does not know the rank either.
    """

    shape: Shape = UNRANKED
    dtype: str | None = None
    library: str = "tf"
    step: int = 0
    output: int = 0
    content: Value | None = None
    role: str = "tensor"
    static: bool = True
    nature: str = ""
    trace: int = 0
    is_ambiguous: bool = False
    is_rank_open: bool = False

    def with_shape(self, shape: Shape) -> Tensor:
        """Return the same tensor with another shape."""
        return replace(self, shape=shape)


@dataclass(frozen=True, slots=True, eq=False)
class OpenSize(Const):
    """None in place of a size that a graph does not know while it is built: of which axis of which shape."""

    value: object = None
    axis: int = 0
    shape: Shape = UNRANKED


@dataclass(frozen=True, slots=True)
class Seq:
    """A sequence with known items. `kind` "shape" is a TensorShape, whose items are sizes; "index" is one of names that
    is indexed as an array.
    """

    kind: Literal["list", "tuple", "set", "shape", "index"]
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class HomogeneousSeq:
    """A sequence (or iterable) of `length` items, all of which `element` covers.

    `items` are the items of a generator in order, if they are known. `first` is the first item and `ends` are the last
    ones, if more is known of them. `distinct_item` is an item of which more is known, and which certainly occurs.
    Symbols that are older than `since` are the same for all items.
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
    """A frozen dict in insertion order; keys are constants or other hashable values.

    `rest`, unless None, covers the values of further entries that there may be.
    """

    items: tuple[tuple[Value, Value], ...]
    rest: Value | None = None

    def get(self, key: object) -> Value | None:
        """Return the value of a known key, or None."""
        wanted = key if isinstance(key, _VALUE_TYPES) else Const(key)
        return next((value for name, value in self.items if name == wanted), None)


@dataclass(frozen=True, slots=True)
class SliceValue:
    """`lower:upper:step`; a bound that is absent is NONE."""

    lower: Value
    upper: Value
    step: Value


@dataclass(frozen=True, slots=True)
class Range:
    """A range of integers."""

    start: Size
    stop: Size
    step: Size


@dataclass(frozen=True, slots=True)
class Ref:
    """A mutable object on the tracer's heap.

    `cls` is `list`, `dict`, `set`, the canonical name of a library class ("keras.layers.Dense"), or "user" for an
    instance of a class of the program.
    """

    address: int
    cls: str


@dataclass(frozen=True, slots=True)
class Library:
    """A module, function, class or constant of a library, by canonical name ("tf.nn.relu")."""

    name: str


@dataclass(frozen=True, slots=True)
class BoundLibraryMethod:
    """A method of a value, by name, before it is called."""

    owner: Value
    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program.

    `key` is its index in the tracer's table of definitions, `frame` the heap address of the scope that it closes over,
    `defaults` the default values of its parameters. `graph` is the heap address of the `tf.function` object that traces
    it into graphs, 0 for a plain function. AutoGraph leaves it and what it calls as they are, unless `is_convertible`.
    """

    key: int
    frame: int
    name: str
    defaults: tuple[tuple[str, Value], ...] = ()
    graph: int = 0
    is_convertible: bool = True

    @property
    def held(self) -> tuple[Value, ...]:
        """The values that all its calls share."""
        return tuple(value for _, value in self.defaults)


@dataclass(frozen=True, slots=True)
class Method:
    """A function of the program bound to its first argument."""

    owner: Value
    function: Function


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the program, by its heap address."""

    address: int
    name: str


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the program, by its heap address."""

    address: int
    name: str


@dataclass(frozen=True, slots=True)
class Partial:
    """A function with some arguments bound: by `functools.partial`, or by a decorator that keeps its meaning."""

    function: Value
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives, each under a guard that selects it; the guards exclude each other.

    A guard is a conjunction of pairs of a condition and its truth value. A condition is any value that was tested, and
    may have alternatives itself. The hash is cached, and so is what was found to be equal, which has `_same` in common:
    otherwise a part that occurs several times would be hashed, or compared, once for each occurrence.
    """

    options: tuple[tuple[Guard, Value], ...]
    _hash: int = field(default=0, init=False, repr=False, compare=False)
    _same: object = field(default=None, init=False, repr=False, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Choice):
            return NotImplemented
        if self is other or (self._same is not None and self._same is other._same):
            return True
        if (self._hash and other._hash and self._hash != other._hash) or self.options != other.options:
            return False
        same = self.options if self._same is None else self._same
        object.__setattr__(self, "_same", same)
        object.__setattr__(other, "_same", same)
        return True

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
    """Return the Python integer of a size."""
    return Const(size) if isinstance(size, int) else Int(size)


def sizes_of(shape: Shape, kind: Literal["shape", "tuple"] = "tuple") -> Value:
    """Return the sizes of a shape as a sequence."""
    return (
        PartialSizes("the rank", shape=shape) if shape.tail is not None else Seq(kind, tuple(map(of_size, shape.head)))
    )


def as_size(value: Value) -> Size | None:
    """Return a value as an integer, or None. A scalar tensor with known content counts as an integer."""
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
    """Return the value of a known bool, or None."""
    return value.value if isinstance(value, Const) and isinstance(value.value, bool) else None


def as_str(value: Value) -> str | None:
    """Return the value of a known string, or None."""
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def label_count(value: Value) -> Size | None:
    """Return the number of labels in an index of a table; None for other values."""
    match value:
        case Seq(kind="index", items=items):
            return len(items)
        case HomogeneousSeq(kind="index", length=length):
            return length
    return None


def items_of(value: Value) -> tuple[Value, ...] | None:
    """Return the items of a frozen sequence, a known range or a tensor with known content; None otherwise."""
    match value:
        case Seq(items=items):
            return items
        case Range(start=int(a), stop=int(b), step=int(c)) if c and extent(range(a, b, c)) <= 4096:
            return tuple(Const(i) for i in range(a, b, c))
        case Tensor(content=Seq(items=items)):
            return items
    return None


def extent(numbers: range) -> int:
    """Return the number of integers in a range, also where it is too large for `len`."""
    return max(0, -((numbers.start - numbers.stop) // numbers.step))


def is_constant(value: Value) -> bool:
    """Return whether a value is a constant or a tuple of constants."""
    if isinstance(value, Seq):
        return value.kind == "tuple" and all(map(is_constant, value.items))
    return isinstance(value, Const)


def as_sizes(value: Value) -> tuple[Size, ...] | None:
    """Return the integers of a frozen sequence of integers; None otherwise."""
    items = items_of(value)
    if items is None:
        return None
    sizes = tuple(as_size(item) for item in items)
    return None if any(size is None for size in sizes) else sizes  # type: ignore[return-value]


def walk(value: Value) -> Iterator[Value]:
    """Yield the value and all values inside it."""
    yield value
    for part in [item for _, item in value.options] if isinstance(value, Choice) else _parts(value):
        yield from walk(part)


def find_certain(value: Value, holds: Callable[[Value], bool]) -> Value | None:
    """Return a part of the value for which something holds and which is there in every alternative, or None."""
    if holds(value):
        return value
    if isinstance(value, Choice):
        each = [find_certain(option, holds) for _, option in value.options]
        return None if None in each else each[0]
    return next((found for part in _parts(value) if (found := find_certain(part, holds)) is not None), None)


def _parts(value: Value) -> tuple[Value, ...]:
    """Return the direct parts of a value that has no alternatives."""
    match value:
        case Tensor():
            return ()
        case Seq(items=items):
            return items
        case HomogeneousSeq(element=element):
            return (element,)
        case Dict(items=pairs, rest=rest):
            return (*(part for pair in pairs for part in pair), *(() if rest is None else (rest,)))
        case SliceValue(lower=lower, upper=upper, step=step):
            return (lower, upper, step)
    return ()
