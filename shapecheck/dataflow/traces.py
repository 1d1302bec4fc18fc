"""The cache of traces: a function called again with the very same arguments gives what it gave before.

It holds what a call gave whose outcome depends on its arguments alone: a function that reads nothing but its
parameters and names of its module that stand for the same values as before, that changes nothing, and whose result was
computed from its arguments (new variables, placeholders and objects are new ones on every call).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.store import AMBIENT
from shapecheck.values import Class, Code, Const, Int, Library, ModuleValue, Scalar, Seq, Tensor, Value, walk

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

Key: TypeAlias = tuple[object, ...]
PLAIN = (Const, Int, Scalar, Tensor, Seq, Library)
CLOSING = (ir.Attribute, ir.Subscript)
OPEN = (ir.Scope, ir.FunctionDef, ir.ClassDef, ir.Lambda, ir.Yield, ir.Await, ir.Walrus, ir.Import, ir.ImportFrom)


class Traces:
    """Outcomes of calls by signature, and which functions are closed."""

    def __init__(self) -> None:
        self.outcomes: dict[Key, Value] = {}
        self._names: dict[int, tuple[str, ...] | None] = {}
        self.hits = 0

    def key(self, t: Tracer, code: Code, args: Sequence[Value], keywords: Mapping[str, Value]) -> Key | None:
        """The signature of a call that may be remembered; None for one that may not."""
        if not any(isinstance(value, Tensor) and value.step for value in args):
            return None
        if not all(_is_plain(value) for value in (*args, *keywords.values())):
            return None
        read = self._read_values(t, code, 0)
        if read is None:
            return None
        around = (t.target, t.tolerance > 0, t.store.get(AMBIENT))
        return (code.key, *around, tuple(args), tuple(keywords.items()), code.defaults, *read)

    def _read_values(self, t: Tracer, code: Code, depth: int) -> tuple[Value, ...] | None:
        """What the names stand for that a function reads from outside, its callees' included."""
        definition = t.definitions[code.key]
        names = self._outer_names(definition.node)
        if names is None or definition.owner is not None or definition.frame.kind != "module" or depth > 4:
            return None
        values: list[Value] = []
        for name in names:
            value = t.store.get((definition.frame.address, name))
            if value is None:
                continue  # a builtin, or a name that is not bound yet
            inner = self._read_values(t, value, depth + 1) if isinstance(value, Code) else ()
            if inner is None or not (_is_plain(value) or isinstance(value, Code)):
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
            self.outcomes[key] = result


def _is_plain(value: Value) -> bool:
    """Whether a value is immutable through and through."""
    if isinstance(value, Seq):
        return all(_is_plain(item) for item in value.items)
    return isinstance(value, (*PLAIN, Class, ModuleValue))


def _outer_names(node: ir.FunctionDef | ir.Lambda) -> tuple[str, ...] | None:
    names: dict[str, None] = {}
    for inner in inside(node.body):
        if isinstance(inner, OPEN) or (isinstance(inner, (ir.Assign, ir.Augmented)) and _changes(inner)):
            return None
        if isinstance(inner, ir.Name) and inner.id not in node.bound:
            names[inner.id] = None
    return tuple(names)


def _changes(node: ir.Assign | ir.Augmented) -> bool:
    """Whether an assignment changes an object rather than binding a name."""
    targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
    return any(isinstance(inner, CLOSING) for target in targets for inner in inside(target))


def inside(part: object) -> Iterator[ir.Node]:
    """All nodes of a part of the IR."""
    todo = [part]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif isinstance(node, ir.Node):
            yield node
            names = _FIELDS.get(type(node))
            if names is None:
                names = _FIELDS[type(node)] = tuple(f.name for f in fields(node) if not _LEAF.match(str(f.type)))
            todo += [getattr(node, name) for name in names]


_FIELDS: dict[type, tuple[str, ...]] = {}
_LEAF = re.compile(r"int|bool|str|object|Literal|frozenset|tuple\[str,|tuple\[tuple\[str,")  # what holds no nodes
