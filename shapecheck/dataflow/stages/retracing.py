"""Calls of traced functions that TensorFlow cannot serve by an earlier trace, so that it builds another graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.paths.constraints import notice
from shapecheck.dataflow.stages.signatures import BINDERS
from shapecheck.dataflow.stages.trace_reuse import is_made_now
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.running_loops import RunningLoop, RunningLoops
from shapecheck.domain.values import (
    CONTAINERS,
    FALSE,
    NONE,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Int,
    Lost,
    Method,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    walk,
)
from shapecheck.ir.walk import nodes_in
from shapecheck.shapes.text import show
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MIN_TRACES = 5
"""The number of traces from which on a finding is made; TensorFlow warns of as many."""
RELAXING = ("reduce_retracing", "experimental_relax_shapes")
MAX_KNOWN_TRACES = 16
MAX_RELAXED = 2
"""The number of traces after which shapes are generalised, if the function asks for that."""
Trace: TypeAlias = tuple[dict[str, Value], Mapping[Value, bool]]
MAKERS = ("tf.function", "types.FunctionType.get_concrete_function")


@dataclass(slots=True)
class Creation:
    """The functions that one place creates while a loop runs.

    `captures` are the objects that the first of them uses. The functions are `kept` if one is called twice, or uses
    other objects than the first.
    """

    captures: tuple[Value, ...]
    calls: dict[int, int] = field(default_factory=dict)
    is_kept: bool = False


@dataclass(slots=True)
class Retracing:
    """The calls of traced functions so far.

    `parts` are the different values of each argument of a function, by the running loop and the place of the calls.
    `makers` are the steps that created functions, by their `tf.function` object. `traces` are the arguments and the
    path of each call of a function, and of each instance if it is a method, that needed a trace; `functions` are the
    keys of these functions.
    """

    parts: dict[tuple[object, ...], list[Value]] = field(default_factory=dict)
    creations: dict[tuple[object, ...], Creation] = field(default_factory=dict)
    makers: dict[int, Step] = field(default_factory=dict)
    traces: dict[tuple[object, ...], list[Trace]] = field(default_factory=dict)
    functions: dict[int, int] = field(default_factory=dict)
    searched: int = 0
    noted: set[tuple[ClashKind, Place]] = field(default_factory=set)


def note_call(t: Tracer, function: Function, given: Arguments) -> None:
    """Note that the program calls a function which TensorFlow traces; find traces that the call before did not need."""
    loops = t.component(RunningLoops).loops
    if not loops or not given.is_complete or is_made_now(t, function):
        return
    _note_function(t, loops, function, given)
    if all(t.heap.get((function.graph, option)) in (None, NONE) for option in BINDERS):
        for name, value in _named(t, function, given):
            _note_argument(t, loops, function, name, value, given)


def _named(t: Tracer, function: Function, given: Arguments) -> Iterator[tuple[str, Value]]:
    """Yield the arguments of a call by the names of their parameters, without the instance of a method."""
    definition = t.functions[function.key]
    names = [param.name for param in definition.node.params if param.kind in ("plain", "positional")]
    pairs = list(zip(names, given.args, strict=False))
    yield from pairs[_first(t, function) :]
    yield from given.keywords.items()


def _first(t: Tracer, function: Function) -> int:
    """Return the number of arguments that a method is bound to."""
    definition = t.functions[function.key]
    return int(definition.owner is not None and definition.kind != "static")


def _note(t: Tracer, kind: ClashKind, place: Place, function: Function, said: str, *operands: Value) -> None:
    """Note once that calls at a place make TensorFlow trace a function again and again."""
    noted = t.component(Retracing).noted
    if (kind, place) in noted:
        return
    noted.add((kind, place))
    with t.during(t.add_step("call", function.name, operands, {}, place)):
        notice(t, kind, said, *operands)


def is_new_trace(t: Tracer, function: Function, given: Arguments) -> bool:
    """Return whether a call certainly needs a trace that is not the first of its function."""
    if t.is_standalone or not given.is_complete:
        return False
    receiver = given.args[0] if _first(t, function) and given.args else None
    state = t.component(Retracing)
    state.functions[function.graph] = function.key
    traces = state.traces.setdefault((function.graph, receiver), [])
    arguments = dict(_named(t, function, given))
    guards = t.path.guards.items()
    earlier = [held for held, path in traces if path.items() <= guards]
    is_new = all(_needs_trace(t, held, arguments) for held in earlier)
    if (is_new or not earlier) and len(traces) < MAX_KNOWN_TRACES:
        traces.append((arguments, t.path.guards))
    return is_new and bool(earlier) and len(traces) <= MAX_KNOWN_TRACES


def certain_traces(t: Tracer) -> Counter[int]:
    """Return how many traces of each function are certain, by the key of the function."""
    state, found = t.component(Retracing), Counter[int]()
    for (graph, _), traces in state.traces.items():
        assert isinstance(graph, int)
        most = MAX_RELAXED if _is_relaxed(t, graph) else None
        found[state.functions[graph]] += len([path for _, path in traces if not path][:most])
    return found


def traces_of(t: Tracer, function: Value) -> list[Mapping[str, Value]]:
    """Return the arguments of the calls of a traced function that needed a trace; none if not all calls are known."""
    receiver = function.owner if isinstance(function, Method) else None
    code = function.function if isinstance(function, Method) else function
    if t.is_standalone or not isinstance(code, Function):
        return []
    traces = t.component(Retracing).traces.get((code.graph, receiver), [])
    return [arguments for arguments, _ in traces] if len(traces) < MAX_KNOWN_TRACES else []


def _needs_trace(t: Tracer, earlier: Mapping[str, Value], later: Mapping[str, Value]) -> bool:
    """Return whether two calls of a function certainly need a trace each."""
    return any(_is_other(t, earlier[name], later[name]) for name in earlier.keys() & later.keys())


def _is_other(t: Tracer, first: Value, second: Value) -> bool:
    match first, second:
        case Const(value=one), Const(value=other):
            return one != other  # numbers of all types are compared as Python does
        case Ref(), Ref() if not {first.cls, second.cls} & {"user", *CONTAINERS}:
            return first != second
    return _differ(t, first, second)


# --- arguments -------------------------------------------------------------------------------------------------------


def _note_argument(
    t: Tracer, loops: Sequence[RunningLoop], function: Function, name: str, value: Value, given: Arguments
) -> None:
    """Find an argument that has another value or shape in each iteration of a running loop."""
    kind = ClashKind.RETRACE_SHAPE if isinstance(value, Tensor) else ClashKind.RETRACE_VALUE
    if kind is ClashKind.RETRACE_SHAPE and _is_relaxed(t, function.graph):
        return
    if kind is ClashKind.RETRACE_VALUE and _selects_code(t.functions[function.key].node, name):
        return
    if _varies(t, loops, value, given.place):
        _note(t, kind, given.place, function, _described(name, value), value)
        return
    receiver = given.args[0] if _first(t, function) and given.args else None
    parts = t.component(Retracing).parts.setdefault((loops[0], function.graph, receiver, given.place, name), [])
    held = t.freeze(value, deep=False) if isinstance(value, Ref) and value.cls in CONTAINERS else value
    is_new = _is_lambda_of_call(t, value, given.place) or all(
        _differ(t, part, held) or _are_new_data(t, loops[0], part, held) for part in parts
    )
    if len(parts) < MIN_TRACES and is_new:
        parts.append(held)
        if len(parts) == MIN_TRACES:
            _note(t, kind, given.place, function, _several(name, parts), value)


def _several(name: str, parts: Sequence[Value]) -> str:
    """Return the description of an argument that has had different values."""
    if all(isinstance(part, Tensor) for part in parts):
        shapes = ", ".join(show(part.shape) for part in parts[:3] if isinstance(part, Tensor))
        return f"{name} has shape {shapes} …, and each shape is traced anew"
    if all(isinstance(part, Const) for part in parts):
        values = ", ".join(_text(part.value) for part in parts[:3] if isinstance(part, Const))
        return f"{name} is {values} …, and each value is traced anew"
    return _described(name, parts[0])


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else repr(value)


def _described(name: str, value: Value) -> str:
    """Return the description of an argument that differs in each iteration."""
    match value:
        case Tensor():
            what = "has another shape"
        case Const(value=str()) | Scalar(kind="str"):
            what = "is another string of Python"
        case Ref(cls="dict") | Seq(kind="tuple"):
            what = "holds other values of Python"
        case Ref(cls="list") | Seq() | HomogeneousSeq():
            what = "holds other items"
        case Function() | Method() | Ref():
            what = "is a new object"
        case _:
            what = "is another number of Python"
    return f"{name} {what} in each iteration, and is traced anew"


def _is_relaxed(t: Tracer, graph: int) -> bool:
    """Return whether a `tf.function` object generalises the shapes of its arguments, or may do so."""
    return any(t.heap.get((graph, option)) not in (None, NONE, FALSE) for option in RELAXING)


def _selects_code(node: ir.FunctionDef | ir.Lambda, name: str) -> bool:
    """Return whether a function uses a parameter as only a Python value can be used: in a test, a range or an index."""
    tests = (ir.If, ir.While, ir.Conditional)
    for inner in nodes_in(node.body):
        parts: tuple[ir.Node, ...] = ()
        if isinstance(inner, tests):
            parts = (inner.test,)
        elif isinstance(inner, ir.Subscript):
            parts = (inner.index,)
        elif (
            isinstance(inner, ir.Call) and isinstance(inner.func, ir.Name) and inner.func.id in ("range", "isinstance")
        ):
            parts = (inner,)
        elif isinstance(inner, ir.For):
            parts = (inner.iter,)
        if parts and any(isinstance(each, ir.Name) and each.id == name for each in nodes_in(parts)):
            return True
    return False


def _varies(t: Tracer, loops: Sequence[RunningLoop], value: Value, place: Place) -> bool:
    """Return whether an argument certainly has another value or shape in each iteration of a loop."""
    state = t.component(RunningLoops)
    match value:
        case Tensor(shape=shape):
            return shape.is_ranked and any(map(state.counts, shape.sizes))
        case Int() | Scalar():
            return state.varies(value)
        case Ref(cls="list"):
            match t.contents(value):
                case HomogeneousSeq(element=element, length=length):
                    return state.counts(length) or state.varies(element)
                case Seq(items=items):
                    return any(map(state.varies, items))
            return False
        case Ref(cls="dict"):
            contents = t.contents(value)
            return isinstance(contents, Dict) and any(state.varies(held) for _, held in contents.items)
        case Seq(kind="tuple", items=items):
            return any(map(state.varies, items))
        case Function() if loops[-1].is_summary:
            return _is_lambda_of_call(t, value, place)
        case Ref(cls="user", address=address) if loops[-1].is_summary:
            return address > loops[-1].newest and _has_identity(t, value) and not _holds_unknowns(t, value)
    return False


def _is_lambda_of_call(t: Tracer, value: Value, place: Place) -> bool:
    """Return whether an argument is a lambda that is written in the call, and so a new function for each call."""
    node = t.functions[value.key].node if isinstance(value, Function) else None
    return isinstance(node, ir.Lambda) and place.start <= node.start < place.end


def _differ(t: Tracer, first: Value, second: Value) -> bool:
    """Return whether two arguments certainly need a trace each."""
    match first, second:
        case (Const(value=bool() | None), _) | (_, Const(value=bool() | None)):
            return False
        case Const(), Const():
            return first != second
        case Tensor(shape=a), Tensor(shape=b) if a.is_ranked and b.is_ranked:
            if a.rank != b.rank:
                return True
            pairs = zip(a.sizes, b.sizes, strict=True)
            return any(isinstance(x, int) and isinstance(y, int) and x != y for x, y in pairs)
        case Seq(), Seq():
            return _items_differ(first, second)
        case Dict(items=a), Dict(items=b):
            common = [(dict(a)[key], dict(b)[key]) for key in dict(a).keys() & dict(b).keys()]
            return any(isinstance(x, Const) and _differ(t, x, y) for x, y in common)
        case Ref(cls="user"), Ref(cls="user"):
            return first != second and _has_identity(t, first) and _attributes(t, first) == _attributes(t, second)
    return False


def _are_new_data(t: Tracer, loop: RunningLoop, first: Value, second: Value) -> bool:
    """Return whether two arguments are different objects that a loop has made, of numbers and texts alone."""
    if not isinstance(first, Ref) or not isinstance(second, Ref) or not first.cls == second.cls == "user":
        return False
    is_made_here = min(first.address, second.address) > loop.newest
    return (
        is_made_here
        and first != second
        and all(_has_identity(t, each) and _is_data(t, each) for each in (first, second))
    )


def _is_data(t: Tracer, value: Ref) -> bool:
    """Return whether an object has attributes, and all are numbers and texts."""
    held = [part for name, part in _attributes(t, value).items() if name != "__class__"]
    return bool(held) and all(isinstance(part, (Const, Int, Scalar)) for part in held)


def _items_differ(first: Seq, second: Seq) -> bool:
    if len(first.items) != len(second.items):
        return True
    numbers = [part for part in (*first.items, *second.items) if not isinstance(part, Const)]
    return not numbers and first.items != second.items


def _has_identity(t: Tracer, value: Ref) -> bool:
    """Return whether an object equals only itself."""
    return find_attribute(t, value, "__eq__") is None and find_attribute(t, value, "__tf_tracing_type__") is None


def _attributes(t: Tracer, value: Ref) -> dict[object, Value]:
    return {name: t.freeze(held) for name, held in t.heap.at(value.address)}


def _holds_unknowns(t: Tracer, value: Ref) -> bool:
    """Return whether an object holds what may differ from that of the object of another iteration."""
    held = [part for each in _attributes(t, value).values() for part in walk(each)]
    return any(isinstance(part, (Lost, Scalar, Int, Tensor)) for part in held)


# --- functions -------------------------------------------------------------------------------------------------------


def _note_function(t: Tracer, loops: Sequence[RunningLoop], function: Function, given: Arguments) -> None:
    """Find functions that are created and traced for a single call, again and again."""
    maker = _maker(t, function.graph)
    is_older = loops[0].newest >= function.graph or t.component(RunningLoops).is_imported(function.graph)
    if maker is None or is_older:
        return
    state = t.component(Retracing)
    captures = _captures(t, function, given)
    creation = state.creations.setdefault((loops[0], maker.place), Creation(captures))
    creation.calls[function.graph] = creation.calls.get(function.graph, 0) + 1
    is_called_in_loop = any(loop.newest >= function.graph for loop in loops)
    if is_called_in_loop or creation.calls[function.graph] > 1 or _objects(captures) != _objects(creation.captures):
        creation.is_kept = True
    inside = [loop for loop in loops if loop.is_summary and loop.newest < function.graph]
    is_endless = bool(inside) and not any(_is_new(capture, inside[-1]) for capture in captures)
    if not creation.is_kept and (is_endless or len(creation.calls) >= MIN_TRACES):
        place = maker.place if maker.name == MAKERS[1] else given.place
        name = "a function" if function.name == "<lambda>" else function.name
        _note(t, ClashKind.RETRACE_FUNCTION, place, function, f"{name} is made and traced anew for each call")


def _maker(t: Tracer, graph: int) -> Step | None:
    """Return the step that created the `tf.function` object at an address."""
    state, steps = t.component(Retracing), t.graph.steps
    for step in steps[min(state.searched, len(steps)) :]:
        if step.name in MAKERS:
            made = step.result
            while isinstance(made, (Partial, Method)):
                made = made.function
            if isinstance(made, Function) and made.graph:
                state.makers[made.graph] = step
    state.searched = len(steps)
    return state.makers.get(graph)


def _captures(t: Tracer, function: Function, given: Arguments) -> tuple[Value, ...]:
    """Return the values that a function uses from the scopes around it, and the instance that it is bound to."""
    node = t.functions[function.key].node
    bound = list(given.args[: _first(t, function)])
    names = sorted({each.id for each in nodes_in(node.body) if isinstance(each, ir.Name)} - node.bound)
    frame = t.frames.get(function.frame)
    found = [frame.variable(t.heap, name) for name in names] if frame is not None else []
    return (*bound, *(value for value in found if value is not None))


def _objects(values: Sequence[Value]) -> list[Value]:
    """Return the objects among captured values, and what may be one."""
    return [value for value in values if isinstance(value, (Ref, Lost))]


def _is_new(value: Value, loop: RunningLoop) -> bool:
    """Return whether a captured value is an object of the present iteration, or may be one."""
    if isinstance(value, Lost):
        return value.serial > loop.since
    return isinstance(value, Ref) and (value.address > loop.newest or value.cls in CONTAINERS)
