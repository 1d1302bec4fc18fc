"""Joins of the exits of a branch, a loop, a function or a `try`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.dataflow.state.heap import Cell, is_note
from shapecheck.dataflow.state.path import Exit, PathState
from shapecheck.dataflow.state.traces import TraceKey
from shapecheck.domain.join import generalise
from shapecheck.domain.values import NONE, Class, Tensor, Value, walk

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_GUARDS = 64


def join_exits(t: Tracer, exits: Sequence[Exit], guards: Mapping[Value, bool]) -> Value:
    """Continue after one of several exits. The heap must be in the state where all of them began."""
    if len(exits) == 1:
        only = exits[0]
        t.heap.apply(only.delta)
        taken = {**guards, **only.path.guards} if len(guards) < MAX_GUARDS else guards
        t.path = PathState(only.path.facts, taken)
        return only.value
    extras = [tuple((c, side) for c, side in e.path.guards.items() if guards.get(c) is not side) for e in exits]
    cells = dict.fromkeys(cell for e in exits for cell in e.delta)
    for cell in cells:
        values = [e.delta[cell] if cell in e.delta else t.heap.get(cell) for e in exits]
        values = [_fallback(t, cell) if value is None else value for value in values]
        options = [(extra, value) for extra, value in zip(extras, values, strict=True) if value is not None]
        if options:
            t.heap.set(cell, t.join(options) if cell[0] else reduce(generalise, [v for _, v in options]))
        else:
            t.heap.delete(cell)
    common = exits[0].path.facts
    for e in exits[1:]:
        common = common.common(e.path.facts)
    t.path = PathState(common, guards)
    return t.join([(extra, e.value) for extra, e in zip(extras, exits, strict=True)])


def _fallback(t: Tracer, cell: Cell) -> Value | None:
    """Return the value of a cell on a path that did not set it.

    For an attribute of an instance it is that of its class; for a tensor that was not refined, the original tensor;
    for a trace that a function may lack, None. A note stays: mostly, only that path has made what it is about.
    """
    if isinstance(cell[1], TraceKey):
        return NONE
    if is_note(cell):
        return None
    if isinstance(cell[1], tuple):
        step, output = cell[1]
        made = t.graph[step].result
        tensors = [v for v in walk(made) if isinstance(v, Tensor)] if made is not None else []
        return next((v for v in tensors if (v.step, v.output) == (step, output)), None)
    cls = t.heap.get((cell[0], "__class__"))
    if not isinstance(cls, Class) or not isinstance(cell[1], str):
        return None
    return class_attribute(t, cls, cell[1])
