"""Uninitialized state when a function is traced on its own: other code may fill it before the call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shapecheck.dataflow.havoc.havoc import Havoc
from shapecheck.dataflow.objects.mro import mro
from shapecheck.dataflow.state.heap import Cell
from shapecheck.domain.values import (
    CONTAINERS,
    NONE,
    Class,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    ModuleValue,
    Ref,
    Seq,
    Tensor,
    Value,
)
from shapecheck.shapes.shape import Shape

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

REASON = "uninitialized value"


def havoc_uninitialized(t: Tracer, address: int) -> None:
    """Forget empty containers, and lists of None, in the variables or attributes at an address.

    Attributes of an object that are None, an empty tuple or an empty vector are forgotten, too.
    """
    is_object = t.heap.get((address, "__class__")) is not None
    for name, value in t.heap.at(address):
        if is_object and (value in (NONE, Seq("tuple", ())) or is_empty_vector(value)):
            t.heap.set((address, name), t.lost(REASON))
        elif is_uninitialized(t, value):
            assert isinstance(value, Ref)
            t.heap.set((value.address, "items"), t.lost(REASON))


def havoc_placeholders(t: Tracer, made: Ref, cls: Class) -> None:
    """Forget numbers below one in the attributes of a new object if another method assigns them, or if they are
    defaults of its class, other than constants."""
    for name in list(_initial(t, made, cls)):
        t.heap.set((made.address, name), t.lost(REASON))


def assigned_by_functions(t: Tracer) -> Iterator[Cell]:
    """Yield the variables of modules that functions assign: of their own module by a `global` statement, or of another
    one as an attribute."""
    for key in range(len(t.functions)):
        module = t.functions[key].frame.module
        outer, outer_assigned = t.component(Havoc).outer_effects(t, t.functions[key])
        yield from ((module, name) for name in outer)
        for name, attribute in outer_assigned:
            other = t.heap.get((module, name))
            if isinstance(other, ModuleValue):
                yield other.address, attribute


def havoc_global_placeholders(t: Tracer) -> None:
    """Forget numbers below one, None and empty vectors in variables of modules that functions assign."""
    for cell in assigned_by_functions(t):
        value = t.heap.get(cell)
        if value == NONE or _is_placeholder(value) or (value is not None and is_empty_vector(value)):
            t.heap.set(cell, t.lost(REASON))


def _initial(t: Tracer, made: Ref, cls: Class) -> Iterator[str]:
    """Yield the attributes of a new object with a number below one that is not what the object is used with."""
    for base in mro(t, cls):
        for name, value in t.heap.at(base.address) if isinstance(base, Class) else ():
            if isinstance(value, Function) and name != "__init__":
                assigned = t.component(Havoc).assigned(t, t.functions[value.key])
                yield from (each for each in assigned if _is_placeholder(t.heap.get((made.address, each))))
            elif isinstance(name, str) and not name.isupper() and _is_placeholder(value):
                own = t.heap.get((made.address, name))
                yield from [name] if own is None or _is_placeholder(own) else []


def _is_placeholder(value: Value | None) -> bool:
    """Return whether a value is an integer below one."""
    return isinstance(value, Const) and type(value.value) is int and value.value < 1


def is_empty_vector(value: Value) -> bool:
    """Return whether a value is `np.array([])`."""
    return isinstance(value, Tensor) and value.library == "np" and value.shape == Shape((0,))


def is_uninitialized(t: Tracer, value: Value) -> bool:
    """Return whether a value is a list, dict or set that is empty or contains only None."""
    if not isinstance(value, Ref) or value.cls not in CONTAINERS:
        return False
    match t.contents(value):
        case Seq(items=items):
            return all(item == NONE for item in items)
        case Dict(items=(), rest=None) | HomogeneousSeq(length=0) | HomogeneousSeq(element=Const(value=None)):
            return True
    return False
