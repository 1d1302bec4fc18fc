"""Metaclasses of the program, which may replace the functions that a class defines.

This module finds them; functions that may have been replaced are not followed when they are called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Delta
from shapecheck.domain.values import Class, Function, Value
from shapecheck.ir.walk import nodes_in

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

METACLASS = "__metaclass__"  # the spelling of Python 2
DECORATED = "__decorated__"  # what an unknown decorator of a class may have changed
HELPERS = ("add_metaclass", "with_metaclass")
MUTATING = ("update", "pop", "setdefault", "__setitem__")
READING = ("dict", "isinstance", "len", "list", "print", "repr", "sorted", "str", "type")


def apply_metaclass(t: Tracer, cls: Class, node: ir.ClassDef, frame: Frame, made: Delta) -> None:
    """Forget the functions of a new class that its metaclass may have replaced."""
    metaclass = next(_metaclasses(t, cls, node, frame), None)
    if metaclass is None:
        return
    t.heap.set((cls.address, METACLASS), metaclass)
    if isinstance(metaclass, Class) and any(_replaces(t, metaclass, name) for name in ("__new__", "__init__")):
        for cell, value in made.items():
            if cell[0] == cls.address and isinstance(value, Function) and value.name != "__init__":
                t.heap.set(cell, t.lost("function that a metaclass may have replaced"))


def _metaclasses(t: Tracer, cls: Class, node: ir.ClassDef, frame: Frame) -> Iterator[Value]:
    """Yield the metaclasses that a class names or inherits."""
    for base in node.bases:
        if base.keyword == "metaclass":
            yield t.evaluate(base.value, frame)
    for helper in (*(base.value for base in node.bases), *node.decorators):
        if isinstance(helper, ir.Call) and _callee_name(helper.func) in HELPERS and helper.args:
            yield t.evaluate(helper.args[0].value, frame)
    for ancestor in mro(t, cls):
        found = t.heap.get((ancestor.address, METACLASS)) if isinstance(ancestor, Class) else None
        if found is not None:
            yield found


def _replaces(t: Tracer, metaclass: Class, name: str) -> bool:
    """Return whether a function of a metaclass does more with the names of a new class than to pass them on."""
    function = class_attribute(t, metaclass, name)
    node = t.functions[function.key].node if isinstance(function, Function) else None
    if not isinstance(node, ir.FunctionDef):
        return False
    given = [param.name for param in node.params if param.kind in ("plain", "positional")]
    names = given[3] if len(given) > 3 else ""
    return any(_changes(inner, names) for inner in nodes_in(node.body))


def _changes(node: object, names: str) -> bool:
    """Return whether a node changes the dict of names, or passes it to a function that may."""
    match node:
        case ir.Assign(targets=targets) | ir.Delete(targets=targets):
            return any(isinstance(target, ir.Subscript) and _is_name(target.value, names) for target in targets)
        case ir.Call(func=ir.Attribute(name=name), args=args) if name in ("__new__", "__init__"):
            return bool(names) and len(args) > 2 and not any(_is_name(arg.value, names) or arg.star for arg in args)
        case ir.Call(func=ir.Attribute(name=name, value=owner)) if name in MUTATING and _is_name(owner, names):
            return True
        case ir.Call(func=func, args=args) if _callee_name(func) not in READING:
            return _callee_name(func) == "setattr" or any(_is_name(arg.value, names) for arg in args)
    return False


def _is_name(node: ir.Expr, name: str) -> bool:
    """Return whether a node is this name."""
    return isinstance(node, ir.Name) and node.id == name


def _callee_name(func: ir.Expr) -> str:
    """Return the last part of the name of a called function."""
    return func.id if isinstance(func, ir.Name) else func.name if isinstance(func, ir.Attribute) else ""
