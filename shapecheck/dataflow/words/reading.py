"""Annotations as values: names and subscripts are looked up, and nothing is called but `tf.TensorSpec`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.objects import modules
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import BoundLibraryMethod, Const, Library, Lost, ModuleValue, Partial, Seq, Value
from shapecheck.frontend.lower import UnparsableSource, lower
from shapecheck.models.lang.names import canonical
from shapecheck.source import Source

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

UNKNOWN = Lost("annotation that is not read")
_OF_TYPES = (
    *map(Library, ("typing.Union", "typing.Optional", "typing.Final", "typing.ClassVar")),
    *map(Library, ("builtins.tuple", "typing.Tuple")),
)
"""What is subscripted by types only, so that a text there is a quoted type."""
_BUILTINS = frozenset("int float bool str bytes complex list tuple dict set object".split())


def meaning(t: Tracer, node: ir.Expr, frame: Frame) -> Value:
    """Return the value of an annotation: a library name, a constant, or a Partial for what is subscripted."""
    if isinstance(node, ir.Const) and isinstance(node.value, str):
        quoted = _unquoted(node.value, node.start + 1)
        return UNKNOWN if quoted is None else meaning(t, quoted, frame)
    return _meaning(t, node, frame)


def _unquoted(text: str, start: int) -> ir.Expr | None:
    """Return the expression in an annotation in quotes, which begins at an offset; None if there is none."""
    try:
        body = lower(Source("annotation", f"({' ' * (start - 1)}{text})")).body
    except UnparsableSource:
        return None
    match body:
        case (ir.Evaluate(value=value),):
            return value
    return None


def _meaning(t: Tracer, node: ir.Expr, frame: Frame) -> Value:
    """Return the value of a part of an annotation, in which a text is that text."""
    match node:
        case ir.Const(value=value):
            return Const(value)
        case ir.Name(id=name):
            return _named(t, name, frame)
        case ir.Attribute(value=inner, name=name):
            return _attribute(t, _meaning(t, inner, frame), name)
        case ir.Subscript(value=inner, index=index):
            items = index.items if isinstance(index, ir.Display) and index.kind == "tuple" else (index,)
            function = _meaning(t, inner, frame)
            read = meaning if function in _OF_TYPES else _meaning
            return Partial(function, tuple(read(t, item, frame) for item in items))
        case ir.Binary(op="|", left=left, right=right):
            return Partial(Library("typing.Union"), (meaning(t, left, frame), meaning(t, right, frame)))
        case ir.Display(items=items):
            return Seq("tuple", tuple(_meaning(t, item, frame) for item in items))
        case ir.Call(func=func) if _meaning(t, func, frame) == Library("tf.TensorSpec"):
            return t.evaluate(node, frame)
    return UNKNOWN


def _named(t: Tracer, name: str, frame: Frame) -> Value:
    value = frame.variable(t.heap, name)
    if value is None:
        return Library(f"builtins.{name}") if name in _BUILTINS else UNKNOWN
    if isinstance(value, BoundLibraryMethod) and isinstance(value.owner, ModuleValue):
        return modules.module_attribute(t, value.owner.address, value.name)
    return value


def _attribute(t: Tracer, owner: Value, name: str) -> Value:
    match owner:
        case Library(name=path):
            return Library(canonical(f"{path}.{name}"))
        case ModuleValue(address=address):
            return modules.module_attribute(t, address, name)
    return UNKNOWN
