"""What is given to code that is not followed: it may call functions of the program and layers, now or later."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.objects import CONTAINERS
from shapecheck.dataflow.traces import inside
from shapecheck.dataflow.unfilled import REASON, forget_unfilled, is_unfilled
from shapecheck.values import TRUE, Code, Method, Ref, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.frame import Frame
    from shapecheck.dataflow.tracer import Tracer

HANDED = "@handed"
"""The attribute of a library's object that others were given."""

MOST_OBJECTS = 40


def hand_over(t: Tracer, values: Iterable[Value]) -> None:
    """Loses what functions among the values may change when they are called, and what is empty among the values or in
    their attributes, which may be filled; marks objects of libraries."""
    for value in values:
        if isinstance(value, Ref) and value.cls == "user":
            forget_unfilled(t, value.address)
        elif isinstance(value, Ref) and is_unfilled(t, value):
            t.set_contents(value, t.lost(REASON))
        elif isinstance(value, Method):
            t.effects.forget(t, value.function, _objects(t, value.owner))
        elif isinstance(value, Code):
            t.effects.forget(t, value, [ref for one in _captured(t, value) for ref in _objects(t, one)])
        elif isinstance(value, Ref) and value.cls != "user" and value.cls not in CONTAINERS:
            t.store.set((value.address, HANDED), TRUE)


def _captured(t: Tracer, code: Code) -> list[Value]:
    """What the variables hold that a function takes from the scopes around it."""
    definition = t.definitions[code.key]
    names = {node.id for node in inside(definition.node.body) if isinstance(node, ir.Name)}
    found: list[Value] = []
    scope: Frame | None = definition.frame
    while scope is not None:
        found += [value for name in sorted(names) if (value := t.store.get((scope.address, name))) is not None]
        scope = scope.parent
    return found


def _objects(t: Tracer, first: Value) -> list[Ref]:
    """The program's objects that attributes lead to from this one."""
    found = [first] if isinstance(first, Ref) and first.cls == "user" else []
    for owner in found:  # which grows
        for _, value in t.store.at(owner.address):
            if isinstance(value, Ref) and value.cls == "user" and value not in found and len(found) < MOST_OBJECTS:
                found.append(value)
    return found
