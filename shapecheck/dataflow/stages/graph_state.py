"""The state that AutoGraph makes part of a graph: variables, and attributes and items of objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.dataflow.stages.checks import is_symbolic
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import CONTAINERS, Choice, Class, Const, Dict, Lost, Ref, Scalar, Tensor, Value
from shapecheck.ir.walk import nodes_in
from shapecheck.shapes.shape import join
from shapecheck.shapes.size import Kind, Size, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

State: TypeAlias = "Mapping[str, Value | None]"
"""Values by the text of what holds them; None for what is not defined."""

UNKNOWN = Lost("a value that is not followed")


def places_in(body: object) -> list[ir.Attribute | ir.Subscript]:
    """Return the attributes and items of variables that are assigned in a part of the IR."""
    found = {_text(target): target for node in nodes_in(body) for target in _targets(node) if _text(target)}
    return [found[text] for text in sorted(found)]


def _targets(node: object) -> Iterator[ir.Attribute | ir.Subscript]:
    match node:
        case ir.Assign(targets=targets) | ir.Delete(targets=targets):
            yield from (target for target in targets if isinstance(target, (ir.Attribute, ir.Subscript)))
        case ir.Augmented(target=ir.Attribute() | ir.Subscript() as target):
            yield target


def _text(target: ir.Expr) -> str:
    """Return an attribute, or an item with a simple key, as it is written; "" for other targets."""
    match target:
        case ir.Name(id=name):
            return name
        case ir.Attribute(value=owner, name=name):
            return f"{_text(owner)}.{name}" if _text(owner) else ""
        case ir.Subscript(value=owner, index=ir.Const(value=str() as key)):
            return f"{_text(owner)}[{key!r}]" if _text(owner) else ""
        case ir.Subscript(value=owner, index=ir.Name(id=key)):
            return f"{_text(owner)}[{key}]" if _text(owner) else ""
    return ""


def read(t: Tracer, frame: Frame, parts: Sequence[str | ir.Attribute | ir.Subscript]) -> State:
    """Return the present values of variables, and of attributes and items of them."""
    state: dict[str, Value | None] = {}
    for part in parts:
        value = t.heap.get((frame.address, part)) if isinstance(part, str) else _held(t, frame, part)
        state[part if isinstance(part, str) else _text(part)] = None if value is None else t.freeze(value)
    return state


def _held(t: Tracer, frame: Frame, target: ir.Expr) -> Value | None:
    """Return the value of a variable, or of an attribute or item of one; None if it has none."""
    match target:
        case ir.Name(id=name):
            return _variable(t, frame, name)
        case ir.Attribute(value=owner, name=name):
            holder = _held(t, frame, owner)
            held = _attribute(t, holder, name) if isinstance(holder, Ref) else UNKNOWN
        case ir.Subscript(value=owner, index=index):
            holder = _held(t, frame, owner)
            key = index if isinstance(index, ir.Const) else _held(t, frame, index)
            held = _item(t, holder, key) if isinstance(holder, Ref) and isinstance(key, (ir.Const, Const)) else UNKNOWN
        case _:
            held = UNKNOWN
    return held


def _variable(t: Tracer, frame: Frame, name: str) -> Value:
    value = frame.variable(t.heap, name)
    return UNKNOWN if value is None else value


def _attribute(t: Tracer, owner: Ref, name: str) -> Value | None:
    held = t.heap.get((owner.address, name))
    cls = t.heap.get((owner.address, "__class__"))
    if held is not None or owner.cls in CONTAINERS:
        return held
    return class_attribute(t, cls, name) if isinstance(cls, Class) else UNKNOWN


def _item(t: Tracer, owner: Ref, key: ir.Const | Const) -> Value | None:
    contents = t.contents(owner)
    known = isinstance(contents, Dict) and contents.rest is None
    return contents.get(key.value) if known and isinstance(contents, Dict) else UNKNOWN


def is_graph_test(t: Tracer, test: Value) -> bool:
    """Return whether the result of a test is part of the graph, where AutoGraph converts the code.

    That is a symbolic tensor, what `not`, `and` and `or` make of one, and what is set under such a test.
    """
    return t.stage.is_converted and _depends_on_tensor(t, test)


def _depends_on_tensor(t: Tracer, test: Value) -> bool:
    if isinstance(test, Choice):
        return any(_depends_on_tensor(t, condition) for guard, _ in test.options for condition, _ in guard)
    if isinstance(test, (Scalar, Lost)):
        op, left, _ = t.component(Conditions).meanings.get(test, ("", test, test))
        return op in ("not", "and", "or") and _depends_on_tensor(t, left)
    return is_symbolic(t, test)


def is_python_test(t: Tracer, test: Value) -> bool:
    """Return whether the result of a test is certainly a value of Python."""
    if isinstance(test, Choice):
        return all(is_python_test(t, option) for _, option in test.options)
    if isinstance(test, Scalar):
        op, *parts = t.component(Conditions).meanings.get(test, ("",))
        return op not in ("not", "and", "or") or all(is_python_test(t, part) for part in parts)
    return not isinstance(test, (Lost, Tensor))


def merged(t: Tracer, value: Value | None) -> Value | None:
    """Return a tensor for the alternatives that tests on symbolic tensors leave: sizes that differ are open in it."""
    if not isinstance(value, Choice):
        return value
    options = [option for _, option in value.options if isinstance(option, Tensor)]
    tests = {test for guard, _ in value.options for test, _ in guard}
    first = options[0] if options else None
    if first is None or len(options) < len(value.options) or not all(_depends_on_tensor(t, test) for test in tests):
        return value
    if any(option.dtype != first.dtype or option.library != "tf" for option in options):
        return value
    shape = first.shape
    for option in options[1:]:
        shape = join(shape, option.shape, _open)
    return replace(first, shape=shape, content=None)


def _open(a: Size, b: Size) -> Size:
    return fresh("None", Kind.COUNTED, why=f"{a} or {b}")
