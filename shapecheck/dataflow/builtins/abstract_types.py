"""Membership in the abstract classes of `collections.abc`, such as `Iterable` and `Mapping`."""

from __future__ import annotations

from collections import OrderedDict, UserDict, UserList, abc
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.attributes import ABSTRACT, PLAIN
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.domain.values import Class, Library, Ref, Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

BY_METHODS = ("Callable", "Collection", "Container", "Hashable", "Iterable", "Iterator", "Reversible", "Sized")
"""The abstract classes of every class that has their methods."""
KINDS = {kind.__name__: kind for kind in (bool, bytes, complex, dict, float, int, list, range, set, str, tuple)}
BASES: dict[str, type] = {f"builtins.{name}": kind for name, kind in KINDS.items()} | {
    f"collections.{kind.__name__}": kind for kind in (OrderedDict, UserDict, UserList)
}
BARE = (*PLAIN, Library("typing.Generic"), Library("typing.Protocol"))
"""The bases that give a class no methods."""


def abstract_class(name: str) -> type | None:
    """Return the abstract class of a canonical name, or None."""
    module, _, own = name.rpartition(".")
    found = getattr(abc, own, None) if module in ABSTRACT else None
    return found if isinstance(found, type) else None


def is_of_abstract_class(t: Tracer, value: Value, wanted: type, kind: str | None) -> bool | None:
    """Return whether a value, of a Python type of this name, is of an abstract class, or None if unknown."""
    if kind in KINDS:
        return issubclass(KINDS[kind], wanted)
    if isinstance(value, Tensor):
        return _is_array(value, wanted)
    cls = t.heap.get((value.address, "__class__")) if isinstance(value, Ref) and value.cls == "user" else None
    return _is_derived(t, cls, wanted) if isinstance(cls, Class) else None


def _is_array(value: Tensor, wanted: type) -> bool | None:
    """Return whether an array is of an abstract class: one with axes can be iterated over; none is a sequence."""
    if wanted.__name__ not in BY_METHODS:
        return False
    return True if value.shape.head and wanted in (abc.Iterable, abc.Sized) else None


def _is_derived(t: Tracer, cls: Class, wanted: type) -> bool | None:
    """Return whether a class of the program is of an abstract class, by its bases or its methods."""
    others = [base for base in mro(t, cls) if not isinstance(base, Class) and base not in BARE]
    types = [_type(base) for base in others]
    if any(each is not None and issubclass(each, wanted) for each in types):
        return True
    required: frozenset[str] = getattr(wanted, "__abstractmethods__", frozenset())
    if wanted.__name__ in BY_METHODS and all(class_attribute(t, cls, name) is not None for name in required):
        return True
    return None if None in types or wanted is abc.Hashable else False


def _type(base: Value) -> type | None:
    """Return the class of Python's that a base is, or None."""
    return BASES.get(base.name) or abstract_class(base.name) if isinstance(base, Library) else None
