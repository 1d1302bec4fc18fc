"""Rules of AutoGraph for control flow on symbolic tensors: all branches and iterations leave similar values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.stages.checks import is_symbolic, refuse
from shapecheck.dataflow.state.frame import Frame, Loop
from shapecheck.dataflow.state.path import Exit, PathState
from shapecheck.domain.values import NONE, Const, Int, Ref, Scalar, Seq, Tensor, Value
from shapecheck.ir.liveness import Liveness, assigned_by, assigned_in
from shapecheck.ir.walk import nodes_in
from shapecheck.shapes.dtype import canonical
from shapecheck.shapes.shape import SCALAR, Shape
from shapecheck.shapes.text import show
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

NUMBERS = {bool: "bool", int: "int32", float: "float32"}
SCALARS = {"bool": "bool", "int": "int32", "float": "float32"}
OPTIONS = "set_loop_options"


@dataclass(slots=True)
class TensorTests:
    """The places of `if` tests on symbolic tensors, and the liveness of functions with such tests."""

    places: dict[Value, Place] = field(default_factory=dict)
    liveness: dict[int, Liveness] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Kind:
    """The properties of a value that AutoGraph compares."""

    shape: Shape
    dtype: str | None


def variables(t: Tracer, frame: Frame) -> dict[str, Value]:
    """Return the variables of a scope in the present state."""
    return {name: value for name, value in t.heap.at(frame.address) if isinstance(name, str)}


# --- loops -----------------------------------------------------------------------------------------------------------


def is_graph_value(t: Tracer, subject: Value) -> bool:
    """Return whether AutoGraph makes control flow on a value part of the graph."""
    is_dataset = isinstance(subject, Ref) and subject.cls.startswith("tf.data.")
    return t.stage.is_converted and (is_dataset or is_symbolic(t, subject))


def checked_once(
    t: Tracer, loop: ir.For | ir.While, subject: Value, frame: Frame, place: Place
) -> Callable[[], None] | None:
    """Return a check to run after the first iteration of a loop of the graph; None for a loop of Python."""
    function = _function(t)
    if function is None or not is_graph_value(t, subject):
        return None
    before = variables(t, frame)
    names = _liveness(t, function).at_head(loop) & assigned_in(loop.body) & function.bound
    if isinstance(loop, ir.For):
        names -= assigned_by([loop.target])
    pending = [True]

    def check() -> None:
        if pending:
            pending.clear()
            _check_iteration(t, loop, sorted(names), before, variables(t, frame), place)

    return check


def _check_iteration(
    t: Tracer,
    loop: ir.For | ir.While,
    names: Sequence[str],
    before: Mapping[str, Value],
    after: Mapping[str, Value],
    place: Place,
) -> None:
    """Refuse variables that have another dtype or shape after an iteration."""
    has_options = any(isinstance(node, ir.Attribute) and node.name == OPTIONS for node in nodes_in(loop.body))
    for name in names:
        first, last = before.get(name), after.get(name)
        a, b = _kind(first), _kind(last)
        if first is None or last is None or a is None or b is None:
            continue
        if a.dtype and b.dtype and a.dtype != b.dtype:
            said = f"{name} is {a.dtype} before the loop, and {b.dtype} after one iteration"
            refuse(t, ClashKind.LOOP_TYPE, "loop", last, said, place)
        if not has_options and _differ(a.shape, b.shape):
            said = f"{name} has shape {show(a.shape)} before the loop, and {show(b.shape)} after one iteration"
            refuse(t, ClashKind.LOOP_SHAPE, "loop", last, said, place)


def check_break(t: Tracer, loop: Loop, place: Place) -> None:
    """Refuse a `break` of a Python loop that depends on a symbolic tensor."""
    if loop.is_python and t.stage.is_converted:
        test = next((c for c in t.path.guards if c not in loop.guards and is_symbolic(t, c)), None)
        if test is not None:
            said = "a break that depends on a tensor needs a loop over a tensor, such as tf.range"
            refuse(t, ClashKind.LOOP_TYPE, "break", test, said, place)


# --- conditions ------------------------------------------------------------------------------------------------------


def check_condition(t: Tracer, test: Value, place: Place, statement: str) -> None:
    """Refuse a symbolic tensor as a condition of the graph if it is not one truth value."""
    if not isinstance(test, Tensor) or not is_graph_value(t, test):
        return
    dtype = canonical(test.dtype or "")
    if test.shape.is_ranked and any(isinstance(size, int) and size != 1 for size in test.shape.sizes):
        said = f"the condition of {statement} needs one truth value, and has shape {show(test.shape)}"
        refuse(t, ClashKind.SYMBOLIC_BOOL, statement, test, said, place)
    elif dtype not in (None, "bool"):
        said = f"the condition of {statement} needs a bool, and is {dtype}"
        refuse(t, ClashKind.SYMBOLIC_BOOL, statement, test, said, place)


# --- branches --------------------------------------------------------------------------------------------------------


def check_branches(t: Tracer, node: ir.If, test: Value, states: Sequence[Mapping[str, Value]], place: Place) -> None:
    """Refuse variables that the two branches of an `if` on a tensor leave with different kinds of values."""
    function = _function(t)
    if function is None or not t.stage.is_converted or not is_symbolic(t, test) or len(states) != 2:
        return
    assigned = assigned_in(node.body) | assigned_in(node.orelse)
    for name in sorted(assigned & _liveness(t, function).after(node) & function.bound):
        for said in _disagreements(name, states[0].get(name), states[1].get(name)):
            refuse(t, ClashKind.BRANCHES, "if", test, said, place)


def _disagreements(name: str, then: Value | None, otherwise: Value | None) -> Iterator[str]:
    """Yield descriptions of a variable that differs after the two branches."""
    for value, other, side in ((then, otherwise, "else"), (otherwise, then, "main")):
        if value is not None and other is None:
            yield f"{name} is not defined in the {side} branch"
        elif other == NONE and isinstance(value, Tensor):
            yield f"{name} is None in the {side} branch"
    a, b = _kind(then), _kind(otherwise)
    if a and b and a.dtype and b.dtype and a.dtype != b.dtype:
        yield f"{name} is {a.dtype} in the main branch, and {b.dtype} in the else branch"
    yield from _structures(name, then, otherwise)


def _structures(name: str, then: Value | None, otherwise: Value | None) -> Iterator[str]:
    if isinstance(then, Seq) and isinstance(otherwise, Seq) and "shape" not in (then.kind, otherwise.kind):
        if len(then.items) != len(otherwise.items):
            yield f"{name} has {len(then.items)} items in the main branch, {len(otherwise.items)} in the else branch"
    elif (isinstance(then, Seq) and isinstance(otherwise, Tensor)) or (
        isinstance(then, Tensor) and isinstance(otherwise, Seq)
    ):
        yield f"{name} is a tensor in one branch, and a sequence in the other"


def check_returns(t: Tracer, exits: Sequence[Exit], path: PathState) -> None:
    """Refuse results of a function that differ in kind between the sides of a test on a tensor."""
    if not t.stage.is_converted or len(exits) < 2:
        return
    places = t.component(TensorTests).places
    for test, place in places.items():
        if test in path.guards:
            continue
        sides = [[e for e in exits if e.path.guards.get(test) is side] for side in (True, False)]
        if len(sides[0]) == len(sides[1]) == 1:
            for said in _disagreements("the result", sides[0][0].value, sides[1][0].value):
                refuse(t, ClashKind.BRANCHES, "if", test, said, place)


# --- kinds of values -------------------------------------------------------------------------------------------------


def _kind(value: Value | None) -> _Kind | None:
    match value:
        case Tensor(role="tensor" | "run-time"):
            return _Kind(value.shape, canonical(value.dtype or "") if value.library == "tf" else None)
        case Const(value=bool() | int() | float() as number):
            return _Kind(SCALAR, NUMBERS[type(number)])
        case Int():
            return _Kind(SCALAR, "int32")
        case Scalar(kind="bool" | "int" | "float" as kind):
            return _Kind(SCALAR, SCALARS[kind])
    return None


def _differ(a: Shape, b: Shape) -> bool:
    """Return whether two shapes differ in rank, or in a size that is a number in both."""
    if not a.is_ranked or not b.is_ranked:
        return False
    if a.rank != b.rank:
        return True
    pairs = zip(a.sizes, b.sizes, strict=True)
    return any(isinstance(x, int) and isinstance(y, int) and x != y for x, y in pairs)


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
        known[id(function)] = Liveness(function)
    return known[id(function)]
