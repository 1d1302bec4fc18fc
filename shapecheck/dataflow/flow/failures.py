"""Statements in which failures are tolerated, and every path fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.frame import Frame

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def run_past_failures(t: Tracer, frame: Frame, run: Callable[[], bool]) -> bool:
    """Run a statement in which failures may be tolerated; return whether control reaches its end.

    If no path reaches it, and none leaves by `return` or a jump, the statement is run again, and continues after
    failing operations: the analysis may not know which path the program takes.
    """
    endings = t.component(Endings)
    if t.tolerance or endings.goes_on:
        return run()
    mark, path = t.heap.mark(), t.path
    failures, clashes, exits = endings.failures, len(t.clashes), exit_count(frame)
    if run():
        return True
    if endings.failures == failures or exit_count(frame) > exits:
        return False
    t.heap.rollback(mark)
    t.path = path
    del t.clashes[clashes:]
    endings.goes_on = True
    try:
        return run()
    finally:
        endings.goes_on = False


def exit_count(frame: Frame) -> int:
    """Return the number of exits from a function and its loops so far, other than by an exception."""
    return len(frame.returns) + sum(len(loop.breaks) + len(loop.continues) for loop in frame.loops)
