"""Havoc: forgetting the state that a call which is not analysed may modify."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shapecheck.dataflow.havoc.function_effects import FILLING_METHODS, AttributePath, Effects, effects_of
from shapecheck.dataflow.havoc.unfollowed import note_unfollowed
from shapecheck.dataflow.objects.aliases import candidates
from shapecheck.dataflow.objects.array_mutation import overwrite
from shapecheck.dataflow.objects.container_classes import forget_items, item_at
from shapecheck.dataflow.objects.mro import mro
from shapecheck.dataflow.paths.feasibility import HAVOC
from shapecheck.dataflow.state.frame import Definition, Frame
from shapecheck.domain.values import CONTAINERS, Class, Function, Library, ModuleValue, Ref, Tensor, Value, walk
from shapecheck.models.lang.settings import STATE_OF_METHODS
from shapecheck.shapes.size import Kind, Size, fresh, is_open

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_FUNCTIONS = 40
Outer = list[tuple[Frame, str]]
"""Variables of the scopes around functions, each with the innermost of these scopes."""


class Havoc:
    """The effects of functions, each read once."""

    def __init__(self) -> None:
        self._by_function: dict[int, Effects] = {}
        self._by_call: dict[tuple[int, ...], tuple[Effects, Outer]] = {}

    def havoc_call(self, t: Tracer, function: Function, args: Sequence[Value]) -> None:
        """Forget everything that a call with these arguments may have changed."""
        note_unfollowed(t)
        parts = [part for arg in args for part in walk(arg)]
        refs = [ref for part in parts for ref in ((part,) if isinstance(part, Ref) else candidates(t, part))]
        classes = [cls for ref in refs if isinstance(cls := t.heap.get((ref.address, "__class__")), Class)]
        changes, outer = self._call_effects(t, function, classes)
        distinct = dict.fromkeys(refs)
        t.budget.consume(len(distinct))
        for ref in distinct:
            _havoc_object(t, ref, changes)
            _havoc_library_objects(t, ref, changes)
        if () in changes.mutated:
            for array in (part for part in parts if isinstance(part, Tensor)):
                overwrite(t, array)
        for frame, name in outer:
            _havoc_variable(t, frame, name)

    def assigned(self, t: Tracer, definition: Definition) -> set[str]:
        """Return the attributes that a function itself assigns, of any object."""
        return {path[0] for path in self._own_effects(t, definition).assigned if len(path) == 1}

    def outer_effects(self, t: Tracer, definition: Definition) -> tuple[set[str], set[tuple[str, str]]]:
        """Return the variables of enclosing scopes that a function itself binds or mutates, and the attributes of such
        variables that it assigns."""
        own = self._own_effects(t, definition)
        return own.outer, own.outer_assigned

    def _call_effects(self, t: Tracer, function: Function, classes: Iterable[Class]) -> tuple[Effects, Outer]:
        """Return the effects of a function and of the functions that it may call, on objects and on variables."""
        key = (function.key, *dict.fromkeys(cls.address for cls in classes))
        if key not in self._by_call:
            total, outer = Effects(), []
            for definition in self._reachable(t, t.functions[function.key], classes):
                own = self._own_effects(t, definition)
                total.add(own)
                outer += [(definition.frame, name) for name in sorted(own.outer)]
            self._by_call[key] = total, outer
        return self._by_call[key]

    def _reachable(self, t: Tracer, first: Definition, classes: Iterable[Class]) -> list[Definition]:
        """Return a function and the functions that it may call."""
        reached = [first]
        for definition in reached:  # extended within the loop
            for name in sorted(self._own_effects(t, definition).called):
                found = [t.functions[function.key] for function in _functions(t, name, definition.frame, classes)]
                reached += [each for each in found if each not in reached]
            if len(reached) > MAX_FUNCTIONS:
                break
        return reached

    def _own_effects(self, t: Tracer, definition: Definition) -> Effects:
        """Return the effects of one function."""
        node = definition.node
        if id(node) not in self._by_function:
            self._by_function[id(node)] = effects_of(node, partial(_is_module, t, definition.frame))
        return self._by_function[id(node)]


def _functions(t: Tracer, name: str, frame: Frame, classes: Iterable[Class]) -> Iterator[Function]:
    """Yield the functions that a call by name may refer to: in enclosing scopes, or in the classes."""
    addresses = [scope.address for scope in scopes(frame)]
    addresses += [base.address for cls in classes for base in mro(t, cls) if isinstance(base, Class)]
    for address in dict.fromkeys(addresses):
        value = t.heap.get((address, name))
        if isinstance(value, Function):
            yield value


def _is_module(t: Tracer, frame: Frame, name: str) -> bool:
    """Return whether a variable of enclosing scopes is a module: `np.append` and `np.sort` are functions in it."""
    held = (value for scope in scopes(frame) if (value := t.heap.get((scope.address, name))) is not None)
    return isinstance(next(held, None), Library | ModuleValue)


def scopes(frame: Frame) -> Iterator[Frame]:
    """Yield a scope and those around it."""
    scope: Frame | None = frame
    while scope is not None:
        yield scope
        scope = scope.parent


def _havoc_object(t: Tracer, ref: Ref, changes: Effects) -> None:
    """Forget the state of an object that effects may have changed."""
    if ref.cls in CONTAINERS:
        if () in changes.mutated:
            t.set_contents(ref, t.lost(HAVOC))
        return
    if not changes.called.isdisjoint(FILLING_METHODS):
        forget_items(t, ref)  # which it may have from its class, and change through `super()`
    for path in changes.assigned:
        owner = _object_at(t, ref, path[:-1])
        if owner is not None and owner.cls == "user":
            t.heap.set((owner.address, path[-1]), t.lost(HAVOC))
            forget_items(t, owner)  # which its `__setattr__` may change
    for path in changes.mutated:
        _havoc_array(t, ref, path)
        container = t.container(_object_at(t, ref, path))
        if container is not None:
            t.set_contents(container, t.lost(HAVOC))


def _havoc_array(t: Tracer, ref: Ref, path: AttributePath) -> None:
    """Forget the open sizes of a variable in an attribute: an assignment may give it others."""
    owner = _object_at(t, ref, path[:-1])
    held = None if owner is None or not path else t.heap.get((owner.address, path[-1]))
    if isinstance(held, Tensor) and held.role == "variable" and any(map(is_open, held.shape.known)):
        t.refine(held, held.with_shape(held.shape.map(_anew)))


def _anew(size: Size) -> Size:
    return fresh("None", Kind.DYNAMIC, why="given as None") if is_open(size) else size


def _havoc_library_objects(t: Tracer, owner: Ref, changes: Effects) -> None:
    """Forget what library objects in attributes keep of methods that effects may have called."""
    for method in changes.called & STATE_OF_METHODS.keys():
        held = (value for _, value in t.heap.at(owner.address) if isinstance(value, Ref) and value.cls != "user")
        for ref in (owner, *held):
            for name in STATE_OF_METHODS[method]:
                if t.heap.get((ref.address, name)) is not None:
                    t.heap.set((ref.address, name), t.lost(HAVOC))


def _object_at(t: Tracer, ref: Ref, path: AttributePath) -> Ref | None:
    """Return the object or container at a path of attributes."""
    for name in path:
        value = t.heap.get((ref.address, name)) or item_at(t, ref, name)
        if not isinstance(value, Ref):
            return None
        ref = value
    return ref


def _havoc_variable(t: Tracer, frame: Frame, name: str) -> None:
    """Forget a variable of an enclosing scope, or the contents of a container in it."""
    for scope in scopes(frame):
        value = t.heap.get((scope.address, name))
        container = t.container(value)
        if container is not None:
            t.set_contents(container, t.lost(HAVOC))
        elif value is not None and not isinstance(value, Ref | Function | Class):
            t.heap.set((scope.address, name), t.lost(HAVOC))
        if value is not None:
            return
