"""Havoc: forget the state that an unanalysed call may modify."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.havoc.function_effects import Changes, Path, changes_of
from shapecheck.dataflow.objects.aliases import candidates
from shapecheck.dataflow.objects.array_mutation import overwrite
from shapecheck.dataflow.objects.mro import mro
from shapecheck.dataflow.paths.feasibility import HAVOC
from shapecheck.dataflow.state.frame import Definition, Frame
from shapecheck.domain.values import CONTAINERS, Class, Function, Ref, Tensor, Value, walk

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MOST_FUNCTIONS = 40


class Havoc:
    """What functions change, read once for each."""

    def __init__(self) -> None:
        self._own: dict[int, Changes] = {}
        self._whole: dict[tuple[int, ...], Changes] = {}

    def forget(self, t: Tracer, code: Function, args: Sequence[Value]) -> None:
        """Loses what a call with these arguments may have changed."""
        parts = [part for arg in args for part in walk(arg)]
        refs = [ref for part in parts for ref in ((part,) if isinstance(part, Ref) else candidates(t, part))]
        classes = [cls for ref in refs if isinstance(cls := t.heap.get((ref.address, "__class__")), Class)]
        changes = self._changes(t, code, classes)
        for ref in dict.fromkeys(refs):
            _forget_in(t, ref, changes)
        if () in changes.filled:
            for array in (part for part in parts if isinstance(part, Tensor)):
                overwrite(t, array)
        frame = t.functions[code.key].frame
        for name in changes.outer:
            _forget_variable(t, frame, name)

    def assigned(self, definition: Definition) -> set[str]:
        """The attributes that a function itself assigns, of whatever object."""
        return {path[0] for path in self._of(definition).assigned if len(path) == 1}

    def _changes(self, t: Tracer, code: Function, classes: Iterable[Class]) -> Changes:
        """What the function and those that it calls change."""
        key = (code.key, *dict.fromkeys(cls.address for cls in classes))
        if key not in self._whole:
            first = self._of(t.functions[code.key])
            whole = Changes(outer=first.outer)
            for definition in self._reached(t, t.functions[code.key], classes):
                whole.add(self._of(definition))
            self._whole[key] = whole
        return self._whole[key]

    def _reached(self, t: Tracer, first: Definition, classes: Iterable[Class]) -> list[Definition]:
        reached = [first]
        for definition in reached:  # which grows
            for name in sorted(self._of(definition).called):
                found = [t.functions[code.key] for code in _functions(t, name, definition.frame, classes)]
                reached += [each for each in found if each not in reached]
            if len(reached) > MOST_FUNCTIONS:
                break
        return reached

    def _of(self, definition: Definition) -> Changes:
        node = definition.node
        if id(node) not in self._own:
            self._own[id(node)] = changes_of(node)
        return self._own[id(node)]


def _functions(t: Tracer, name: str, frame: Frame, classes: Iterable[Class]) -> Iterator[Function]:
    """The functions that a call by name may mean: of the scopes around, or of the classes."""
    addresses = [scope.address for scope in _scopes(frame)]
    addresses += [base.address for cls in classes for base in mro(t, cls) if isinstance(base, Class)]
    for address in dict.fromkeys(addresses):
        value = t.heap.get((address, name))
        if isinstance(value, Function):
            yield value


def _scopes(frame: Frame) -> Iterator[Frame]:
    scope: Frame | None = frame
    while scope is not None:
        yield scope
        scope = scope.parent


def _forget_in(t: Tracer, ref: Ref, changes: Changes) -> None:
    if ref.cls in CONTAINERS:
        if () in changes.filled:
            t.set_contents(ref, t.lost(HAVOC))
        return
    for path in changes.assigned:
        owner = _at(t, ref, path[:-1])
        if owner is not None and owner.cls == "user":
            t.heap.set((owner.address, path[-1]), t.lost(HAVOC))
    for path in changes.filled:
        held = _at(t, ref, path)
        if held is not None and held.cls in CONTAINERS:
            t.set_contents(held, t.lost(HAVOC))


def _at(t: Tracer, ref: Ref, path: Path) -> Ref | None:
    """The object or container that attributes lead to."""
    for name in path:
        value = t.heap.get((ref.address, name))
        if not isinstance(value, Ref):
            return None
        ref = value
    return ref


def _forget_variable(t: Tracer, frame: Frame, name: str) -> None:
    for scope in _scopes(frame):
        value = t.heap.get((scope.address, name))
        if isinstance(value, Ref) and value.cls in CONTAINERS:
            t.set_contents(value, t.lost(HAVOC))
        elif value is not None and not isinstance(value, Ref | Function | Class):
            t.heap.set((scope.address, name), t.lost(HAVOC))
        if value is not None:
            return
