"""The last trip of a loop whose last item differs from the others, as the last batch of a data set does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.containers.last_item import last_item
from shapecheck.dataflow.paths.feasibility import doubt_iterations
from shapecheck.dataflow.paths.truncated_slices import may_be_truncated
from shapecheck.dataflow.state.frame import Frame, Iteration, Loop
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import (
    Int,
    Lost,
    Tensor,
    Value,
    as_size,
    walk,
)
from shapecheck.shapes.size import Size, bounds_with_counters, ceildiv, substitute, symbols

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def last_items(t: Tracer, iterable: Value, later: Value, number: Size) -> list[Value]:
    """The items that a loop over all of them certainly meets and that differ from what `later` ones look like."""
    distinct = last_item(t, iterable)
    return [distinct] if distinct is not None and (may_be_truncated(t, number) or _matters(t, distinct, later)) else []


def _matters(t: Tracer, distinct: Value, later: Value) -> bool:
    """Whether another trip tells more: for an array of another shape, or a number that a slice may end beyond."""
    counters = [part.size for part in walk(later) if isinstance(part, Int)]
    if any(isinstance(part, Tensor) for part in (*walk(distinct), *walk(later))):
        return True
    return any(may_be_truncated(t, size) or bounds_with_counters(size)[0] is None for size in counters)


def count_iterations(t: Tracer, test: ir.Expr, frame: Frame, number: Size) -> Size | None:
    """How many trips a `while` takes that compares a counter with a limit, from their values on trip number `turn`."""
    if not isinstance(test, ir.Compare) or len(test.ops) != 1 or test.ops[0] not in ("<", "<=", ">", ">="):
        return None
    left, right = as_size(t.evaluate(test.left, frame)), as_size(t.evaluate(test.rights[0], frame))
    if left is None or right is None:
        return None
    room = (right - left if "<" in test.ops[0] else left - right) + ("=" in test.ops[0])
    at_first = substitute(room, dict.fromkeys(symbols(number), 0))
    pace = substitute(room, dict.fromkeys(symbols(number), 1)) - at_first
    if not isinstance(at_first, int) or not isinstance(pace, int) or pace >= 0 or room != at_first + number * pace:
        return None
    return ceildiv(max(0, at_first), -pace)


def trace_last_iteration(
    t: Tracer, bodies: list[Callable[[], bool]], restore: Callable[[], None], frame: Frame, start: Lost
) -> None:
    """Runs the body once more for each last item, in the state before it, which `restore` makes; the loop began
    `now`.  Who asks a generator for items need not take the last."""
    for body in bodies:
        mark, path = t.heap.mark(), t.path
        begin, returns = len(t.clashes), len(frame.returns)
        frame.loops.append(Loop(mark, Iteration.LAST))
        try:
            with doubt_iterations(t, start) as starts:
                starts += [begin, begin]
                restore()
                body()
        except PathEnds:
            pass
        finally:
            frame.loops.pop()
            del frame.returns[returns:]
            t.heap.undo(mark)
            t.path = path
        if frame.yields:
            del t.clashes[begin:]
