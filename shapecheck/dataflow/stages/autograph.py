"""Rules of AutoGraph for control flow on symbolic tensors: all branches and iterations leave similar values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.stages.checks import is_symbolic, report
from shapecheck.dataflow.stages.graph_state import State, is_graph_test, is_python_test, merged, places_in, read
from shapecheck.dataflow.stages.loop_options import Invariants, invariants_in, shape_of
from shapecheck.dataflow.state.frame import Frame, Loop
from shapecheck.dataflow.state.path import Exit, PathEnds, PathState
from shapecheck.domain.agreement import (
    Difference,
    TensorKind,
    dtype_difference,
    is_known,
    shapes_differ,
    structure_difference,
    tensor_kind,
)
from shapecheck.domain.values import NONE, Ref, Tensor, Value, walk
from shapecheck.ir.liveness import Liveness, assigned_by, assigned_in
from shapecheck.shapes.dtype import canonical
from shapecheck.shapes.facts import Equal, Verdict
from shapecheck.shapes.solve import decide
from shapecheck.shapes.symbol import next_serial
from shapecheck.shapes.text import show
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

ITERATOR = "tf.data.Iterator"


@dataclass(slots=True)
class TensorTests:
    """The places of `if` tests on symbolic tensors, and the liveness of functions with such tests.

    `tolerated` counts the enclosing tests whose result is known to the analysis alone, so that failures in their
    branches are tolerated.
    """

    places: dict[Value, Place] = field(default_factory=dict)
    liveness: dict[int, Liveness] = field(default_factory=dict)
    tolerated: int = 0


# --- loops -----------------------------------------------------------------------------------------------------------


def is_iterated_by_graph(t: Tracer, iterable: Value) -> bool:
    """Return whether AutoGraph makes a loop over a value part of the graph."""
    return t.stage.is_converted and (_is_dataset(iterable) or is_symbolic(t, iterable))


def _is_dataset(subject: Value) -> bool:
    """Return whether a value is a data set or an iterator over one."""
    return isinstance(subject, Ref) and subject.cls.startswith("tf.data.")


def _may_reshape(subject: Value) -> bool:
    """Return whether a loop lets its variables change their shapes, as one over a data set does."""
    return isinstance(subject, Ref) and subject.cls != ITERATOR


@dataclass(frozen=True, slots=True)
class GraphLoop:
    """A loop that AutoGraph makes part of the graph: its place, and a check to run after the first iteration."""

    place: Place
    check: Callable[[], None]


def graph_loop(t: Tracer, loop: ir.For | ir.While, subject: Value, frame: Frame, place: Place) -> GraphLoop | None:
    """Return a loop of the graph; None for a loop of Python."""
    function = _function(t)
    is_staged = is_iterated_by_graph if isinstance(loop, ir.For) else is_graph_test
    if function is None or not is_staged(t, subject):
        return None
    names = _liveness(t, function).at_head(loop) & assigned_in(loop.body) & function.bound
    if isinstance(loop, ir.For):
        names -= assigned_by([loop.target])
    parts, options = [*sorted(names), *places_in(loop.body)], invariants_in(loop.body)
    before, since, keeps_shapes = read(t, frame, parts), next_serial(), not _may_reshape(subject)
    pending = [True]

    def check() -> None:
        if pending:
            pending.clear()
            shapes = None if options is None else {name: shape_of(t, told, frame) for name, told in options.items()}
            _check_iteration(t, before, read(t, frame, parts), shapes, since if keeps_shapes else None, place)

    return GraphLoop(place, check)


def _check_iteration(
    t: Tracer, before: State, after: State, options: Invariants | None, since: int | None, place: Place
) -> None:
    """Refuse variables that have another structure, dtype or shape after an iteration.

    Shapes are compared where `since` tells when the loop began, and where the `options` of the loop are known.
    """
    for name, first in before.items():
        last = merged(t, after.get(name))
        if first == NONE and since is None:
            said = f"{name} is None before the loop over a data set"
            _refuse(t, ClashKind.LOOP_TYPE, "loop", first, said, place)
        if first is None or last is None or NONE in (*walk(first), *walk(last)):
            continue
        differ = structure_difference(first, last) or _dtypes_differ(first, last)
        if differ is not None:
            said = f"{name} is {differ[0]} before the loop, and {differ[1]} after one iteration"
            _refuse(t, ClashKind.LOOP_TYPE, "loop", last, said, place)
        if t.stage.is_compiled and options is not None and name in options and _is_resized(t, first, last):
            said = f"XLA compiles no loop whose variables change their sizes, as those of {name} do"
            _refuse(t, ClashKind.XLA, "loop", last, said, place)
        reshaped = None if since is None else _reshaped(name, first, last, options, since)
        if reshaped is not None:
            _refuse(t, ClashKind.LOOP_SHAPE, "loop", last, reshaped, place)


def _is_resized(t: Tracer, first: Value, last: Value) -> bool:
    """Return whether a variable certainly has another size after an iteration."""
    a, b = tensor_kind(first), tensor_kind(last)
    if a is None or b is None or not a.shape.is_ranked or a.shape.rank != b.shape.rank:
        return False
    pairs = zip(a.shape.sizes, b.shape.sizes, strict=True)
    return any(decide(t.path.facts, Equal(*pair)) is Verdict.NEVER for pair in pairs)


def _reshaped(name: str, first: Value, last: Value, options: Invariants | None, since: int) -> str | None:
    """Return how a variable does not keep its shape, or the one that an option of the loop tells."""
    a, b = tensor_kind(first), tensor_kind(last)
    if a is None or b is None or options is None:
        return None
    if name not in options:
        said = f"{name} has shape {a.shape} before the loop, and {b.shape} after one iteration"
        return said if shapes_differ(a, b, since) else None
    wanted = TensorKind(options[name], None)
    for kind, when in ((a, "before the loop"), (b, "after one iteration")):
        if shapes_differ(wanted, kind, since):
            return f"{name} has shape {kind.shape} {when}, its shape invariant is {wanted.shape}"
    return None


def check_break(t: Tracer, loop: Loop, place: Place) -> None:
    """Refuse a `break` of a Python loop that depends on a symbolic tensor."""
    test = _tensor_test(t, t.path, loop) if loop.is_python and t.stage.is_converted else None
    if test is not None:
        said = "a break that depends on a tensor needs a loop over a tensor, such as tf.range"
        _refuse(t, ClashKind.LOOP_TYPE, "break", test, said, place)


def check_test(t: Tracer, first: Value, test: Value, place: Place) -> None:
    """Refuse the test of a loop that Python has begun, and that becomes a symbolic tensor."""
    if is_graph_test(t, test) and is_python_test(t, first):
        said = "the test is a value of Python at first, and a tensor after one iteration"
        _refuse(t, ClashKind.LOOP_TYPE, "while", test, said, place)


def check_return(t: Tracer, frame: Frame, place: Place) -> None:
    """Refuse a `return` from a Python loop that depends on a symbolic tensor."""
    if not frame.loops or not t.stage.is_converted:
        return
    for loop in frame.loops:
        test = _tensor_test(t, t.path, loop) if loop.is_python else None
        if test is not None:
            said = "a return that depends on a tensor cannot leave a loop of Python"
            _refuse(t, ClashKind.BRANCHES, "return", test, said, t.component(TensorTests).places.get(test, place))


def check_returns_from(t: Tracer, loop: Loop, left: Sequence[Exit], place: Place) -> None:
    """Refuse a `return` from a loop of the graph that only some of its iterations reach."""
    for exit_ in left:
        test = _tensor_test(t, exit_.path, loop)
        if test is not None:
            said = "a return that depends on a tensor cannot leave a loop"
            _refuse(t, ClashKind.BRANCHES, "return", test, said, place)


def _tensor_test(t: Tracer, path: PathState, loop: Loop) -> Value | None:
    """Return a test of a symbolic tensor in a loop that a path depends on."""
    return next((test for test in path.guards if test not in loop.guards and is_graph_test(t, test)), None)


# --- conditions ------------------------------------------------------------------------------------------------------


def check_condition(t: Tracer, test: Value, place: Place, statement: str) -> None:
    """Refuse a symbolic tensor as a condition of the graph if it is not one truth value."""
    if not isinstance(test, Tensor) or not is_graph_test(t, test):
        return
    dtype = canonical(test.dtype or "")
    if test.shape.is_ranked and any(isinstance(size, int) and size != 1 for size in test.shape.sizes):
        said = f"the condition of {statement} needs one truth value, and has shape {show(test.shape)}"
        _refuse(t, ClashKind.SYMBOLIC_BOOL, statement, test, said, place)
    elif dtype not in (None, "bool"):
        said = f"the condition of {statement} needs a bool, and is {dtype}"
        _refuse(t, ClashKind.SYMBOLIC_BOOL, statement, test, said, place)


# --- branches --------------------------------------------------------------------------------------------------------


def state_after(t: Tracer, node: ir.If, frame: Frame) -> State:
    """Return the variables, attributes and items that a branch of an `if` may set, as they are at its end."""
    function = _function(t)
    if function is None:
        return {}
    assigned = assigned_in(node.body) | assigned_in(node.orelse)
    names = sorted(assigned & _liveness(t, function).after(node) & function.bound)
    return read(t, frame, [*names, *places_in((node.body, node.orelse))])


def check_branches(t: Tracer, test: Value, states: Sequence[State], place: Place) -> None:
    """Refuse variables that the two branches of an `if` on a tensor leave with different kinds of values."""
    for name in states[0] if len(states) == 2 else ():
        then, otherwise = (merged(t, state.get(name)) for state in states)
        for said in _disagreements(name, then, otherwise):
            _refuse(t, ClashKind.BRANCHES, "if", test, said, place)


def check_values(t: Tracer, test: Value, exits: Sequence[Exit], place: Place) -> None:
    """Refuse the values of an `if` expression on a tensor that differ in kind."""
    if len(exits) == 2 and is_graph_test(t, test):
        then, otherwise = (merged(t, t.freeze(exit_.value)) for exit_ in exits)
        for said in _disagreements("the value", then, otherwise):
            _refuse(t, ClashKind.BRANCHES, "if", test, said, place)


def _disagreements(name: str, then: Value | None, otherwise: Value | None) -> Iterator[str]:
    """Yield a description of a variable that differs after the two branches."""
    for value, other, side in ((then, otherwise, "else"), (otherwise, then, "main")):
        if value is not None and other is None:
            yield f"{name} is not defined in the {side} branch"
        elif other == NONE and value is not None and value != NONE and is_known(value):
            yield f"{name} is None in the {side} branch"
    if then is not None and otherwise is not None and NONE not in (then, otherwise):
        differ = structure_difference(then, otherwise) or _dtypes_differ(then, otherwise)
        if differ is not None:
            yield f"{name} is {differ[0]} in the main branch, and {differ[1]} in the else branch"


def check_returns(t: Tracer, exits: Sequence[Exit], path: PathState, *, reaches_end: bool) -> None:
    """Refuse results of a function that differ in kind between the sides of a test on a tensor.

    If control `reaches_end` of the function, the last exit has no result.
    """
    if not t.stage.is_converted or len(exits) < 2:
        return
    places = t.component(TensorTests).places
    for test, place in places.items():
        if test in path.guards:
            continue
        sides = [[e for e in exits if e.path.guards.get(test) is side] for side in (True, False)]
        if len(sides[0]) == len(sides[1]) == 1:
            results = (None if e is exits[-1] and reaches_end else _result(t, e) for (e,) in sides)
            for said in _disagreements("the result", *results):
                _refuse(t, ClashKind.BRANCHES, "if", test, said, place)


def _result(t: Tracer, exit_: Exit) -> Value:
    """Return the result at an exit from a function."""
    mark = t.heap.mark()
    t.heap.apply(exit_.delta)
    try:
        return t.freeze(exit_.value)
    finally:
        t.heap.rollback(mark)


def check_raise(t: Tracer, place: Place) -> None:
    """Report an exception that is raised under a test on a tensor: it is raised while both branches are traced."""
    last = next(reversed(tuple(t.path.guards)), None) if t.stage.is_converted else None
    if last is not None and is_graph_test(t, last):
        said = "it is raised while the function is traced, whatever the tensor will be"
        _report(t, ClashKind.BRANCHES, "raise", last, said, place)


def _refuse(t: Tracer, kind: ClashKind, operation: str, value: Value, message: str, place: Place) -> None:
    """Record that tracing raises, and end the path."""
    _report(t, kind, operation, value, message, place)
    raise PathEnds


def _report(t: Tracer, kind: ClashKind, operation: str, value: Value, message: str, place: Place) -> None:
    """Record that tracing raises, also in a branch that is not taken when the graph runs."""
    tests = t.component(TensorTests)
    t.tolerance -= tests.tolerated
    try:
        report(t, kind, operation, value, message, place)
    finally:
        t.tolerance += tests.tolerated


def _dtypes_differ(a: Value, b: Value) -> Difference | None:
    """Return the dtypes of two values of TensorFlow or Python if they differ; variables are read later."""
    if any(isinstance(value, Tensor) and value.role in ("variable", "placeholder") for value in (a, b)):
        return None
    return dtype_difference(a, b)


# --- functions -------------------------------------------------------------------------------------------------------


def _function(t: Tracer) -> ir.FunctionDef | None:
    """Return the definition of the function that is being traced."""
    keys = t.call_stack.functions
    node = t.functions[keys[-1]].node if keys else None
    return node if isinstance(node, ir.FunctionDef) else None


def liveness_of(t: Tracer) -> Liveness | None:
    """Return the liveness of the variables of the function that is being traced."""
    function = _function(t)
    return None if function is None else _liveness(t, function)


def _liveness(t: Tracer, function: ir.FunctionDef) -> Liveness:
    known = t.component(TensorTests).liveness
    if id(function) not in known:
        known[id(function)] = Liveness(function.body)
    return known[id(function)]
