"""The cache of traces: a function called again with the very same arguments gives what it gave before.

It holds what a call gave whose outcome depends on its arguments alone: a function that reads nothing but its
parameters and names of its module that stand for the same values as before, that changes nothing, and whose result was
computed from its arguments (new variables, placeholders and objects are new ones on every call).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.heap import AMBIENT
from shapecheck.domain.values import Class, Const, Function, Int, Library, ModuleValue, Scalar, Seq, Tensor, Value, walk
from shapecheck.ir.walk import nodes_in

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


Key: TypeAlias = tuple[object, ...]
PLAIN = (Const, Int, Scalar, Tensor, Seq, Library)
CLOSING = (ir.Attribute, ir.Subscript)
OPEN = (ir.Scope, ir.FunctionDef, ir.ClassDef, ir.Lambda, ir.Yield, ir.Await, ir.Walrus, ir.Import, ir.ImportFrom)


class CallCache:
    """Outcomes of calls by signature, and which functions are closed."""

    def __init__(self) -> None:
        self.results: dict[Key, Value] = {}
        self._names: dict[int, tuple[str, ...] | None] = {}

    def key(self, t: Tracer, function: Function, given: Arguments) -> Key | None:
        """The signature of a call that may be remembered; None for one that may not."""
        if not any(isinstance(value, Tensor) and value.step for value in given.args):
            return None
        if not all(_is_plain(value) for value in given.values):
            return None
        read = self._read_values(t, function, 0)
        if read is None:
            return None
        around = (t.target, t.stage, t.tolerance > 0, t.heap.get(AMBIENT))
        return (function.key, *around, tuple(given.args), tuple(given.keywords.items()), function.defaults, *read)

    def _read_values(self, t: Tracer, code: Function, depth: int) -> tuple[Value, ...] | None:
        """What the names stand for that a function reads from outside, its callees' included."""
        definition = t.functions[code.key]
        names = self._outer_names(definition.node)
        if names is None or definition.owner is not None or definition.frame.kind != "module" or depth > 4:
            return None
        values: list[Value] = []
        for name in names:
            value = t.heap.get((definition.frame.address, name))
            if value is None:
                continue  # a builtin, or a name that is not bound yet
            inner = self._read_values(t, value, depth + 1) if isinstance(value, Function) else ()
            if inner is None or not (_is_plain(value) or isinstance(value, Function)):
                return None
            values += (value, *inner)
        return tuple(values)

    def _outer_names(self, node: ir.FunctionDef | ir.Lambda) -> tuple[str, ...] | None:
        """The names that a function reads from its module; None if it does more than compute."""
        if id(node) not in self._names:
            self._names[id(node)] = _outer_names(node)
        return self._names[id(node)]

    def remember(self, key: Key, result: Value) -> None:
        """Keeps the outcome of a call that changed nothing."""
        tensors = [value for value in walk(result) if isinstance(value, Tensor)]
        if tensors and _is_plain(result) and all(tensor.step and tensor.role == "tensor" for tensor in tensors):
            self.results[key] = result


def _is_plain(value: Value) -> bool:
    """Whether a value is immutable through and through."""
    if isinstance(value, Seq):
        return all(_is_plain(item) for item in value.items)
    return isinstance(value, (*PLAIN, Class, ModuleValue))


def _outer_names(node: ir.FunctionDef | ir.Lambda) -> tuple[str, ...] | None:
    names: dict[str, None] = {}
    for inner in nodes_in(node.body):
        if isinstance(inner, OPEN) or (isinstance(inner, (ir.Assign, ir.Augmented)) and _changes(inner)):
            return None
        if isinstance(inner, ir.Name) and inner.id not in node.bound:
            names[inner.id] = None
    return tuple(names)


def _changes(node: ir.Assign | ir.Augmented) -> bool:
    """Whether an assignment changes an object rather than binding a name."""
    targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
    return any(isinstance(inner, CLOSING) for target in targets for inner in nodes_in(target))
