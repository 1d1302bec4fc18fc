"""What holds nothing yet when a function is traced on its own: others fill them before it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow import objects
from shapecheck.dataflow.objects import CONTAINERS
from shapecheck.shapes.shape import Shape
from shapecheck.values import NONE, Class, Code, Const, Dict, Many, Ref, Seq, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

REASON = "what others put where nothing is yet"


def forget_unfilled(t: Tracer, address: int) -> None:
    """Makes the contents of empty lists, dicts and sets, and of lists of None, in the variables or attributes at an
    address unknown, and attributes of an object that are None, an empty tuple or an empty vector."""
    is_object = t.store.get((address, "__class__")) is not None
    for name, value in t.store.at(address):
        if is_object and (value in (NONE, Seq("tuple", ())) or is_empty_vector(value)):
            t.store.set((address, name), t.lost(REASON))
        elif is_unfilled(t, value):
            assert isinstance(value, Ref)
            t.store.set((value.address, "items"), t.lost(REASON))


def forget_placeholders(t: Tracer, made: Ref, cls: Class) -> None:
    """Makes numbers below one in the attributes of a new object unknown where another method sets them."""
    for base in objects.mro(t, cls):
        for name, method in t.store.at(base.address) if isinstance(base, Class) else ():
            if isinstance(method, Code) and name != "__init__":
                for attribute in t.effects.assigned(t.definitions[method.key]):
                    if _is_placeholder(t.store.get((made.address, attribute))):
                        t.store.set((made.address, attribute), t.lost(REASON))


def _is_placeholder(value: Value | None) -> bool:
    return isinstance(value, Const) and type(value.value) is int and value.value < 1


def is_empty_vector(value: Value) -> bool:
    """Whether a value is `np.array([])`."""
    return isinstance(value, Tensor) and value.library == "np" and value.shape == Shape((0,))


def is_unfilled(t: Tracer, value: Value) -> bool:
    """Whether a value is a list, dict or set with nothing in it but None."""
    if not isinstance(value, Ref) or value.cls not in CONTAINERS:
        return False
    match t.contents(value):
        case Seq(items=items):
            return all(item == NONE for item in items)
        case Dict(items=(), rest=None) | Many(length=0) | Many(element=Const(value=None)):
            return True
    return False
