"""Effects of functions, read from their bodies: assigned attributes, mutated containers, called names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from shapecheck import ir
from shapecheck.ir.walk import nodes_in

AttributePath: TypeAlias = tuple[str, ...]  # attribute names, from a variable on
MUTATING_METHODS = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard appendleft assign".split()
)
FILLING_METHODS = MUTATING_METHODS | {"__init__", "__setitem__", "__delitem__", "__ior__"}
"""Methods of containers that change them, under any name."""
MUTATING_FIRST_ARGUMENT = frozenset(
    "heappush heappop heapify heapreplace heappushpop insort insort_left insort_right shuffle".split()
)
"""Functions that change their first argument."""


@dataclass(slots=True)
class Effects:
    """The effects of a function on objects and variables that outlive the call."""

    assigned: set[AttributePath] = field(default_factory=set)  # attributes of objects
    mutated: set[AttributePath] = field(default_factory=set)  # containers in attributes; the empty path: in variables
    outer: set[str] = field(default_factory=set)  # variables of enclosing scopes that it binds or mutates
    outer_assigned: set[tuple[str, str]] = field(default_factory=set)  # attributes of these that it assigns
    called: set[str] = field(default_factory=set)

    def add(self, other: Effects) -> None:
        """Add the effects of another function on objects."""
        self.assigned |= other.assigned
        self.mutated |= other.mutated
        self.called |= other.called


def effects_of(node: ir.FunctionDef | ir.Lambda, is_module: Callable[[str], bool]) -> Effects:
    """Return the effects of the body of a function; `is_module` tells the modules among variables around it."""
    changes = Effects()
    for inner in nodes_in(node.body):
        match inner:
            case ir.Assign(targets=targets) | ir.Delete(targets=targets):
                _add_assigned(targets, node, changes)
            case ir.Augmented(target=target):
                _add_assigned([target], node, changes)
                _add_mutated(target, node, changes)
            case ir.Annotated(target=target) | ir.For(target=target):
                _add_assigned([target], node, changes)
            case ir.Call(func=ir.Attribute(value=owner, name=name)):
                changes.called.add(name)
                outer = owner.id if isinstance(owner, ir.Name) and owner.id not in node.bound else ""
                if name in MUTATING_METHODS and not is_module(outer):
                    _add_mutated(owner, node, changes)
            case ir.Call(func=ir.Name(id=name)):
                changes.called.add(name)
        if isinstance(inner, ir.Call) and inner.args and _callee_name(inner) in MUTATING_FIRST_ARGUMENT:
            _add_mutated(inner.args[0].value, node, changes)
    return changes


def _callee_name(node: ir.Call) -> str:
    """Return the last part of the name of a called function."""
    match node.func:
        case ir.Attribute(name=name) | ir.Name(id=name):
            return name
    return ""


def _add_assigned(targets: Iterable[ir.Expr], node: ir.FunctionDef | ir.Lambda, changes: Effects) -> None:
    """Add assignments to targets."""
    for target in targets:
        match target:
            case ir.Attribute() if (path := _path(target)) is not None:
                changes.assigned.add(path)
                if isinstance(owner := target.value, ir.Name) and owner.id not in node.bound:
                    changes.outer_assigned.add((owner.id, target.name))
            case ir.Subscript(value=owner):
                _add_mutated(owner, node, changes)
            case ir.Display(items=items):
                _add_assigned(items, node, changes)
            case ir.Starred(value=inner):
                _add_assigned([inner], node, changes)
            case ir.Name(id=name) if name not in node.bound:
                changes.outer.add(name)


def _add_mutated(owner: ir.Expr, node: ir.FunctionDef | ir.Lambda, changes: Effects) -> None:
    """Add a mutation of a container."""
    while isinstance(owner, ir.Subscript):
        owner = owner.value
    path = _path(owner)
    if path is not None:
        changes.mutated.add(path)
    if isinstance(owner, ir.Name) and owner.id not in node.bound:
        changes.outer.add(owner.id)


def _path(node: ir.Expr) -> AttributePath | None:
    """Return the names in `a.b.c`, without the first; None for other expressions."""
    names: list[str] = []
    while isinstance(node, ir.Attribute):
        names.append(node.name)
        node = node.value
    return tuple(reversed(names)) if isinstance(node, ir.Name) else None
