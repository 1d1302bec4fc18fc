"""Calls of library functions as data, to be sent to a library and given to a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from shapecheck.domain import values
from shapecheck.domain.values import Value
from shapecheck.shapes.shape import Shape
from tests.support.stub_context import value_of

Hide = Callable[[Shape], Shape]


@dataclass(frozen=True, slots=True)
class Array:
    """A tensor argument."""

    shape: tuple[int, ...]
    kind: str = "float"
    dtype: str = ""  # "" for what its kind has most often
    is_literal: bool = False  # a number of Python, or a list of them
    is_numpy: bool = False  # an array where other operands are tensors

    def __str__(self) -> str:
        said = f"{'x'.join(map(str, self.shape)) or 'scalar'} {self.dtype}".strip()
        return f"literal {said}" if self.is_literal else said

    def encoded(self) -> dict[str, Any]:
        dtype = {"d": self.dtype} if self.dtype else {}
        form = {"literal": True} if self.is_literal else {"numpy": True} if self.is_numpy else {}
        return {"t": list(self.shape), "k": self.kind, **dtype, **form}


@dataclass(frozen=True, slots=True)
class Call:
    """A call with positional and keyword arguments, in the library's spelling."""

    name: str
    positional: tuple[Any, ...]
    named: dict[str, Any]

    def encoded_args(self) -> list[Any]:
        return [encoded(arg) for arg in self.positional]

    def encoded_keywords(self) -> dict[str, Any]:
        return {name: encoded(arg) for name, arg in self.named.items()}

    def args(self, hide: Hide = lambda shape: shape) -> list[Value]:
        return [abstract(arg, hide, self.library) for arg in self.positional]

    def keywords(self, hide: Hide = lambda shape: shape) -> dict[str, Value]:
        return {name: abstract(arg, hide, self.library) for name, arg in self.named.items()}

    def veiled(self, seen: Sequence[list[int | None] | None]) -> tuple[list[Any], dict[str, Any]]:
        """Return encoded positional and named arguments, with the visible parts of their arrays."""
        rest = iter(seen)
        positional = [veiled(arg, rest) for arg in self.positional]
        return positional, {name: veiled(arg, rest) for name, arg in self.named.items()}

    def usual(self) -> Call:
        """Return the call with arrays of the most frequent dtype of each kind."""
        named = {name: plain(arg) for name, arg in self.named.items()}
        return Call(self.name, tuple(map(plain, self.positional)), named)

    @property
    def library(self) -> Literal["np", "tf"]:
        """Return the library whose arrays are the arguments."""
        return "np" if self.name.startswith(("np.", "scipy.")) else "tf"

    def is_empty(self) -> bool:
        """Return whether some operand has no elements."""
        arguments = [*self.positional, *self.named.values()]
        return any(isinstance(arg, Array) and 0 in arg.shape for arg in arguments)

    def has_numbers(self) -> bool:
        """Return whether some operand is an array whose numbers may be any."""
        return any(map(is_filled, (*self.positional, *self.named.values())))

    def __str__(self) -> str:
        said = [written(arg) for arg in self.positional] + [
            f"{name}={written(arg)}" for name, arg in self.named.items()
        ]
        return f"{self.name}({', '.join(said)})"


def is_filled(arg: Any) -> bool:
    if isinstance(arg, Array):
        return arg.kind not in ("int", "text") and not arg.is_literal and 0 not in arg.shape
    return isinstance(arg, (list, tuple)) and any(map(is_filled, arg))


def written(arg: Any) -> str:
    if isinstance(arg, Array):
        return f"<{arg}>"
    return f"[{', '.join(map(written, arg))}]" if isinstance(arg, (list, tuple)) else repr(arg)


def plain(arg: Any) -> Any:
    if isinstance(arg, Array):
        return replace(arg, dtype="", is_literal=False)
    return type(arg)(map(plain, arg)) if isinstance(arg, (list, tuple)) else arg


def encoded(arg: Any) -> Any:
    if isinstance(arg, Array):
        return arg.encoded()
    if isinstance(arg, tuple):
        return {"tuple": [encoded(item) for item in arg]}
    if isinstance(arg, slice):
        return {"slice": [arg.start, arg.stop, arg.step]}
    if arg is ...:
        return {"ellipsis": True}
    return [encoded(item) for item in arg] if isinstance(arg, list) else arg


def veiled(arg: Any, seen: Iterator[list[int | None] | None]) -> Any:
    if isinstance(arg, Array):
        return arg.encoded() if arg.is_literal else {**arg.encoded(), "open": next(seen)}
    if isinstance(arg, tuple):
        return {"tuple": [veiled(item, seen) for item in arg]}
    return [veiled(item, seen) for item in arg] if isinstance(arg, list) else encoded(arg)


def abstract(arg: Any, hide: Hide, library: Literal["np", "tf"]) -> Value:
    if isinstance(arg, Array) and arg.is_literal:
        return value_of(filled(arg.shape, {"int64": 1, "bool": True}.get(arg.dtype, 1.0)))
    if isinstance(arg, Array):
        dtype = arg.dtype or {"int": "int32", "bool": "bool", "text": "string"}.get(arg.kind, "float32")
        made = values.Tensor(hide(Shape(arg.shape)), dtype, "np" if arg.is_numpy else library)
        return replace(made, role="sparse") if arg.kind == "sparse" else made
    if isinstance(arg, (list, tuple)):
        items = tuple(abstract(item, hide, library) for item in arg)
        return values.Seq("list" if isinstance(arg, list) else "tuple", items)
    if isinstance(arg, slice):
        return values.SliceValue(value_of(arg.start), value_of(arg.stop), value_of(arg.step))
    return value_of(arg)


def filled(shape: tuple[int, ...], number: Any) -> Any:
    """Return nested lists of one number."""
    return [filled(shape[1:], number) for _ in range(shape[0])] if shape else number
