"""The state that AutoGraph makes part of a graph: variables, and attributes and items of objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.dataflow.stages.checks import is_symbolic
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Choice, Class, Dict, Lost, Ref, Tensor, Value
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
        case ir.Assign(targets=targets):
            yield from (target for target in targets if isinstance(target, (ir.Attribute, ir.Subscript)))
        case ir.Augmented(target=ir.Attribute() | ir.Subscript() as target):
            yield target


def _text(target: ir.Expr) -> str:
    """Return an attribute of a variable, or an item of one with a constant key, as it is written; "" for others."""
    match target:
        case ir.Attribute(value=ir.Name(id=owner), name=name):
            return f"{owner}.{name}"
        case ir.Subscript(value=ir.Name(id=owner), index=ir.Const(value=str() as key)):
            return f"{owner}[{key!r}]"
    return ""


def read(t: Tracer, frame: Frame, parts: Sequence[str | ir.Attribute | ir.Subscript]) -> State:
    """Return the present values of variables, and of attributes and items of them."""
    state: dict[str, Value | None] = {}
    for part in parts:
        if isinstance(part, str):
            value = t.heap.get((frame.address, part))
            state[part] = None if value is None else t.freeze(value)
        else:
            state[_text(part)] = _held(t, frame, part)
    return state


def _held(t: Tracer, frame: Frame, target: ir.Attribute | ir.Subscript) -> Value | None:
    """Return the value of an attribute or item of a variable; None if it has none."""
    owner = t.heap.get((frame.address, target.value.id)) if isinstance(target.value, ir.Name) else None
    if not isinstance(owner, Ref):
        return UNKNOWN
    if isinstance(target, ir.Attribute):
        held = t.heap.get((owner.address, target.name)) or _of_class(t, owner, target.name)
    else:
        held = _item(t, owner, target.index)
    return None if held is None else t.freeze(held)


def _of_class(t: Tracer, owner: Ref, name: str) -> Value | None:
    cls = t.heap.get((owner.address, "__class__"))
    return class_attribute(t, cls, name) if isinstance(cls, Class) else UNKNOWN


def _item(t: Tracer, owner: Ref, index: ir.Expr) -> Value | None:
    contents = t.contents(owner)
    if isinstance(contents, Dict) and contents.rest is None and isinstance(index, ir.Const):
        return contents.get(index.value)
    return UNKNOWN


def merged(t: Tracer, value: Value | None) -> Value | None:
    """Return a tensor for the alternatives that tests on symbolic tensors leave: sizes that differ are open in it."""
    if not isinstance(value, Choice):
        return value
    options = [option for _, option in value.options if isinstance(option, Tensor)]
    tests = {test for guard, _ in value.options for test, _ in guard}
    first = options[0] if options else None
    if first is None or len(options) < len(value.options) or not all(is_symbolic(t, test) for test in tests):
        return value
    if any(option.dtype != first.dtype or option.library != "tf" for option in options):
        return value
    shape = first.shape
    for option in options[1:]:
        shape = join(shape, option.shape, _open)
    return replace(first, shape=shape, content=None)


def _open(a: Size, b: Size) -> Size:
    return fresh("None", Kind.COUNTED, why=f"{a} or {b}")
