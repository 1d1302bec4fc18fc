"""Lists that a loop of the graph changes: its body runs once, while it is traced, and its tensors stay inside of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.paths.constraints import notice
from shapecheck.dataflow.stages.autograph import liveness_of
from shapecheck.dataflow.stages.checks import find_tensor, is_symbolic, refuse, said_of_leak
from shapecheck.dataflow.stages.trace_effects import OF_TRACING
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell
from shapecheck.dataflow.state.stage import INNER, LOOP
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import Const, Ref, Seq, Tensor, Value, walk
from shapecheck.ir.liveness import assigned_by
from shapecheck.ir.walk import nodes_in
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

GROWING = frozenset("append appendleft extend extendleft insert".split())
SHRINKING = frozenset("pop popleft".split())
ARRAY = "tf.TensorArray"
DROPPING = frozenset("write unstack scatter split".split())


@dataclass(slots=True)
class GraphLoop:
    """A loop of the graph: the first step and heap address in it, and the changes of lists that are older.

    `expected` are the conditions on its path, `items` the variables that hold the item of an iteration. A change is
    known by the address of its list; `leaking` are those lists that got a tensor of the body.
    """

    first_step: int
    first_address: int
    expected: frozenset[Value]
    items: tuple[Cell, ...] = ()
    changes: dict[int, tuple[str, Step]] = field(default_factory=dict)
    leaking: set[int] = field(default_factory=set)


@dataclass(slots=True)
class LoopStates:
    """The outermost loop of the graph that is running, and whether any has left its tensors in a list."""

    loop: GraphLoop | None = None
    has_leaks: bool = False


@contextmanager
def watched_lists(t: Tracer, node: ir.For | ir.While, frame: Frame) -> Iterator[None]:
    """Run a loop of the graph within the context, then note what it has done to lists."""
    states = t.component(LoopStates)
    if states.loop is not None:
        yield
        return
    names = assigned_by([node.target]) if isinstance(node, ir.For) else ()
    items = tuple((frame.address, name) for name in sorted(names))
    loop = states.loop = GraphLoop(len(t.graph.steps), t.heap.address(), frozenset(t.path.guards), items)
    try:
        yield
    finally:
        states.loop = None
    for address, (name, step) in loop.changes.items():
        is_used = _is_read_in(t, address, node, frame)
        if not is_used and address in loop.leaking and _leave_tensors(t, address, loop):
            states.has_leaks = True
        elif is_used or name in SHRINKING or _is_read_after(t, address, node, frame):
            with t.during(step):
                notice(t, ClashKind.LOOP_STATE, "happens once, while the loop is traced, and not in each iteration")


def _leave_tensors(t: Tracer, address: int, loop: GraphLoop) -> bool:
    """Mark the tensors of the body of a loop in a list; return whether any are known."""
    contents = t.heap.get((address, "items"))
    if contents is None:
        return False
    leaked = _leaked(contents, loop.first_step if isinstance(contents, Seq) else 0)
    t.heap.set((address, "items"), leaked)
    return leaked != contents


def _leaked(value: Value, since: int) -> Value:
    """Return the contents of a list after a loop, with the tensors of steps since then as those of its body."""
    if isinstance(value, Tensor):
        is_inner = value.trace and (not value.step or value.step > since)
        return replace(value, trace=LOOP) if is_inner else value
    return map_children(value, lambda part: _leaked(part, since))


def _is_read_after(t: Tracer, address: int, node: ir.For | ir.While, frame: Frame) -> bool:
    """Return whether a local variable that holds a list may be read after a loop."""
    liveness = liveness_of(t)
    if liveness is None:
        return False
    held = (t.heap.get((frame.address, name)) for name in liveness.after(node))
    return any(isinstance(value, Ref) and value.address == address for value in held)


def _is_read_in(t: Tracer, address: int, node: ir.For | ir.While, frame: Frame) -> bool:
    """Return whether a loop uses all items of a list that a variable holds, and does not only add some or take one."""
    parts = list(nodes_in(node.body))
    calls = (part.func for part in parts if isinstance(part, ir.Call))
    aside = {id(func.value) for func in calls if isinstance(func, ir.Attribute) and func.name in GROWING | SHRINKING}
    aside.update(id(part.value) for part in parts if isinstance(part, ir.Subscript))
    read = (part.id for part in parts if isinstance(part, ir.Name) and id(part) not in aside)
    held = (t.heap.get((frame.address, name)) for name in dict.fromkeys(read))
    return any(isinstance(value, Ref) and value.address == address for value in held)


def note_list_method(t: Tracer, owner: Ref, name: str, given: Arguments) -> None:
    """Note a change of a list in a loop of the graph."""
    loop = t.component(LoopStates).loop
    if loop is None or not t.graph_start < owner.address < loop.first_address:
        return
    if name in SHRINKING:
        contents = t.contents(owner)
        if not isinstance(contents, Seq) or len(contents.items) < 2:
            return
    elif name not in GROWING:
        return
    loop.changes.setdefault(owner.address, (name, t.add_step("op", f"list.{name}", [], {}, given.place)))
    added = [part for value in given.args for part in walk(t.freeze(value))]
    is_certain = all(is_symbolic(t, test) for test in t.path.guards if test not in loop.expected)
    if is_certain and any(_is_inner(t, part, loop) for part in added):
        loop.leaking.add(owner.address)


def note_print(t: Tracer, given: Arguments) -> None:
    """Note that Python prints a symbolic tensor in a loop of the graph, unless the call is watched anyway."""
    if t.component(LoopStates).loop is None or t.watch is not None:
        return
    texts = [value.value for value in given.args if isinstance(value, Const) and isinstance(value.value, str)]
    if any(is_symbolic(t, value) for value in given.args) and not any(map(OF_TRACING.search, texts)):
        with t.during(t.add_step("op", "print", [], {}, given.place)):
            notice(t, ClashKind.TRACE_EFFECT, "shows a symbolic tensor, once, while the loop is traced")


def _is_inner(t: Tracer, value: Value, loop: GraphLoop) -> bool:
    """Return whether a value is a tensor of the body of a loop."""
    if not is_symbolic(t, value) or not isinstance(value, Tensor):
        return False
    return value.step > loop.first_step or any(t.heap.get(cell) == value for cell in loop.items)


# --- after the loop --------------------------------------------------------------------------------------------------


def check_result(t: Tracer, value: Value, place: Place) -> None:
    """Refuse tensors of the body of a loop in the result of a traced function."""
    if not t.component(LoopStates).has_leaks or t.call_stack.functions[-1] + 1 != t.stage.trace:
        return
    leaked = find_tensor([t.freeze(value)], lambda tensor: tensor.trace in (LOOP, INNER))
    if leaked is not None:
        kind, said = said_of_leak(leaked)
        refuse(t, kind, "return", leaked, said, place)


def check_length(t: Tracer, value: Value, place: Place) -> None:
    """Note the length of a list that a loop of the graph has filled."""
    if t.component(LoopStates).has_leaks and any(map(is_leaked, walk(t.freeze(value)))):
        with t.during(t.add_step("op", "len", [], {}, place)):
            notice(t, ClashKind.LOOP_STATE, "the loop appends once, while it is traced, and not in each iteration")


def is_leaked(value: Value) -> bool:
    """Return whether a value is a tensor of the body of a loop that has ended."""
    return isinstance(value, Tensor) and value.trace == LOOP


def note_dropped_array(t: Tracer, node: ir.Call, result: Value, place: Place) -> None:
    """Note the dropped result of a method of a TensorArray, which changes nothing in a graph."""
    if isinstance(result, Ref) and result.cls == ARRAY and isinstance(node.func, ir.Attribute):
        name = node.func.name
        if name in DROPPING:
            with t.during(t.add_step("op", f"{ARRAY}.{name}", [], {}, place)):
                notice(t, ClashKind.LOOP_STATE, "the TensorArray that it returns is dropped, and no other is changed")
