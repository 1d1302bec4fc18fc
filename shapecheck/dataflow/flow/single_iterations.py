"""Single iterations of a loop besides the first: the second, where the first has changed shapes, and the last, whose
item may differ from the others, as the last batch of a dataset does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.containers.last_item import last_item
from shapecheck.dataflow.paths.feasibility import tolerate_occasional_clashes
from shapecheck.dataflow.paths.truncated_slices import may_be_truncated
from shapecheck.dataflow.state.frame import Frame, Iteration, Loop
from shapecheck.dataflow.state.heap import Delta
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
    """Return the items of which a loop certainly has an iteration, and that differ from `later` ones."""
    distinct = last_item(t, iterable)
    return (
        [distinct]
        if distinct is not None and (may_be_truncated(t, number) or _is_informative(t, distinct, later))
        else []
    )


def _is_informative(t: Tracer, distinct: Value, later: Value) -> bool:
    """Return whether another iteration is informative: for another array, or a number that may exceed a bound."""
    counters = [part.size for part in walk(later) if isinstance(part, Int)]
    if any(isinstance(part, Tensor) for part in (*walk(distinct), *walk(later))):
        return True
    return any(may_be_truncated(t, size) or bounds_with_counters(size)[0] is None for size in counters)


def count_iterations(t: Tracer, test: ir.Expr, frame: Frame, number: Size) -> Size | None:
    """Return the number of iterations of a `while` that compares a counter with a limit, or None.

    Both sides are evaluated in the state of iteration `number`.
    """
    if not isinstance(test, ir.Compare) or len(test.ops) != 1 or test.ops[0] not in ("<", "<=", ">", ">="):
        return None
    left, right = as_size(t.evaluate(test.left, frame)), as_size(t.evaluate(test.rights[0], frame))
    if left is None or right is None:
        return None
    remaining = (right - left if "<" in test.ops[0] else left - right) + ("=" in test.ops[0])
    initial = substitute(remaining, dict.fromkeys(symbols(number), 0))
    rate = substitute(remaining, dict.fromkeys(symbols(number), 1)) - initial
    if not isinstance(initial, int) or not isinstance(rate, int) or rate >= 0 or remaining != initial + number * rate:
        return None
    return ceildiv(max(0, initial), -rate)


def has_other_shapes(t: Tracer, changes: Delta) -> bool:
    """Return whether the first iteration of a loop gives a variable an array of another shape than before."""
    return any(
        isinstance(before := t.heap.get(cell), Tensor) and isinstance(value, Tensor) and _differ(before, value)
        for cell, value in changes.items()
    )


def _differ(before: Tensor, after: Tensor) -> bool:
    """Return whether the known shapes of two arrays differ by more than by what grows."""
    if before.shape.tail is not None or after.shape.tail is not None:
        return False
    if len(before.shape.head) != len(after.shape.head):
        return True
    pairs = zip(before.shape.head, after.shape.head, strict=True)
    return any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)


def trace_single_iterations(
    t: Tracer, bodies: list[Callable[[], bool]], restore: Callable[[], None], frame: Frame, start: Lost
) -> None:
    """Trace the body again for each item, in the state before it, which `restore` sets.

    `start` is a lost value as old as the loop. Findings are dropped in a generator, whose caller need not use the last
    item.
    """
    for body in bodies:
        mark, path = t.heap.mark(), t.path
        begin, returns = len(t.clashes), len(frame.returns)
        frame.loops.append(Loop(mark, Iteration.LAST))
        try:
            with tolerate_occasional_clashes(t, start) as starts:
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
