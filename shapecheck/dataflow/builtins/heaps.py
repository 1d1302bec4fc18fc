"""Lists that functions keep in an order of their own: heaps, and what `bisect` puts in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import builtin
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import NONE, BoundLibraryMethod, HomogeneousSeq, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("heapq.heappush", "bisect.insort", "bisect.insort_left", "bisect.insort_right")
def put_in(t: Tracer, call: Arguments) -> Value:
    if len(call.args) > 1:
        t.call_here(BoundLibraryMethod(call.args[0], "append"), [call.args[1]])
        _mix(t, call.args[0])
    return NONE


@builtin("heapq.heapify")
def heapify(t: Tracer, call: Arguments) -> Value:
    _mix(t, call.args[0])
    return NONE


@builtin("heapq.heappop")
def take_out(t: Tracer, call: Arguments) -> Value:
    _mix(t, call.args[0])
    return t.call_here(BoundLibraryMethod(call.args[0], "pop"), [])


@builtin("heapq.heapreplace", "heapq.heappushpop")
def replace(t: Tracer, call: Arguments) -> Value:
    put_in(t, call)
    return take_out(t, call)


def _mix(t: Tracer, owner: Value) -> None:
    """Forgets which item of a list is which."""
    contents = t.contents(owner) if isinstance(owner, Ref) and owner.cls == "list" else None
    if isinstance(owner, Ref) and isinstance(contents, Seq) and contents.items:
        t.set_contents(owner, HomogeneousSeq("list", iteration.element(t, contents), len(contents.items)))
