"""Calls of traced functions that TensorFlow cannot serve by an earlier trace, so that it builds another graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.objects.declared_classes import items as named_items
from shapecheck.dataflow.paths.constraints import notice
from shapecheck.dataflow.stages.signatures import BINDERS
from shapecheck.dataflow.stages.trace_reuse import is_made_now
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.path import PathState
from shapecheck.dataflow.state.running_loops import RunningLoop, RunningLoops
from shapecheck.domain.values import (
    CONTAINERS,
    FALSE,
    NONE,
    Class,
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
from shapecheck.findings import Frame
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
Frames: TypeAlias = tuple[Frame, ...]
MAX_CAPTURES = 200
MAKERS = ("tf.function", "types.FunctionType.get_concrete_function")


@dataclass(slots=True)
class Creation:
    """The functions that one place creates while a loop runs.

    `captures` are the values that the first of them uses, `state` what the last that is called again finds in them;
    `calls` counts the calls of those that do the same. The functions are `kept` if they certainly or possibly differ.
    """

    captures: tuple[Value, ...]
    state: Sequence[Value] | None = None
    calls: dict[int, int] = field(default_factory=dict)
    is_kept: bool = False


@dataclass(slots=True)
class Retracing:
    """The calls of traced functions so far.

    `parts` are the different values of each argument of a function, by the running loop and the place of the calls.
    `makers` are the steps that created functions, by their `tf.function` object. `traces` are the arguments and the
    path of each call of a function, and of each instance if it is a method, that needed a trace; `functions` are the
    keys of these functions. `notes` counts what is noted of calls.
    """

    parts: dict[tuple[object, ...], list[Value]] = field(default_factory=dict)
    creations: dict[tuple[object, ...], Creation] = field(default_factory=dict)
    makers: dict[int, Step] = field(default_factory=dict)
    traces: dict[tuple[object, ...], list[Trace]] = field(default_factory=dict)
    functions: dict[int, int] = field(default_factory=dict)
    searched: int = 0
    notes: int = 0
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


def _note(
    t: Tracer,
    kind: ClashKind,
    place: Place,
    function: Function,
    said: str,
    *operands: Value,
    frames: Frames | None = None,
) -> None:
    """Note once that TensorFlow traces a function again and again; `frames` are the calls on the way to the place."""
    noted = t.component(Retracing).noted
    if (kind, place) in noted:
        return
    noted.add((kind, place))
    step = t.add_step("call", function.name, operands, {}, place)
    step.frames = step.frames if frames is None else frames
    with t.during(step):
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
    defaults = dict(function.defaults)
    is_new = all(_needs_trace(t, {**defaults, **held}, {**defaults, **arguments}) for held in earlier)
    if (is_new or not earlier) and len(traces) < MAX_KNOWN_TRACES:
        state.notes += all(_needs_trace(t, held, arguments) for held, _ in traces)
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
    first, second = _as_structure(t, first), _as_structure(t, second)
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
    value = _as_structure(t, value)
    kind = ClashKind.RETRACE_SHAPE if isinstance(value, Tensor) else ClashKind.RETRACE_VALUE
    if kind is ClashKind.RETRACE_SHAPE and _is_relaxed(t, function.graph):
        return
    if kind is ClashKind.RETRACE_VALUE and _selects_code(t.functions[function.key].node, name):
        return
    varies = _varies(t, loops, value, given.place)
    if varies and any(loop.is_summary for loop in loops):
        _note(t, kind, given.place, function, _described(name, value), value)
        return
    receiver = given.args[0] if _first(t, function) and given.args else None
    parts = t.component(Retracing).parts.setdefault((loops[0], function.graph, receiver, given.place, name), [])
    is_new = (
        varies
        or _is_lambda_of_call(t, value, given.place)
        or all(_differ(t, part, value) or _are_new_data(t, loops[0], part, value) for part in parts)
    )
    if len(parts) < MIN_TRACES and is_new:
        parts.append(value)
        t.component(Retracing).notes += 1
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
        case Dict() | Seq(kind="tuple"):
            what = "holds other values of Python"
        case Seq() | HomogeneousSeq():
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
        case Function() if loops[-1].is_summary:
            return _is_lambda_of_call(t, value, place)
        case Ref(cls="user", address=address) if loops[-1].is_summary:
            return address > loops[-1].newest and _has_identity(t, value) and not _holds_unknowns(t, value)
    return _holds_varying(t, value)


def _holds_varying(t: Tracer, value: Value) -> bool:
    """Return whether a structure has other numbers, texts or lengths in each iteration of a loop."""
    state = t.component(RunningLoops)
    match value:
        case HomogeneousSeq(element=element, length=length):
            return state.counts(length) or state.varies(element)
        case Seq(items=items):
            return any(state.varies(item) or _holds_varying(t, _as_structure(t, item)) for item in items)
        case Dict(items=entries):
            return any(state.varies(item) or _holds_varying(t, _as_structure(t, item)) for _, item in entries)
    return False


def _as_structure(t: Tracer, value: Value) -> Value:
    """Return the items of a list, dict or named tuple; anything else as it is."""
    if isinstance(value, Ref) and value.cls in CONTAINERS:
        return t.freeze(value, deep=False)
    fields = named_items(t, value) if isinstance(value, Ref) else None
    return value if fields is None else Seq("tuple", tuple(fields))


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
            return _items_differ(t, first, second)
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


def _items_differ(t: Tracer, first: Seq, second: Seq) -> bool:
    if len(first.items) != len(second.items):
        return True
    pairs = list(zip(first.items, second.items, strict=True))
    if all(isinstance(part, Const) for pair in pairs for part in pair):
        return first.items != second.items
    return any(isinstance(x, Const) and _differ(t, x, y) for x, y in pairs)


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
    """Find functions that are created and traced again and again, though one would do."""
    maker = _maker(t, function.graph)
    is_older = loops[0].newest >= function.graph or t.component(RunningLoops).is_imported(function.graph)
    if maker is None or is_older:
        return
    state = t.component(Retracing)
    state.notes += 1
    captures = _captures(t, function, given)
    creation = state.creations.setdefault((loops[0], maker.place), Creation(captures))
    creation.calls[function.graph] = creation.calls.get(function.graph, 0) + 1
    is_called_in_loop = any(loop.newest >= function.graph for loop in loops)
    is_called_again = is_called_in_loop or creation.calls[function.graph] > 1
    outside = [loop for loop in loops if loop.newest < function.graph]
    creation.is_kept |= _objects(captures) != _objects(creation.captures)
    if is_called_again and not _is_equal(t, captures, creation, outside[-1]):
        creation.is_kept |= outside[-1].is_summary
        creation.calls = {function.graph: 1}
    inside = [loop for loop in outside if loop.is_summary]
    is_endless = bool(inside) and not any(_is_new(capture, inside[-1]) for capture in captures)
    if creation.is_kept or not (is_endless or len(creation.calls) >= MIN_TRACES):
        return
    name = "a function" if function.name == "<lambda>" else function.name
    said = f"{name} is made and traced anew for each call"
    if is_called_again:
        said = f"{name} is made and traced anew in each iteration"
    place, frames = _making(t, maker, function, given)
    if is_called_again and outside[-1].is_summary:  # when it has been followed, it is known what it changes
        outside[-1].at_end.append(partial(_note_unless_kept, t, creation, t.path, place, function, said, frames))
    else:
        _note(t, ClashKind.RETRACE_FUNCTION, place, function, said, frames=frames)


def _note_unless_kept(
    t: Tracer, creation: Creation, path: PathState, place: Place, function: Function, said: str, frames: Frames
) -> None:
    """Note that a function is made again and again, on the path of its call, unless they may do different things."""
    if not creation.is_kept:
        before, t.path = t.path, path
        _note(t, ClashKind.RETRACE_FUNCTION, place, function, said, frames=frames)
        t.path = before


def _making(t: Tracer, maker: Step, function: Function, given: Arguments) -> tuple[Place, Frames]:
    """Return where the code around a call makes the function that it calls, and the calls on the way to that."""
    frames = tuple(t.call_stack.frames)
    pairs = zip(maker.frames, frames, strict=False)
    common = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(maker.frames), len(frames)))
    place = maker.frames[common].place if common < len(maker.frames) else _place_of(t, maker, function)
    if place.filename == given.place.filename and place.start <= given.place.start and given.place.end <= place.end:
        place = given.place
    return place, maker.frames[:common]


def _place_of(t: Tracer, maker: Step, function: Function) -> Place:
    """Return where a function is made: its decorator, if it has one."""
    node, place = t.functions[function.key].node, maker.place
    if isinstance(node, ir.FunctionDef) and node.decorators and node.name_start == place.start:
        return Place(place.source, node.decorators[0].start, node.decorators[0].end)
    return place


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
    """Return the instance that a function is bound to and the values that it uses from the scopes around it, then those
    that the functions and classes among them use."""
    bound = list(given.args[: _first(t, function)])
    found: list[Value] = [*bound, *_free(t, function)]
    seen = {function.key}
    for value in found:
        for inner in _functions_of(t, value):
            if inner.key not in seen and len(found) < MAX_CAPTURES:
                seen.add(inner.key)
                found += _free(t, inner)
    return tuple(found)


def _free(t: Tracer, function: Function) -> list[Value]:
    """Return the values that a function uses from the scopes around it."""
    node, frame = t.functions[function.key].node, t.frames.get(function.frame)
    names = sorted({each.id for each in nodes_in(node.body) if isinstance(each, ir.Name)} - node.bound)
    found = [frame.variable(t.heap, name) for name in names] if frame is not None else []
    return [value for value in found if value is not None]


def _functions_of(t: Tracer, value: Value) -> list[Function]:
    """Return the functions of the program that a value may call: itself, or the methods of its class."""
    value = value.function if isinstance(value, Method) else value
    if isinstance(value, Ref) and value.cls == "user":
        value = t.heap.get((value.address, "__class__")) or NONE
    if isinstance(value, Class):
        return [held for _, held in t.heap.at(value.address) if isinstance(held, Function)]
    return [value] if isinstance(value, Function) else []


def _is_equal(t: Tracer, captures: Sequence[Value], creation: Creation, loop: RunningLoop) -> bool:
    """Return whether a function certainly does what the function of the iteration before does."""
    objects = [value for value in captures if isinstance(value, Ref) and value.cls == "user"]
    state = [*captures, *(part for each in objects for part in _attributes(t, each).values())]
    if loop.is_summary:
        return not any(_may_change(t, part, loop) for value in state for part in walk(value))
    before, creation.state = creation.state, state
    return state == before or before is None


def _may_change(t: Tracer, value: Value, loop: RunningLoop) -> bool:
    """Return whether a value may be another one in the next iteration of a loop."""
    match value:
        case Tensor():
            return value.role != "variable" or value.step > loop.steps
        case Scalar():
            return value.serial > loop.since or t.component(RunningLoops).varies(value)
        case Int(size=size):
            return any(symbol in loop.counters for symbol in size.symbols())
        case Ref():
            return value.address > loop.newest
    return _is_new(value, loop)


def _objects(values: Sequence[Value]) -> list[Value]:
    """Return the objects among captured values, and what may be one."""
    return [value for value in values if isinstance(value, (Ref, Lost))]


def _is_new(value: Value, loop: RunningLoop) -> bool:
    """Return whether a captured value is an object of the present iteration, or may be one."""
    if isinstance(value, Lost):
        return value.serial > loop.since
    return isinstance(value, Ref) and (value.address > loop.newest or value.cls in CONTAINERS)
