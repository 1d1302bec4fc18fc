"""Functions that an operation of a graph calls, such as the arms of a condition: their tensors exist only inside."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.stages.loop_state import LoopStates
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.stage import INNER
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import Tensor, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def call_inside(t: Tracer, function: Value, given: Arguments) -> Value:
    """Return the result of a function inside an operation; tensors that it leaves in older objects are out of scope."""
    if t.stage.is_eager:
        return t.call(function, given)
    mark, newest, steps = t.heap.mark(), t.heap.address(), len(t.graph.steps)
    result = t.call(function, given)
    for (address, key), value in t.heap.since(mark).items():
        if value is None or not 0 < address < newest or not isinstance(key, str) or key.startswith(("@", "_")):
            continue
        left = _left(value, steps)
        if left != value:
            t.heap.set((address, key), left)
            t.component(LoopStates).has_leaks = True
    return result


def _left(value: Value, since: int) -> Value:
    """Return a value outside of the function, with the tensors of steps since then as out of scope."""
    if isinstance(value, Tensor):
        is_inner = value.trace and value.step > since and value.role in ("tensor", "run-time")
        return replace(value, trace=INNER) if is_inner else value
    return map_children(value, lambda part: _left(part, since))
