"""What a call that is not followed may change: attributes and containers that it could reach are lost.

Found by reading the body of the function and of those that it calls, as far as names tell which they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow import objects
from shapecheck.dataflow.frame import Definition, Frame
from shapecheck.dataflow.overwriting import overwrite
from shapecheck.dataflow.traces import inside
from shapecheck.values import Class, Code, Ref, Tensor, Value, walk

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

Path: TypeAlias = tuple[str, ...]  # the attributes that lead from a name to something
CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard appendleft".split()
)
CHANGING_FIRST = frozenset(
    "heappush heappop heapify heapreplace heappushpop insort insort_left insort_right shuffle".split()
)
"""Functions that change their first argument."""
REASON = "what a call that was not followed may have changed"
IDLE = "call that tells nothing"
TOO_DEEP = "recursion or very deep calls"
UNFOLLOWED = frozenset({REASON, IDLE, TOO_DEEP})
"""Why a value is lost that another budget would have followed."""

MOST_FUNCTIONS = 40


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


class Effects:
    """What functions change, read once for each."""

    def __init__(self) -> None:
        self._own: dict[int, Changes] = {}
        self._whole: dict[tuple[int, ...], Changes] = {}

    def forget(self, t: Tracer, code: Code, args: Sequence[Value]) -> None:
        """Loses what a call with these arguments may have changed."""
        refs = [part for arg in args for part in walk(arg) if isinstance(part, Ref)]
        classes = [cls for ref in refs if isinstance(cls := t.store.get((ref.address, "__class__")), Class)]
        changes = self._changes(t, code, classes)
        for ref in dict.fromkeys(refs):
            _forget_in(t, ref, changes)
        if () in changes.filled:
            for array in (part for arg in args for part in walk(arg) if isinstance(part, Tensor)):
                overwrite(t, array)
        frame = t.definitions[code.key].frame
        for name in changes.outer:
            _forget_variable(t, frame, name)

    def assigned(self, definition: Definition) -> set[str]:
        """The attributes that a function itself assigns, of whatever object."""
        return {path[0] for path in self._of(definition).assigned if len(path) == 1}

    def _changes(self, t: Tracer, code: Code, classes: Iterable[Class]) -> Changes:
        """What the function and those that it calls change."""
        key = (code.key, *dict.fromkeys(cls.address for cls in classes))
        if key not in self._whole:
            first = self._of(t.definitions[code.key])
            whole = Changes(outer=first.outer)
            for definition in self._reached(t, t.definitions[code.key], classes):
                whole.add(self._of(definition))
            self._whole[key] = whole
        return self._whole[key]

    def _reached(self, t: Tracer, first: Definition, classes: Iterable[Class]) -> list[Definition]:
        reached = [first]
        for definition in reached:  # which grows
            for name in sorted(self._of(definition).called):
                found = [t.definitions[code.key] for code in _functions(t, name, definition.frame, classes)]
                reached += [each for each in found if each not in reached]
            if len(reached) > MOST_FUNCTIONS:
                break
        return reached

    def _of(self, definition: Definition) -> Changes:
        node = definition.node
        if id(node) not in self._own:
            self._own[id(node)] = _own_changes(node)
        return self._own[id(node)]


def _functions(t: Tracer, name: str, frame: Frame, classes: Iterable[Class]) -> Iterator[Code]:
    """The functions that a call by name may mean: of the scopes around, or of the classes."""
    addresses = [scope.address for scope in _scopes(frame)]
    addresses += [base.address for cls in classes for base in objects.mro(t, cls) if isinstance(base, Class)]
    for address in dict.fromkeys(addresses):
        value = t.store.get((address, name))
        if isinstance(value, Code):
            yield value


def _scopes(frame: Frame) -> Iterator[Frame]:
    scope: Frame | None = frame
    while scope is not None:
        yield scope
        scope = scope.parent


def _own_changes(node: ir.FunctionDef | ir.Lambda) -> Changes:
    changes = Changes()
    for inner in inside(node.body):
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


def _forget_in(t: Tracer, ref: Ref, changes: Changes) -> None:
    if ref.cls in objects.CONTAINERS:
        if () in changes.filled:
            t.set_contents(ref, t.lost(REASON))
        return
    for path in changes.assigned:
        owner = _at(t, ref, path[:-1])
        if owner is not None and owner.cls == "user":
            t.store.set((owner.address, path[-1]), t.lost(REASON))
    for path in changes.filled:
        held = _at(t, ref, path)
        if held is not None and held.cls in objects.CONTAINERS:
            t.set_contents(held, t.lost(REASON))


def _at(t: Tracer, ref: Ref, path: Path) -> Ref | None:
    """The object or container that attributes lead to."""
    for name in path:
        value = t.store.get((ref.address, name))
        if not isinstance(value, Ref):
            return None
        ref = value
    return ref


def _forget_variable(t: Tracer, frame: Frame, name: str) -> None:
    for scope in _scopes(frame):
        value = t.store.get((scope.address, name))
        if isinstance(value, Ref) and value.cls in objects.CONTAINERS:
            t.set_contents(value, t.lost(REASON))
        elif value is not None and not isinstance(value, Ref | Code | Class):
            t.store.set((scope.address, name), t.lost(REASON))
        if value is not None:
            return
