"""Base classes that the program does not instantiate: derived classes may set what they leave open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.havoc.havoc import Havoc
from shapecheck.dataflow.objects.mro import mro
from shapecheck.dataflow.state.instantiated import Instantiated
from shapecheck.domain.values import Class, Const, Function, Int, Lost, Ref, Seq, Tensor

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

IMMUTABLE = (Const, Int, Seq, Tensor)
REASON = "attribute that a derived class may set"


def is_only_derived_from(t: Tracer, cls: Class) -> bool:
    """Return whether the program makes no instances of a class, but derives others from it or leaves methods open."""
    if cls.address in t.component(Instantiated).addresses:
        return False
    return any(_derived(t, cls)) or _has_open_methods(t, cls)


def hide_class_attributes(t: Tracer, instance: Ref, cls: Class) -> None:
    """Forget attributes of an instance that a derived class may set.

    These are values that its class has for all instances, methods that a derived class replaces, and what the methods
    of a derived class assign.
    """
    replaced = {name for other in _derived(t, cls) for name, _ in t.heap.at(other.address)}
    for base in mro(t, cls):
        for name, value in t.heap.at(base.address) if isinstance(base, Class) else ():
            if not isinstance(name, str) or name.startswith("__") or t.heap.get((instance.address, name)) is not None:
                continue
            if isinstance(value, IMMUTABLE) or (isinstance(value, Function) and name in replaced):
                t.heap.set((instance.address, name), Lost(REASON))
    for other in _derived(t, cls):
        for name in _assigned(t, other):
            if t.heap.get((instance.address, name)) is not None:
                t.heap.set((instance.address, name), Lost(REASON))


def _assigned(t: Tracer, cls: Class) -> set[str]:
    """Return the attributes that the methods of a class assign."""
    methods = [value for _, value in t.heap.at(cls.address) if isinstance(value, Function)]
    return {name for method in methods for name in t.component(Havoc).assigned(t, t.functions[method.key])}


def _derived(t: Tracer, cls: Class) -> Iterator[Class]:
    """Yield the classes that were derived from a class so far."""
    for frame in tuple(t.frames.values()):
        other = t.heap.get((frame.address, "__self__")) if frame.kind == "class" else None
        if isinstance(other, Class) and other != cls and cls in mro(t, other):
            yield other


def _has_open_methods(t: Tracer, cls: Class) -> bool:
    """Return whether a method of a class only raises NotImplementedError."""
    for _, value in t.heap.at(cls.address):
        node = t.functions[value.key].node if isinstance(value, Function) else None
        if isinstance(node, ir.FunctionDef) and len(node.body) <= 2:
            last = node.body[-1]
            if isinstance(last, ir.Raise) and "NotImplemented" in _raised(last):
                return True
    return False


def _raised(node: ir.Raise) -> str:
    """Return the name of the exception that is raised."""
    made = node.value.func if isinstance(node.value, ir.Call) else node.value
    return made.id if isinstance(made, ir.Name) else ""
