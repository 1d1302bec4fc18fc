"""Members of enumerations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.domain.values import Class, Library, Ref, Value, is_constant

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MEMBERS = "__members__"  # attribute of an enumeration: the names of its members


def same_member(t: Tracer, left: Value, right: Value) -> bool | None:
    """Return whether two members of one enumeration are equal.

    The result is None for other values, and if the class defines `__eq__`.
    """
    if not isinstance(left, Ref) or not isinstance(right, Ref):
        return None
    cls = t.heap.get((left.address, "__class__"))
    if not isinstance(cls, Class) or cls != t.heap.get((right.address, "__class__")):
        return None
    if class_attribute(t, cls, MEMBERS) is None or class_attribute(t, cls, "__eq__") is not None:
        return None
    return left == right


CONSTANT_CLASSES = frozenset(Library(f"builtins.{name}") for name in ("str", "int", "float", "bytes"))


def constant_of(t: Tracer, value: Value) -> Value:
    """Return the constant that a member of an enumeration of texts or numbers is; other values as they are."""
    cls = t.heap.get((value.address, "__class__")) if isinstance(value, Ref) and value.cls == "user" else None
    if not isinstance(value, Ref) or not isinstance(cls, Class) or class_attribute(t, cls, MEMBERS) is None:
        return value
    held = t.heap.get((value.address, "value"))
    is_plain = held is not None and is_constant(held) and not CONSTANT_CLASSES.isdisjoint(mro(t, cls))
    return held if held is not None and is_plain else value


def key_among(t: Tracer, known: Iterable[Value], key: Value) -> Value:
    """Return which of some keys a key equals; itself if it is none of them."""
    constant = constant_of(t, key)
    return next((other for other in known if other == key or constant_of(t, other) == constant), key)
