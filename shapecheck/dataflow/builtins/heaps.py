"""Lists that functions keep in an order of their own: heaps, and what `bisect` puts in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.dataflow.builtins.registry import Args, Named, builtin
from shapecheck.source import Place
from shapecheck.values import NONE, Bound, Many, Ref, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@builtin("heapq.heappush", "bisect.insort", "bisect.insort_left", "bisect.insort_right")
def put_in(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    if len(args) > 1:
        t.context.call(Bound(args[0], "append"), [args[1]])
        _mix(t, args[0])
    return NONE


@builtin("heapq.heapify")
def heapify(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    _mix(t, args[0])
    return NONE


@builtin("heapq.heappop")
def take_out(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    _mix(t, args[0])
    return t.context.call(Bound(args[0], "pop"), [])


@builtin("heapq.heapreplace", "heapq.heappushpop")
def replace(t: Tracer, args: Args, named: Named, place: Place) -> Value:
    put_in(t, args, named, place)
    return take_out(t, args, named, place)


def _mix(t: Tracer, owner: Value) -> None:
    """Forgets which item of a list is which."""
    contents = t.contents(owner) if isinstance(owner, Ref) and owner.cls == "list" else None
    if isinstance(owner, Ref) and isinstance(contents, Seq) and contents.items:
        t.set_contents(owner, Many("list", t.context.element(contents), len(contents.items)))
