"""The call cache: a function called again with equal arguments has the same result.

It holds results that depend on the arguments alone: the function reads only its parameters and names of its module that
have the same values as before, it changes nothing, and its result was computed from its arguments (new variables,
placeholders and objects are different on every call).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.paths.conditions import guarded
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.heap import AMBIENT
from shapecheck.domain.values import Class, Const, Function, Int, Library, ModuleValue, Scalar, Seq, Tensor, Value, walk
from shapecheck.findings import Frame as CallFrame
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.settings import RECORDED, SETTINGS
from shapecheck.shapes.size import symbols
from shapecheck.shapes.symbol import Symbol

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


Key: TypeAlias = tuple[object, ...]
IMMUTABLE = (Const, Int, Scalar, Tensor, Seq, Library)
MUTATED_TARGETS = (ir.Attribute, ir.Subscript)
UNCACHEABLE = (
    ir.Scope,
    ir.FunctionDef,
    ir.ClassDef,
    ir.Lambda,
    ir.Yield,
    ir.Await,
    ir.Walrus,
    ir.Import,
    ir.ImportFrom,
)


class CallCache:
    """The results of calls by their keys, the call paths on which they were traced, and the names that each function
    reads."""

    def __init__(self) -> None:
        self.results: dict[Key, Value] = {}
        self.frames: dict[Key, tuple[CallFrame, ...]] = {}
        self._names: dict[int, tuple[str, ...] | None] = {}

    def key(self, t: Tracer, function: Function, given: Arguments) -> Key | None:
        """Return the key of a call whose result may be cached, otherwise None."""
        if not any(isinstance(value, Tensor) and value.step for value in given.args):
            return None
        if not all(_is_immutable(value) for value in given.values):
            return None
        told = guarded(t, t.path) if t.path.guards else frozenset()
        if told and not told.isdisjoint(_parts(given.values)):
            return None
        read = self._read_values(t, function, 0)
        if read is None:
            return None
        context = (
            t.target,
            t.stage,
            t.watch is None,
            t.tolerance > 0,
            t.call_stack.key_handlers > 0,
            t.heap.get(AMBIENT),
            t.heap.cells.get((SETTINGS.address, RECORDED)),  # no event: no call depends on it
        )
        return (
            function.key,
            function.graph,
            *context,
            tuple(given.args),
            tuple(given.keywords.items()),
            function.defaults,
            *read,
        )

    def _read_values(self, t: Tracer, function: Function, depth: int) -> tuple[Value, ...] | None:
        """Return the values of the names that a function and its callees read from outside."""
        definition = t.functions[function.key]
        names = self._outer_names(definition.node)
        if names is None or definition.owner is not None or definition.frame.kind != "module" or depth > 4:
            return None
        values: list[Value] = []
        for name in names:
            value = t.heap.get((definition.frame.address, name))
            if value is None:
                continue  # a builtin, or a name that is not bound yet
            inner = self._read_values(t, value, depth + 1) if isinstance(value, Function) else ()
            if inner is None or not (_is_immutable(value) or isinstance(value, Function)):
                return None
            values += (value, *inner)
        return tuple(values)

    def _outer_names(self, node: ir.FunctionDef | ir.Lambda) -> tuple[str, ...] | None:
        """Return the names that a function reads from its module; None if it does more than compute."""
        if id(node) not in self._names:
            self._names[id(node)] = _outer_names(node)
        return self._names[id(node)]

    def remember(self, key: Key, result: Value, frames: tuple[CallFrame, ...]) -> None:
        """Keep the result of a call that changed nothing."""
        tensors = [value for value in walk(result) if isinstance(value, Tensor)]
        if tensors and _is_immutable(result) and all(tensor.step and tensor.role == "tensor" for tensor in tensors):
            self.results[key], self.frames[key] = result, frames


def _parts(values: Iterable[Value]) -> Iterator[Value | Symbol]:
    """Yield the parts of values, and the symbols in their sizes."""
    for part in (part for value in values for part in walk(value)):
        yield part
        sizes = part.shape.known if isinstance(part, Tensor) else (part.size,) if isinstance(part, Int) else ()
        yield from (symbol for size in sizes for symbol in symbols(size))


def _is_immutable(value: Value) -> bool:
    """Return whether a value and all its parts are immutable."""
    if isinstance(value, Seq):
        return all(_is_immutable(item) for item in value.items)
    return isinstance(value, (*IMMUTABLE, Class, ModuleValue))


def _outer_names(node: ir.FunctionDef | ir.Lambda) -> tuple[str, ...] | None:
    """Return the names that a function reads from its module; None if it may have an effect."""
    names: dict[str, None] = {}
    for inner in nodes_in(node.body):
        if isinstance(inner, UNCACHEABLE) or (isinstance(inner, (ir.Assign, ir.Augmented)) and _mutates(inner)):
            return None
        if isinstance(inner, ir.Name) and inner.id not in node.bound:
            names[inner.id] = None
    return tuple(names)


def _mutates(node: ir.Assign | ir.Augmented) -> bool:
    """Return whether an assignment changes an object instead of binding a name."""
    targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
    return any(isinstance(inner, MUTATED_TARGETS) for target in targets for inner in nodes_in(target))
