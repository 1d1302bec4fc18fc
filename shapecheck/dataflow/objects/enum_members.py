"""Members of enumerations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.domain.values import Class, Ref, Value

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
