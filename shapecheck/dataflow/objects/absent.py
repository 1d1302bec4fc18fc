"""Attributes that an object of the program certainly never has."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.objects.attributes import PLAIN, has_unknown_names
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.domain.values import Class, Function, Ref, Value
from shapecheck.ir.walk import nodes_in

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

DYNAMIC = ("__getattr__", "__getattribute__", "__slots__")


@dataclass(slots=True)
class AssignedNames:
    """The attributes that methods of a class name, by the address of the class, and whether some text assigns an
    attribute of this name to another object than `self`, by the number of texts."""

    of_classes: dict[int, frozenset[str]] = field(default_factory=dict)
    of_others: dict[tuple[str, int], bool] = field(default_factory=dict)


def is_absent(t: Tracer, owner: Ref, name: str) -> bool:
    """Return whether an object, which has no attribute of this name now, never gets one.

    No class of it says anything of the name, and no attribute is assigned whose name is not known.
    """
    cls = t.heap.get((owner.address, "__class__"))
    if not isinstance(cls, Class) or has_unknown_names(t, owner, cls):
        return False
    order = mro(t, cls)
    classes = [base for base in order if isinstance(base, Class)]
    if any(base not in PLAIN for base in order if not isinstance(base, Class)):
        return False
    if any(class_attribute(t, cls, dynamic) is not None for dynamic in DYNAMIC):
        return False
    if t.is_standalone and any(_is_derived(t, other, cls) for other in _classes(t)):
        return False
    return not any(name in _named(t, base) for base in classes) and not _is_assigned_elsewhere(t, name)


def _classes(t: Tracer) -> list[Value | None]:
    return [t.heap.get((frame.address, "__self__")) for frame in t.frames.values() if frame.kind == "class"]


def _is_derived(t: Tracer, other: Value | None, cls: Class) -> bool:
    return isinstance(other, Class) and other != cls and cls in mro(t, other)


def _named(t: Tracer, cls: Class) -> frozenset[str]:
    """Return the names of attributes in the methods of a class, which may assign them."""
    known = t.component(AssignedNames).of_classes
    if cls.address not in known:
        functions = [value for _, value in t.heap.at(cls.address) if isinstance(value, Function)]
        bodies = [node.body for each in functions if isinstance(node := t.functions[each.key].node, ir.FunctionDef)]
        known[cls.address] = frozenset(
            part.name for body in bodies for part in nodes_in(body) if isinstance(part, ir.Attribute)
        )
    return known[cls.address]


def _is_assigned_elsewhere(t: Tracer, name: str) -> bool:
    """Return whether a file assigns an attribute of this name to another object than `self`, or calls `setattr` or
    `__dict__`."""
    known, sources = t.component(AssignedNames).of_others, t.program.sources
    key = name, len(sources)
    if key not in known:
        assigned = re.compile(rf"(?<!\bself)\.{re.escape(name)}\b[^=(\n]*=(?!=)|\bsetattr\(|\b__dict__\b")
        known[key] = any(assigned.search(source.text) for source in sources.values())
    return known[key]
