"""`if` statements: paths that fork and join."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.flow.failures import exit_count, run_past_failures
from shapecheck.dataflow.objects import modules
from shapecheck.dataflow.paths.feasibility import expect_guards
from shapecheck.dataflow.paths.joins import join_exits
from shapecheck.dataflow.paths.narrowing import assume
from shapecheck.dataflow.paths.truth import truth
from shapecheck.dataflow.paths.unreached_methods import UnreachedMethods
from shapecheck.dataflow.stages.autograph import TensorTests, check_branches, check_condition, state_after
from shapecheck.dataflow.stages.checks import require_value
from shapecheck.dataflow.stages.graph_state import State, is_graph_test
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.path import Exit, PathEnds
from shapecheck.domain.values import NONE, Lost, Value
from shapecheck.ir.walk import nodes_in
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def if_(t: Tracer, node: ir.If, frame: Frame) -> bool:
    """Trace an `if` statement; return whether control reaches its end."""
    # `elif` chains are traversed in a loop while their tests are known, since programs have chains of hundreds.
    watch, first_step = t.watch, len(t.graph.steps)
    reached = _if(t, node, frame)
    if watch is not None:
        watch.branched(node, first_step)
    return reached


def _if(t: Tracer, node: ir.If, frame: Frame) -> bool:
    """Trace an `if` statement and its `elif` branches; return whether control reaches its end."""
    while True:
        if modules.is_deferred(t, node, frame):
            return True
        test = t.evaluate(node.test, frame)
        place = Place(frame.source, node.test.start, node.test.end)
        require_value(t, test, place, "if", is_converted=True)
        check_condition(t, test, place, "if")
        known = truth(t, test)
        if known is None or is_graph_test(t, test):
            return _fork(t, test, node, frame, known)
        t.component(UnreachedMethods).note(frame.owner, node.test, node.orelse if known else node.body)
        if known:
            return t.execute(node.body, frame)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ir.If):
            node = node.orelse[0]
            continue
        return t.execute(node.orelse, frame)


def _fork(t: Tracer, test: Value, node: ir.If, frame: Frame, known: bool | None) -> bool:
    """Trace both branches under their guards, then join those that reach the end.

    If the test depends on a shape or a version and its result is not known, the program may know better which branch
    fits: clashes in either are tolerated. So are those in a branch that a graph has and never takes.
    """
    is_decided = asks_for_shape(node.test) or asks_for_version(node.test, test)
    guards, exits_before = t.path.guards, exit_count(frame)
    states: list[State] = []
    place = Place(frame.source, node.test.start, node.test.end)
    tests, is_compared = t.component(TensorTests), is_graph_test(t, test)
    if is_compared:
        tests.places[test] = place

    def arm(side: bool, body: Sequence[ir.Stmt]) -> bool:
        is_dead = known is not None and known is not side
        t.tolerance += is_dead
        tests.tolerated += is_dead
        try:
            reached = t.execute(body, frame)
        finally:
            t.tolerance -= is_dead
            tests.tolerated -= is_dead
        if reached and is_compared:
            states.append(state_after(t, node, frame))
        return reached

    def run() -> bool:
        t.tolerance += is_decided
        try:
            return branch(
                t,
                [
                    (test, True, lambda: arm(True, node.body)),
                    (test, False, lambda: arm(False, node.orelse)),
                ],
            )
        finally:
            t.tolerance -= is_decided

    alive = run_past_failures(t, frame, run)
    if alive and exit_count(frame) == exits_before:
        expect_guards(t, guards)
        check_branches(t, test, states, place)
    return alive


SHAPE_WORDS = frozenset("shape ndim ndims rank dims get_shape as_list int_shape static_shape shape_list dim".split())


def asks_for_shape(question: ir.Expr) -> bool:
    """Return whether a test reads a shape."""
    match question:
        case ir.Attribute():
            return question.name in SHAPE_WORDS or asks_for_shape(question.value)
        case ir.Call():
            named = isinstance(question.func, ir.Name) and question.func.id in SHAPE_WORDS
            return named or asks_for_shape(question.func) or any(asks_for_shape(arg.value) for arg in question.args)
        case ir.Compare():
            return asks_for_shape(question.left) or any(map(asks_for_shape, question.rights))
        case ir.Logical():
            return any(map(asks_for_shape, question.values))
        case ir.Unary():
            return asks_for_shape(question.operand)
        case ir.Subscript():
            return asks_for_shape(question.value)
        case ir.Binary():
            return asks_for_shape(question.left) or asks_for_shape(question.right)
    return False


def asks_for_version(question: ir.Expr, test: Value) -> bool:
    """Return whether a test, or what its value comes from, names a version, as of a library."""
    return (isinstance(test, Lost) and "__version__" in test.reason) or any(
        "version" in (node.name if isinstance(node, ir.Attribute) else node.id).lower()
        for node in nodes_in(question)
        if isinstance(node, (ir.Attribute, ir.Name))
    )


def branch(t: Tracer, arms: Sequence[tuple[Value, bool, Callable[[], bool]]]) -> bool:
    """Trace branches that exclude each other from the same state, and join those that reach the end."""
    path = t.path
    exits: list[Exit] = []
    for test, side, run in arms:
        mark = t.heap.mark()
        t.path = path
        assume(t, test, side)
        try:
            alive = run()
        except PathEnds:
            alive = False
        if alive:
            exits.append(t.exit(mark, NONE))
        t.heap.rollback(mark)
    t.path = path
    if not exits:
        return False
    join_exits(t, exits, path.guards)
    return True
