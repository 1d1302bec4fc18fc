"""Fixed points: a state that holds on every iteration of a loop, and the state after the loop that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.flow.loop_changes import LoopChanges
from shapecheck.dataflow.flow.loop_exits import all_exits, join_at, leave
from shapecheck.dataflow.flow.made_in_loops import Made
from shapecheck.dataflow.flow.single_iterations import has_other_shapes, trace_single_iterations
from shapecheck.dataflow.flow.widening import (
    after_iterations,
    after_the_first,
    changed,
    changing_numbers,
    compare,
    depends_on_iterations,
    widen_all,
)
from shapecheck.dataflow.paths.feasibility import REPEATED, tolerate_occasional_clashes
from shapecheck.dataflow.stages.unrolling import PythonLoop
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.frame import Frame, Iteration, Loop
from shapecheck.dataflow.state.heap import Cell, Delta, is_note
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.running_loops import RunningLoop, RunningLoops
from shapecheck.domain.freshen import Freshening
from shapecheck.domain.values import (
    Lost,
    Value,
)
from shapecheck.shapes.size import Expr, Kind, Size, fresh

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_WIDENINGS = 4


@dataclass(frozen=True, slots=True)
class Body:
    """A loop as the fixed point sees it: its statement, and how its iterations are traced.

    `first` runs the body for a first iteration that differs from `later` ones. `count` returns the number of iterations
    for the number of the present one, and `last` the bodies of last iterations to trace separately. `start` is a lost
    value as old as the loop; `item` is the item of each iteration. An `endless` loop ends only by `break`; a `certain`
    one has a first iteration. One that `is_python` is run by Python, whatever AutoGraph converts; `copies` are those
    that a graph gets of the body while it is built.
    """

    node: ir.For | ir.While
    first: Callable[[], bool] | None
    later: Callable[[], bool]
    count: Callable[[Size], Size | None]
    last: Callable[[Size], list[Callable[[], bool]]]
    start: Lost
    item: Value | None = None
    endless: bool = False
    certain: bool = False
    is_python: bool = False
    copies: PythonLoop | None = None


def fixed_point(t: Tracer, body: Body, frame: Frame) -> bool:
    """Find a state that holds on every iteration, then continue after the loop with it."""
    changes = t.component(LoopChanges)
    if changes.are_known(body.node) and t.budget.is_wasted_on(changes.steps_of(body.node)):
        return _pass_over(t, body, frame)
    return _follow(t, body, frame)


def _follow(t: Tracer, body: Body, frame: Frame) -> bool:
    """Trace iterations until a state holds on every one, then continue after the loop with it."""
    path, begin = t.path, t.budget.fuel
    present = Iteration.FIRST if body.certain else Iteration.ANY
    loop = Loop(t.heap.mark(), present, is_python=body.is_python, guards=path.guards)
    frame.loops.append(loop)
    returns = len(frame.returns)
    number = fresh("k", Kind.LOST, why="number of iterations so far")
    made = Made(t.heap.address(), len(t.graph.steps))
    summary = RunningLoop(made.newest, body.start.serial, len(t.graph.steps), True, set(number.symbols()))
    summary.note_item(body.item)
    with tolerate_occasional_clashes(t, body.start, body.item) as starts, t.component(RunningLoops).running(summary):
        starts.append(len(t.clashes))
        peeled, alive = _trace_iteration(t, loop, body.first or body.later)
        once = t.budget.fuel
        broke, loop.iteration = bool(loop.breaks), Iteration.ANY
        once_more = peeled if alive and not broke else {}
        made.note(peeled)
        widened = widen_all(t, peeled, number, made)
        summary.scalars |= changing_numbers(t, peeled, widened)
        stable = body.first is None and not any(changed(t.heap.get(cell), value) for cell, value in peeled.items())
        final, widenings = peeled, 0
        while not stable and alive and widenings < MAX_WIDENINGS and not t.budget.is_wasted_on(begin - t.budget.fuel):
            del starts[1:], frame.returns[returns:]
            starts.append(len(t.clashes))
            loop.breaks = []
            t.path = path
            _set_widened(t, widened, made)
            final, alive = _trace_iteration(t, loop, body.later)
            t.heap.rollback(loop.mark)
            made.note(final)
            stable, widened = compare(t, widened, final, number, made)
            widenings += 1
    t.component(LoopChanges).note(body.node, frame, widened, begin - t.budget.fuel)
    t.budget.forgive(begin, once - t.budget.fuel)
    if not stable and alive and widenings < MAX_WIDENINGS:
        del frame.returns[returns:]
        frame.loops.pop()
        t.path = path
        return _pass_over(t, body, frame)
    frame.loops.pop()
    t.path = path
    if not alive and not loop.breaks:
        return not body.endless
    final = {**(final if stable else widened), **{cell: widened[cell] for cell in widened if made.holds(cell)}}
    total = _total_iterations(t, body, widened, number, made)
    if body.copies is not None:
        body.copies.total = total
    if stable and alive and not (broke or loop.breaks or len(frame.returns) > returns):
        before = None if total is None else total - 1
        restore = partial(_set_state_after, t, final, widened, before, number, body.start)
        trace_single_iterations(t, body.last(number), restore, frame, body.start)
    _trace_second_iteration(t, body, once_more, total, frame)
    if body.certain:
        widened = {cell: after_the_first(value) for cell, value in widened.items()}
    _set_state_after(t, final, widened, total, number, body.start)
    if body.endless:
        t.component(Endings).note("a loop without an end", t.place)
        return join_at(t, loop.mark, loop.breaks, path)
    return leave(t, loop, True, path)


def _trace_second_iteration(t: Tracer, body: Body, peeled: Delta, total: Size | None, frame: Frame) -> None:
    """Trace the second iteration of a loop, in the state that the first one leaves, if that has other shapes."""
    if total not in (0, 1) and t.stage.is_eager and has_other_shapes(t, peeled):
        trace_single_iterations(t, [body.later], partial(t.heap.apply, peeled), frame, body.start)


def _pass_over(t: Tracer, body: Body, frame: Frame) -> bool:
    """Trace an iteration of a loop that has been followed before, then continue with all that it changes unknown.

    It is traced again with what it changes unknown while that changes more, as what an iteration does once another one
    has set a variable, and with what it leaves the loop by `break` or `return`.
    """
    path, clashes, returns = t.path, len(t.clashes), len(frame.returns)
    loop = Loop(t.heap.mark(), Iteration.ANY, is_python=body.is_python, guards=path.guards)
    frame.loops.append(loop)
    t.budget.exhausted += 1
    changes: Delta = {}
    new = set(t.component(LoopChanges).of(body.node, frame))
    summary = RunningLoop(t.heap.address(), body.start.serial, len(t.graph.steps), is_summary=True)
    summary.note_item(body.item)
    with t.component(RunningLoops).running(summary):
        for _ in range(MAX_WIDENINGS):
            _forget(t, new)
            del frame.returns[returns:]
            loop.breaks, t.path = [], path
            more, _ = _trace_iteration(t, loop, body.later)
            new = {cell for cell in more if not isinstance(t.heap.get(cell), Lost | None) and not _is_mark(cell)}
            changes = {**changes, **more}
            if not new:
                break
    frame.loops.pop()
    del t.clashes[clashes:]  # those of one iteration may be of some iterations only
    for step in t.graph.steps[summary.steps :]:
        step.replayed = True
    t.path = path
    t.component(LoopChanges).add(body.node, frame, changes)
    for cell, value in changes.items():
        is_kept = cell[0] > summary.newest or _is_mark(cell)
        t.heap.set(cell, value if value is not None and is_kept else t.lost(REPEATED))
    if body.endless:
        return join_at(t, loop.mark, loop.breaks, path)
    return leave(t, loop, True, path)


def _forget(t: Tracer, cells: Iterable[Cell]) -> None:
    """Forget the values that are there before an iteration."""
    for cell in cells:
        if t.heap.get(cell) is not None and not _is_mark(cell):
            t.heap.set(cell, t.lost(REPEATED))


def _is_mark(cell: Cell) -> bool:
    """Return whether a cell is a note of the analysis about an object, which no program sees."""
    return is_note(cell) or (isinstance(cell[1], str) and not cell[1].isidentifier())


def _set_widened(t: Tracer, widened: dict[Cell, Value], made: Made) -> None:
    """Set the state at the beginning of any iteration."""
    t.heap.apply({cell: v for cell, v in widened.items() if t.heap.get(cell) or made.holds(cell)})


def _total_iterations(t: Tracer, body: Body, widened: dict[Cell, Value], number: Size, made: Made) -> Size | None:
    """Return the number of iterations, computed in the widened state."""
    mark = t.heap.mark()
    _set_widened(t, widened, made)
    try:
        return body.count(number)
    except PathEnds:
        return None
    finally:
        t.heap.rollback(mark)


def _trace_iteration(t: Tracer, loop: Loop, run: Callable[[], bool]) -> tuple[Delta, bool]:
    """Trace one iteration from the present state; return its changes after undoing them."""
    loop.continues = []
    mark, path = t.heap.mark(), t.path
    try:
        alive = run()
    except PathEnds:
        alive = False
    if loop.continues:
        alive = join_at(t, mark, all_exits(t, loop, loop.continues, alive), path)
    return t.heap.undo(mark), alive


def _set_state_after(
    t: Tracer,
    final: Delta | dict[Cell, Value],
    widened: dict[Cell, Value],
    total: Size | None,
    number: Expr,
    start: Lost,
) -> None:
    """Set the state after the loop.

    Counters get their value after the known number of iterations. An unknown at the end of an iteration is another one
    than at its beginning, where it was tested.
    """
    count = total if total is not None else fresh("k", Kind.LOST, why="number of iterations of a loop")
    at_end = Freshening((next(iter(number.symbols())), start))
    for cell, value in widened.items():
        if cell not in final and t.heap.get(cell) is None:
            continue
        if depends_on_iterations(value, number):
            t.heap.set(cell, after_iterations(value, number, count))
            continue
        last = final.get(cell)
        t.heap.set(cell, at_end.value(value) if last is None or t.heap.get(cell) is not None else last)
