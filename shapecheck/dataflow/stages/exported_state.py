"""The state of objects that are exported: the variables that their functions read must be attributes of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.objects.mro import mro
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import (
    BoundLibraryMethod,
    Class,
    Function,
    HomogeneousSeq,
    Library,
    Lost,
    Method,
    ModuleValue,
    Partial,
    Ref,
    Tensor,
    Value,
    walk,
)
from shapecheck.models.lang.traits import has

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

OBJECT = Library("builtins.object")
OPEN = (Lost, HomogeneousSeq, Partial, BoundLibraryMethod, ModuleValue)
"""Values that may hold variables which are not known."""
MAX_OBJECTS = 200


def traced_functions(t: Tracer, owner: Ref) -> list[Value]:
    """Return the functions that TensorFlow traces among the methods and attributes of an object."""
    names = [name for name, _ in t.heap.at(owner.address)]
    cls = t.heap.get((owner.address, "__class__"))
    for each in mro(t, cls) if isinstance(cls, Class) else ():
        names += [name for name, _ in t.heap.at(each.address)] if isinstance(each, Class) else []
    found = (find_attribute(t, owner, name) for name in dict.fromkeys(names) if isinstance(name, str))
    return [value for value in found if value is not None and _is_traced(value)]


def _is_traced(value: Value) -> bool:
    code = value.function if isinstance(value, Method) else value
    return isinstance(code, Function) and bool(code.graph)


def untracked(t: Tracer, owner: Ref, function: Value, args: Sequence[Value]) -> Tensor | Ref | None:
    """Return a variable or table that a function reads, and that is certainly held by no attribute of an object."""
    held, first, newest = _held(t, owner), len(t.graph.steps), t.heap.address()
    if held is None or t.place is None:
        return None
    t.semantics.call(t, function, Arguments(t.place, args))
    certain = (step for step in t.graph.steps[first:] if not step.guards.keys() - t.path.guards.keys())
    for step in certain:
        for _, tensor in step.operands():
            if _is_variable(t, tensor, first) and (tensor.step, tensor.output) not in held:
                return tensor
        used = None if step.replayed else _owner(step)
        if used is not None and used.address < newest and used.address not in held:
            return used
    return None


def _owner(step: Step) -> Ref | None:
    """Return the object with state whose method a step calls."""
    first = step.args[0] if step.args else None
    is_method = isinstance(first, Ref) and step.name.startswith(f"{first.cls}.")
    return first if is_method and isinstance(first, Ref) and has(first.cls, "has state that is saved") else None


def _is_variable(t: Tracer, tensor: Tensor, before: int) -> bool:
    """Return whether a tensor is a variable that the program made before a step."""
    if tensor.role != "variable" or tensor.is_ambiguous or not 0 < tensor.step <= before:
        return False
    return t.graph[tensor.step].name == "tf.Variable"


def _held(t: Tracer, owner: Ref) -> set[object] | None:
    """Return the variables, by step and output, and the objects, by address, that TensorFlow finds from an object; None
    if an attribute may hold others."""
    found, seen, todo = set[object](), {owner.address}, [owner]
    while todo:
        for key, value in t.heap.at(todo.pop().address):
            if key == "__class__":
                continue
            for part in walk(value):
                if isinstance(part, OPEN) or (isinstance(part, Tensor) and part.is_ambiguous):
                    return None
                if isinstance(part, Tensor):
                    found.add((part.step, part.output))
                elif isinstance(part, Ref) and part.address not in seen and _is_followed(t, part):
                    seen.add(part.address)
                    todo.append(part)
    return found | seen if len(seen) < MAX_OBJECTS else None


def _is_followed(t: Tracer, part: Ref) -> bool:
    """Return whether TensorFlow may follow the attributes or items of an object: not of one without a library base."""
    cls = t.heap.get((part.address, "__class__"))
    if not isinstance(cls, Class):
        return True
    return any(not isinstance(each, Class) and each != OBJECT for each in mro(t, cls))
