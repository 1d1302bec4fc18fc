"""Functions that keep lists in an order: `heapq` and `bisect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import NONE, BoundLibraryMethod, HomogeneousSeq, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("heapq.heappush", "bisect.insort", "bisect.insort_left", "bisect.insort_right")
def heappush(t: Tracer, call: Arguments) -> Value:
    """Add an item at an unknown position."""
    if len(call.args) > 1:
        t.call_here(BoundLibraryMethod(call.args[0], "append"), [call.args[1]])
        _forget_order(t, call.args[0])
    return NONE


@builtin("heapq.heapify")
def heapify(t: Tracer, call: Arguments) -> Value:
    _forget_order(t, call.args[0])
    return NONE


@builtin("heapq.heappop")
def heappop(t: Tracer, call: Arguments) -> Value:
    """Return and remove an item of unknown position."""
    _forget_order(t, call.args[0])
    return t.call_here(BoundLibraryMethod(call.args[0], "pop"), [])


@builtin("heapq.heapreplace", "heapq.heappushpop")
def heapreplace(t: Tracer, call: Arguments) -> Value:
    """Add an item, then remove one."""
    heappush(t, call)
    return heappop(t, call)


def _forget_order(t: Tracer, owner: Value) -> None:
    """Forget the order of the items of a list."""
    contents = t.contents(owner) if isinstance(owner, Ref) and owner.cls == "list" else None
    if isinstance(owner, Ref) and isinstance(contents, Seq) and contents.items:
        t.set_contents(owner, HomogeneousSeq("list", iteration.element(t, contents), len(contents.items)))
