"""Statements that tolerate operations which fail, where every path through them ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.frame import Frame

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def past_failures(t: Tracer, frame: Frame, run: Callable[[], bool]) -> bool:
    """Run a statement some of whose paths tolerate operations that fail; return whether control reaches its end.

    Where no path does, and none leaves it by `return` or a jump, it is run again and goes on behind what fails: it may
    well be we who do not know which path the program takes.
    """
    endings = t.component(Endings)
    if t.tolerance or endings.goes_on:
        return run()
    mark, path = t.heap.mark(), t.path
    failures, clashes, ways = endings.failures, len(t.clashes), ways_out(frame)
    if run():
        return True
    if endings.failures == failures or ways_out(frame) > ways:
        return False
    t.heap.rollback(mark)
    t.path = path
    del t.clashes[clashes:]
    endings.goes_on = True
    try:
        return run()
    finally:
        endings.goes_on = False


def ways_out(frame: Frame) -> int:
    """Return how often a function or a loop was left so far, other than by an exception."""
    return len(frame.returns) + sum(len(loop.breaks) + len(loop.continues) for loop in frame.loops)
