"""Side effects of functions, read from their bodies: attributes assigned, containers changed, names called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from shapecheck import ir
from shapecheck.ir.walk import nodes_in

Path: TypeAlias = tuple[str, ...]  # the attributes that lead from a name to something
CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard appendleft".split()
)
CHANGING_FIRST = frozenset(
    "heappush heappop heapify heapreplace heappushpop insort insort_left insort_right shuffle".split()
)
"""Functions that change their first argument."""


@dataclass(slots=True)
class Changes:
    """What a function does to things that outlast it."""

    assigned: set[Path] = field(default_factory=set)  # attributes of objects
    filled: set[Path] = field(default_factory=set)  # containers in attributes; the empty path: in variables
    outer: set[str] = field(default_factory=set)  # variables of scopes around it that it binds or fills
    called: set[str] = field(default_factory=set)

    def add(self, other: Changes) -> None:
        self.assigned |= other.assigned
        self.filled |= other.filled


def changes_of(node: ir.FunctionDef | ir.Lambda) -> Changes:
    changes = Changes()
    for inner in nodes_in(node.body):
        match inner:
            case ir.Assign(targets=targets) | ir.Delete(targets=targets):
                _assigned(targets, node, changes)
            case ir.Augmented(target=target):
                _assigned([target], node, changes)
                _filled(target, node, changes)
            case ir.Annotated(target=target) | ir.For(target=target):
                _assigned([target], node, changes)
            case ir.Call(func=ir.Attribute(value=owner, name=name)):
                changes.called.add(name)
                if name in CHANGING:
                    _filled(owner, node, changes)
            case ir.Call(func=ir.Name(id=name)):
                changes.called.add(name)
        if isinstance(inner, ir.Call) and inner.args and _called(inner) in CHANGING_FIRST:
            _filled(inner.args[0].value, node, changes)
    return changes


def _called(node: ir.Call) -> str:
    """The last part of the name of what is called."""
    match node.func:
        case ir.Attribute(name=name) | ir.Name(id=name):
            return name
    return ""


def _assigned(targets: Iterable[ir.Expr], node: ir.FunctionDef | ir.Lambda, changes: Changes) -> None:
    for target in targets:
        match target:
            case ir.Attribute() if (path := _path(target)) is not None:
                changes.assigned.add(path)
            case ir.Subscript(value=owner):
                _filled(owner, node, changes)
            case ir.Display(items=items):
                _assigned(items, node, changes)
            case ir.Starred(value=inner):
                _assigned([inner], node, changes)
            case ir.Name(id=name) if name not in node.bound:
                changes.outer.add(name)


def _filled(owner: ir.Expr, node: ir.FunctionDef | ir.Lambda, changes: Changes) -> None:
    while isinstance(owner, ir.Subscript):
        owner = owner.value
    path = _path(owner)
    if path is not None:
        changes.filled.add(path)
    if isinstance(owner, ir.Name) and owner.id not in node.bound:
        changes.outer.add(owner.id)


def _path(node: ir.Expr) -> Path | None:
    names: list[str] = []
    while isinstance(node, ir.Attribute):
        names.append(node.name)
        node = node.value
    return tuple(reversed(names)) if isinstance(node, ir.Name) else None
