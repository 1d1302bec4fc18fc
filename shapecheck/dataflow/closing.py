"""The last trip of a loop over something that tells that its last item differs from the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.frame import Frame, Loop, PathEnds
from shapecheck.dataflow.traces import inside
from shapecheck.values import NONE, Ref, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def last_item(t: Tracer, iterable: Value) -> Value | None:
    """The last item, for a program that takes all of them; None where it is like the others."""
    if not isinstance(iterable, Ref) or iterable.cls in ("list", "dict", "set", "user"):
        return None
    method = t.context.get(iterable, "__last__")
    item = None if method is None else t.call_now(method, [])
    return None if item == NONE else item


def last_trip(
    t: Tracer, node: ir.For, iterable: Value, body: Callable[[Value], Callable[[], bool]], frame: Frame
) -> None:
    """Runs the body once more for the last item, unless the program may leave the loop before."""
    if any(isinstance(part, (ir.Return, ir.Raise, ir.Yield)) or _is_break(part) for part in inside(node.body)):
        return
    item = last_item(t, iterable)
    if item is None:
        return
    mark, facts, guards = t.store.mark(), t.facts, t.guards
    frame.loops.append(Loop(mark))
    try:
        body(item)()
    except PathEnds:
        pass
    finally:
        frame.loops.pop()
        t.store.undo(mark)
        t.facts, t.guards = facts, guards


def _is_break(node: ir.Node) -> bool:
    return isinstance(node, ir.Jump) and node.kind == "break"
