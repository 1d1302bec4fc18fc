"""Loops: unrolled where the iterations are known and few; otherwise the first iteration, then a fixed point.

A variable that grows by the same amount on every iteration (a counter, a list that is appended to) keeps its exact
value after a known number of iterations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.flow.fixed_point import Body, fixed_point
from shapecheck.dataflow.flow.loop_changes import LoopChanges
from shapecheck.dataflow.flow.loop_exits import all_exits, join_at, leave
from shapecheck.dataflow.flow.single_iterations import count_iterations, last_items
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.paths.feasibility import Feasibility, OpenLoop, tolerate_occasional_clashes
from shapecheck.dataflow.paths.narrowing import assume
from shapecheck.dataflow.paths.truncated_slices import may_be_truncated
from shapecheck.dataflow.paths.truth import truth
from shapecheck.dataflow.stages.autograph import (
    GraphLoop,
    check_condition,
    check_returns_from,
    check_test,
    graph_loop,
)
from shapecheck.dataflow.stages.checks import require_iterable, require_value
from shapecheck.dataflow.stages.entering import as_row
from shapecheck.dataflow.stages.graph_state import is_graph_test
from shapecheck.dataflow.stages.loop_state import watched_lists
from shapecheck.dataflow.stages.unrolling import PythonLoop, unrolled
from shapecheck.dataflow.state.frame import Frame, Iteration, Loop
from shapecheck.dataflow.state.path import PathEnds, PathState
from shapecheck.dataflow.state.running_loops import RunningLoop, RunningLoops
from shapecheck.domain.values import (
    TRUE,
    Const,
    HomogeneousSeq,
    Lost,
    Range,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    of_size,
)
from shapecheck.shapes.facts import AtLeast
from shapecheck.shapes.size import Size, bounds_with_counters, is_lost
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_UNROLLED = 24
MAX_UNROLLED_WORK = 4000


# --- for -------------------------------------------------------------------------------------------------------------


def for_(t: Tracer, node: ir.For, frame: Frame) -> bool:
    """Trace a `for` statement; return whether control reaches its end."""
    with t.budget.charging((frame.source, node.start, "for")):
        return _for(t, node, frame)


def _for(t: Tracer, node: ir.For, frame: Frame) -> bool:
    """Trace a `for` statement; return whether control reaches its end."""
    iterable = t.evaluate(node.iter, frame)
    place = Place(frame.source, node.iter.start, node.iter.end)
    require_iterable(t, [iterable], place, "for", is_converted=True)
    staged = graph_loop(t, node, iterable, frame, place)
    if staged is not None:
        with watched_lists(t, node, frame):
            return _for_each(t, node, iterable, frame, staged)
    if t.stage.is_eager:
        return _for_each(t, node, iterable, frame, staged)
    header = Place(frame.source, node.start, node.iter.end)
    with unrolled(t, node.body, (node.target,), frame, header) as loop, t.at(place):
        loop.total = iteration.length(t, iterable)
        return _for_each(t, node, iterable, frame, staged)


def _for_each(t: Tracer, node: ir.For, iterable: Value, frame: Frame, staged: GraphLoop | None) -> bool:
    """Trace a loop over an iterable; return whether control reaches its end."""
    with t.at(Place(frame.source, node.iter.start, node.iter.end)):
        elements = iteration.elements(t, iterable)
        if elements is not None and len(elements) <= MAX_UNROLLED and _may_unroll(t, node):
            if staged is not None:
                elements = tuple(as_row(t, iterable, element) for element in elements)
            alive = _unroll(t, node, elements, frame, staged)
            if alive is not None:
                return alive
        start = Lost("start of a loop")
        first, later, total = _iterations(t, iterable)
    if total == 0:
        return t.execute(node.orelse, frame)

    def body(element: Value) -> Callable[[], bool]:
        def run() -> bool:
            _assume_entered(t, iterable, total)
            t.assign(node.target, element, frame)
            return _run_body(t, node.body, frame, staged)

        return run

    def last(number: Size) -> list[Callable[[], bool]]:
        return [body(item) for item in last_items(t, iterable, later, number)]

    loop = Body(
        node,
        first=body(first) if first is not None else None,
        later=body(later),
        count=lambda number: total,
        last=last,
        start=start,
        item=later,
        certain=isinstance(total, int) and total > 0,
        is_python=isinstance(iterable, Range) and isinstance(iterable.stop, int),
    )
    before = len(t.clashes)
    alive = fixed_point(t, loop, frame)
    if isinstance(iterable, Range) and total is not None and is_lost(total):
        place = Place(frame.source, node.iter.start, node.iter.end)
        t.component(Feasibility).open_loops.append(
            OpenLoop(place, f"{iterable.start}, {iterable.stop}", range(before, len(t.clashes)))
        )
    return alive and t.execute(node.orelse, frame)


def _may_unroll(t: Tracer, node: ir.For | ir.While) -> bool:
    """Return whether each iteration of a short loop may be traced."""
    if t.budget.is_repetitive and t.component(LoopChanges).are_known(node):
        return False
    return t.budget.unrolled < MAX_UNROLLED_WORK


def _assume_entered(t: Tracer, iterable: Value, total: Size | None) -> None:
    """Add the fact that an iterable is not empty, since the loop over it has an iteration; if it is empty, end the
    path."""
    if iteration.is_empty(t, iterable, total):
        raise PathEnds
    if isinstance(iterable, Range) and (bounds_with_counters(iterable.step)[0] or 0) > 0:
        t.learn(AtLeast(iterable.stop - 1, iterable.start))
    elif total is not None and not isinstance(iterable, Range):
        t.learn(AtLeast(total, 1))


def _iterations(t: Tracer, iterable: Value) -> tuple[Value | None, Value, Size | None]:
    """Return the first item if it differs from later ones, a value that covers later ones, and their number."""
    frozen = iteration.contents(t, iterable)
    later = iteration.element(t, frozen)
    if isinstance(frozen, Range):
        return of_size(frozen.start), later, iteration.length(t, frozen)
    if isinstance(frozen, HomogeneousSeq):
        return frozen.first, later, frozen.length
    if isinstance(frozen, (Seq, Tensor)):
        return None, later, iteration.length(t, frozen)
    method = find_attribute(t, frozen, "__len__") if isinstance(frozen, Ref) and frozen.cls != "user" else None
    return None, later, None if method is None else as_size(t.call_here(method))


def _unroll(t: Tracer, node: ir.For, elements: Sequence[Value], frame: Frame, staged: GraphLoop | None) -> bool | None:
    """Trace each iteration in turn; exits by `break` are joined with the state after the last one.

    None, without any change, if the iterations only repeat what was traced before.
    """
    path, returns = t.path, len(frame.returns)
    loop = Loop(t.heap.mark(), Iteration.KNOWN, is_python=staged is None, guards=path.guards)
    frame.loops.append(loop)
    alive, begin = True, t.budget.fuel + t.budget.forgiven
    t.budget.unrolled += len(elements) * max(1, len(node.body))
    with (
        tolerate_occasional_clashes(t, Lost("start of a loop")) as starts,
        t.component(RunningLoops).running(RunningLoop(t.heap.address())) as running,
    ):
        for done, element in enumerate(elements):
            if 0 < done < len(elements) - 1 and _is_long(t, begin):
                _give_up(t, node, loop, path, frame, returns)
                return None
            running.note_item(element)
            loop.continues = []
            starts.append(len(t.clashes))
            alive = _iterate(t, node, element, frame, staged)
            if loop.continues:
                alive = join_at(t, loop.mark, all_exits(t, loop, loop.continues, alive), path)
            if not alive:
                break
    frame.loops.pop()
    if alive:
        alive = t.execute(node.orelse, frame)
    return leave(t, loop, alive, path)


def _is_long(t: Tracer, begin: int) -> bool:
    """Return whether a loop that began with so many steps to spend or forgiven has taken its share, and repeats what
    was traced before."""
    taken = begin - t.budget.fuel - t.budget.forgiven
    return t.budget.is_stuck or (t.budget.is_repetitive and taken > t.budget.share)


def _give_up(t: Tracer, node: ir.For | ir.While, loop: Loop, path: PathState, frame: Frame, returns: int) -> None:
    """Undo what the iterations of a loop have changed, but note it."""
    frame.loops.pop()
    t.component(LoopChanges).note(node, frame, t.heap.undo(loop.mark))
    t.path = path
    del frame.returns[returns:]


def _iterate(t: Tracer, node: ir.For, element: Value, frame: Frame, staged: GraphLoop | None) -> bool:
    """Trace one iteration; return whether control reaches the end of the body."""
    try:
        t.assign(node.target, element, frame)
    except PathEnds:
        return False
    return _run_body(t, node.body, frame, staged)


def _run_body(t: Tracer, body: Sequence[ir.Stmt], frame: Frame, staged: GraphLoop | None) -> bool:
    """Run the body of a loop, and what is to be checked at its end; return whether control reaches that."""
    returns = len(frame.returns)
    alive = t.execute(body, frame)
    loop = frame.loops[-1]
    if staged is not None and (alive or loop.continues):
        check_returns_from(t, loop, frame.returns[returns:], staged.place)
    if alive and staged is not None:
        staged.check()
    return alive


# --- while -----------------------------------------------------------------------------------------------------------


def while_(t: Tracer, node: ir.While, frame: Frame) -> bool:
    """Trace a `while` statement; return whether control reaches its end."""
    with t.budget.charging((frame.source, node.start, "while")):
        return _while(t, node, frame)


def _while(t: Tracer, node: ir.While, frame: Frame) -> bool:
    """Trace a `while` statement; return whether control reaches its end."""
    test = t.evaluate(node.test, frame)
    place = Place(frame.source, node.test.start, node.test.end)
    require_value(t, test, place, "while", is_converted=True)
    check_condition(t, test, place, "while")
    if is_graph_test(t, test):
        with watched_lists(t, node, frame):
            return _while_true(t, node, test, frame)
    if t.stage.is_eager:
        return _while_true(t, node, test, frame)
    header = Place(frame.source, node.start, node.test.end)
    with unrolled(t, (node.test, *node.body), (), frame, header) as copies:
        return _while_true(t, node, test, frame, copies)


def _while_true(t: Tracer, node: ir.While, test: Value, frame: Frame, copies: PythonLoop | None = None) -> bool:
    """Trace a loop with a first value of its test; return whether control reaches its end."""
    known = None if is_graph_test(t, test) else truth(t, test)
    if known is False:
        return t.execute(node.orelse, frame)
    endless = isinstance(node.test, ir.Const) and known is True
    if known and not endless and _may_unroll(t, node):
        alive = _unroll_while(t, node, frame)
        if alive is not None:
            return alive
        test = t.evaluate(node.test, frame)
    start = Lost("start of a loop")
    staged = graph_loop(t, node, test, frame, Place(frame.source, node.test.start, node.test.end))

    def first() -> bool:
        assume(t, test, True)
        return _run_body(t, node.body, frame, staged)

    def later() -> bool:
        assume(t, _test_again(t, node, test, frame), True)
        if copies is not None:
            copies.expected.update(t.path.guards)
        return _run_body(t, node.body, frame, staged)

    loop = Body(
        node,
        first=first if known is not True else None,
        later=later,
        count=partial(count_iterations, t, node.test, frame),
        last=lambda number: [later] if may_be_truncated(t, number) else [],
        start=start,
        endless=endless,
        is_python=endless,
        copies=copies,
    )
    return fixed_point(t, loop, frame) and t.execute(node.orelse, frame)


def _test_again(t: Tracer, node: ir.While, first: Value, frame: Frame) -> Value:
    """Return the test of a loop after an iteration; `first` is the test before the loop."""
    test = t.evaluate(node.test, frame)
    check_test(t, first, test, Place(frame.source, node.test.start, node.test.end))
    return test


def _unroll_while(t: Tracer, node: ir.While, frame: Frame) -> bool | None:
    """Trace each iteration while the test is known; None, without any change, if the loop is too long."""
    gap = _gap(t, node.test, frame)
    if gap is not None and math.isinf(gap):
        return None
    path, returns = t.path, len(frame.returns)
    loop = Loop(t.heap.mark(), Iteration.KNOWN, is_python=True, guards=path.guards)
    frame.loops.append(loop)
    known: bool | None = True
    alive = True
    done, begin = 0, t.budget.fuel + t.budget.forgiven
    with (
        tolerate_occasional_clashes(t, Lost("start of a loop")) as starts,
        t.component(RunningLoops).running(RunningLoop(t.heap.address())),
    ):
        while known and alive:
            t.budget.unrolled += max(1, len(node.body))
            done, start = done + 1, t.budget.fuel
            loop.continues = []
            starts.append(len(t.clashes))
            alive = t.execute(node.body, frame)
            if loop.continues:
                alive = join_at(t, loop.mark, all_exits(t, loop, loop.continues, alive), path)
            if alive:
                before, gap = gap, _gap(t, node.test, frame)
                try:
                    known = truth(t, _test_again(t, node, TRUE, frame))
                except PathEnds:
                    known = alive = False
                is_long = done >= MAX_UNROLLED or t.budget.unrolled >= MAX_UNROLLED_WORK or _is_long(t, begin)
                is_long = is_long or (
                    t.budget.news >= start and t.budget.is_much(begin - t.budget.fuel - t.budget.forgiven)
                )
                if known and (is_long or _is_far(before, gap)):
                    known = None
    if alive and known is None:
        _give_up(t, node, loop, path, frame, returns)
        return None
    frame.loops.pop()
    if alive:
        alive = t.execute(node.orelse, frame)
    return leave(t, loop, alive, path)


def _gap(t: Tracer, test: ir.Expr, frame: Frame) -> float | None:
    """Return the difference between the two sides of a comparison of names and lengths."""
    if not isinstance(test, ir.Compare) or len(test.rights) != 1:
        return None
    sides = (test.left, test.rights[0])
    if not all(isinstance(side, (ir.Name, ir.Const, ir.Attribute)) or _is_length(side) for side in sides):
        return None
    left, right = (_number(t.evaluate(side, frame)) for side in sides)
    return None if left is None or right is None else left - right


def _is_length(side: ir.Expr) -> bool:
    """Return whether an expression is the length of a variable."""
    return isinstance(side, ir.Call) and isinstance(side.func, ir.Name) and side.func.id == "len"


def _number(value: Value) -> float | None:
    """Return the number that a value is, if it is known; sizes and lengths are such numbers."""
    number = value.value if isinstance(value, Const) and isinstance(value.value, float) else as_size(value)
    return number if isinstance(number, (int, float)) else None


def _is_far(before: float | None, gap: float | None) -> bool:
    """Return whether closing the gap at this rate takes more iterations than are unrolled."""
    if before is None or gap is None:
        return False
    return abs(gap) > MAX_UNROLLED * abs(gap - before)
