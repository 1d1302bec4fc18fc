"""Loops of Python in a function that is traced: the graph gets a copy of the operations of each iteration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.paths.constraints import notice
from shapecheck.dataflow.stages.checks import is_symbolic
from shapecheck.dataflow.stages.trace_effects import is_path
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Const, HomogeneousSeq, Int, Ref, Scalar, Seq, Tensor, Value, walk
from shapecheck.ir.liveness import assigned_by, read_in
from shapecheck.ir.walk import nodes_in
from shapecheck.shapes.size import Size, is_lost
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MIN_ITERATIONS = 100
MIN_COPIES = 200
"""The number of iterations, and of operations in all of them, that make tracing slow."""


@dataclass(slots=True)
class PythonLoop:
    """A loop of Python that runs while a graph is built.

    `total` is the number of its iterations, if it is known, `inner` that of the loops in one of them. `targets` are the
    names that it binds, `parts` what it repeats. `expected` are the conditions under which an iteration takes place.
    """

    outer: PythonLoop | None
    parts: tuple[ir.Node, ...]
    targets: frozenset[str]
    expected: set[Value]
    total: Size | None = None
    inner: int = 1


@dataclass(slots=True)
class Unrolling:
    """The innermost loop that is running."""

    loop: PythonLoop | None = None


@contextmanager
def unrolled(
    t: Tracer, parts: tuple[ir.Node, ...], targets: tuple[ir.Expr, ...], frame: Frame, place: Place
) -> Iterator[PythonLoop]:
    """Run a loop of Python within the context, and note that it makes many copies of its operations."""
    state = t.component(Unrolling)
    loop = state.loop = PythonLoop(state.loop, parts, assigned_by(targets), set(t.path.guards))
    first = len(t.graph.steps)
    try:
        yield loop
    finally:
        state.loop = loop.outer
    if not isinstance(loop.total, int) or _may_end_early(parts):
        return
    iterations = loop.total * loop.inner
    if iterations >= MIN_ITERATIONS:
        operations = _operations(t, t.graph.steps[first:], loop.expected)
        if iterations * operations >= MIN_COPIES and not _differs(t, loop, t.graph.steps[first:], frame):
            _note(t, iterations, operations, place)
            return
    if loop.outer is not None:
        loop.outer.inner = max(loop.outer.inner, iterations)


def _note(t: Tracer, iterations: int, operations: int, place: Place) -> None:
    """Note a loop that makes many copies of its operations."""
    name = t.stage.function
    graph = f"the graph of {name}" if name and name != "<lambda>" else "the graph"
    many = f"{operations} operations" if operations > 1 else "an operation"
    with t.during(t.add_step("op", "loop", (), {}, place)):
        notice(t, ClashKind.UNROLLED, f"adds {iterations} copies of {many} to {graph}")


def _may_end_early(parts: tuple[ir.Node, ...]) -> bool:
    """Return whether a loop may have fewer iterations than items."""
    return any(
        isinstance(node, ir.Return) or (isinstance(node, ir.Jump) and node.kind == "break") for node in nodes_in(parts)
    )


def _operations(t: Tracer, steps: list[Step], expected: set[Value]) -> int:
    """Return the number of operations on symbolic tensors that each iteration adds to the graph."""
    certain: dict[tuple[object, ...], bool] = {}
    for step in steps:
        if step.kind == "op" and any(is_symbolic(t, tensor) for _, tensor in step.operands()):
            key = (step.place, step.frames)
            tests = (test for test in step.guards if test not in expected)
            certain[key] = certain.get(key, True) and all(is_symbolic(t, test) for test in tests)
    return sum(certain.values())


# --- loops that no loop of the graph can replace ---------------------------------------------------------------------


def _differs(t: Tracer, loop: PythonLoop, steps: list[Step], frame: Frame) -> bool:
    """Return whether iterations use different objects, such as the layers of a list, or make new ones."""
    if any(map(_makes_state, steps)):
        return True
    items = (t.heap.get((frame.address, name)) for name in loop.targets)
    return any(item is not None and _is_object(t, item) for item in items) or _picks_objects(t, loop, frame)


def _makes_state(step: Step) -> bool:
    """Return whether an operation makes a variable or an object of Keras."""
    made = step.result
    if isinstance(made, Tensor):
        return made.role == "variable" and step.name.endswith(("Variable", "add_weight", "get_variable"))
    return isinstance(made, Ref) and made.cls.startswith("keras.")


def _is_object(t: Tracer, value: Value) -> bool:
    """Return whether a value is, holds or may be something else than numbers and tensors of one shape.

    A tensor of TensorFlow that is not one of the graph was made for this iteration, as the weights of one of many
    layers.
    """
    return not all(isinstance(part, (Seq, HomogeneousSeq)) or _is_number(part) for part in walk(t.freeze(value)))


def _is_number(value: Value) -> bool:
    match value:
        case Const(value=bool() | int() | float()) | Int() | Scalar(kind="int" | "float" | "bool" | "number"):
            return True
        case Tensor(role="tensor" | "run-time", shape=shape, library=library, trace=trace) if shape.is_ranked:
            return bool(library != "tf" or trace) and not any(map(is_lost, shape.sizes))
    return False


def _picks_objects(t: Tracer, loop: PythonLoop, frame: Frame) -> bool:
    """Return whether the body takes objects from a list or by name, with the loop's variables as index."""
    for node in nodes_in(loop.parts):
        match node:
            case ir.Call(func=ir.Name(id="getattr")):
                return True
            case ir.Subscript(value=owner, index=index) if loop.targets & read_in(index):
                held = t.evaluate(owner, frame) if is_path(owner) else None
                if held is None or (not isinstance(held, Tensor) and _is_object(t, held)):
                    return True
    return False
