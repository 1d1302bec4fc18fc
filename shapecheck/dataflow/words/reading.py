"""Annotations as values: names and subscripts are looked up, and nothing is called but `tf.TensorSpec`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.objects import modules
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import BoundLibraryMethod, Const, Library, Lost, ModuleValue, Partial, Seq, Value
from shapecheck.models.lang.names import canonical

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

UNKNOWN = Lost("annotation that is not read")
_BUILTINS = frozenset("int float bool str bytes complex list tuple dict set object".split())


def meaning(t: Tracer, node: ir.Expr, frame: Frame) -> Value:
    """Return the value of an annotation: a library name, a constant, or a Partial for what is subscripted."""
    match node:
        case ir.Const(value=value):
            return Const(value)
        case ir.Name(id=name):
            return _named(t, name, frame)
        case ir.Attribute(value=inner, name=name):
            return _attribute(t, meaning(t, inner, frame), name)
        case ir.Subscript(value=inner, index=index):
            items = index.items if isinstance(index, ir.Display) and index.kind == "tuple" else (index,)
            return Partial(meaning(t, inner, frame), tuple(meaning(t, item, frame) for item in items))
        case ir.Binary(op="|", left=left, right=right):
            return Partial(Library("typing.Union"), (meaning(t, left, frame), meaning(t, right, frame)))
        case ir.Display(items=items):
            return Seq("tuple", tuple(meaning(t, item, frame) for item in items))
        case ir.Call(func=func) if meaning(t, func, frame) == Library("tf.TensorSpec"):
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
