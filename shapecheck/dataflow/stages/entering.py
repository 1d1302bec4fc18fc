"""Calls that are traced into a graph: arguments become symbolic tensors, results tensors of the calling stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.stages.created_state import CreatedState
from shapecheck.dataflow.stages.trace_time import unwatched
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.stage import EAGER, KERAS, Stage
from shapecheck.dataflow.state.watch import Watch
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import (
    ANNOTATED,
    CONTAINERS,
    FALSE,
    NONE,
    TRUE,
    Choice,
    Const,
    Dict,
    Function,
    Int,
    Method,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    walk,
)
from shapecheck.models.lang.arguments import PYTHON_DTYPES
from shapecheck.models.lang.settings import EAGER_FUNCTIONS, EVER_EAGER, SETTINGS
from shapecheck.shapes.shape import SCALAR
from shapecheck.shapes.size import symbols

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_DEPTH = 4
COMPILING = ("jit_compile", "experimental_compile")
"""Options of `tf.function` that make XLA compile the graphs."""


def stage_of(t: Tracer, function: Function) -> Stage | None:
    """Return the stage of a function that `tf.function` traces; None if it runs in the stage of its caller."""
    names = (EAGER_FUNCTIONS, EVER_EAGER) if t.is_standalone else (EAGER_FUNCTIONS,)
    is_switched_off = any(t.heap.get((SETTINGS.address, name)) not in (None, NONE) for name in names)
    is_eager = t.target.tensorflow == 1 or is_switched_off
    if not function.graph or is_eager:
        return None
    is_converted = function.is_convertible and t.heap.get((function.graph, "autograph")) != FALSE
    is_compiled = any(t.heap.get((function.graph, option)) == TRUE for option in COMPILING)
    converts_more = t.heap.get((function.graph, "experimental_autograph_options")) not in (None, NONE)
    return Stage(function.key + 1, function.name, is_converted, is_compiled=is_compiled, converts_more=converts_more)


def graph_stage(function: Value, *, is_converted: bool) -> Stage:
    """Return the stage of a function that a library traces into a graph."""
    code = function.function if isinstance(function, Method) else function
    if not isinstance(code, Function):
        return Stage(-1, "", is_converted)
    return Stage(code.key + 1, code.name, is_converted and code.is_convertible)


def keras_stage(t: Tracer, function: Value, *, may_convert: bool) -> Stage:
    """Return the stage of a function that Keras traces into a graph, which AutoGraph converts before Keras 3."""
    code = function.function if isinstance(function, Method) else function
    name = code.name if isinstance(code, Function) else ""
    return Stage(KERAS, name, may_convert and t.target.keras != 3, may_convert and t.target.is_unmarked)


def call_in_stage(
    t: Tracer, stage: Stage, given: Arguments, run: Callable[[Arguments], Value], watch: Watch | None
) -> Value:
    """Run a call in a stage of its own, and under a watch unless it is part of such a call."""
    outer = t.stage
    if not outer.is_eager:
        t.stage = outer.nested(stage)
        try:
            return run(given)
        finally:
            t.stage = outer
    t.stage = stage
    t.has_graphs = True
    start, t.graph_start = t.graph_start, t.heap.address()
    t.watch = watch
    symbolic = given.with_values([_symbolic(t, value, stage.trace) for value in given.values])
    try:
        result = _traced(t, symbolic, run)
    finally:
        t.stage, t.graph_start = outer, start
        t.watch = unwatched(t)
    return released(t, result)


def _traced(t: Tracer, given: Arguments, run: Callable[[Arguments], Value]) -> Value:
    """Return the result of a trace; a function that creates variables is traced twice before it runs."""
    state = t.component(CreatedState)
    state.begin(t)
    count = state.count
    result = run(given)
    if state.count > count and not t.stage.is_retrace:
        t.stage = replace(t.stage, is_retrace=True)
        state.begin(t)
        result = run(given)
    return result


def call_outside(t: Tracer, given: Arguments, run: Callable[[Arguments], Value]) -> Value:
    """Run a call eagerly, as the graph that is being built will do when it runs."""
    outer, watch = t.stage, t.watch
    t.stage, t.watch = EAGER, None
    try:
        return run(given.with_values([released(t, value) for value in given.values]))
    finally:
        t.stage, t.watch = outer, watch


def as_symbolic(t: Tracer, value: Value) -> Value:
    """Return a value as the graph that is being built has it; the same value if there is none."""
    return value if t.stage.is_eager else _symbolic(t, value, t.stage.trace)


def as_row(t: Tracer, iterable: Value, item: Value) -> Value:
    """Return an item of a loop of the graph over a tensor whose items are known to the analysis."""
    if not isinstance(iterable, Tensor):
        return item
    row = item if isinstance(item, Tensor) else Tensor(SCALAR, iterable.dtype, content=item)
    return as_symbolic(t, row)


def as_results(t: Tracer, value: Value) -> Value:
    """Return what a traced function returns as its caller gets it: numbers, texts and arrays have become tensors."""
    match value:
        case Const(value=number) if type(number) in PYTHON_DTYPES:
            return _number(t, PYTHON_DTYPES[type(number)], value)
        case Scalar(kind="bool" | "int" | "float" | "complex" as kind, why=""):  # of Python or of an array
            return _number(t, "bool" if kind == "bool" else None)
        case Int(size=size) if not any(symbol.why == ANNOTATED for symbol in symbols(size)):
            return _number(t, "int32", value)
        case Choice(options=options):
            return t.join([(guard, as_results(t, option)) for guard, option in options])
        case Tensor(role="variable"):
            return replace(value, role="tensor", trace=t.stage.trace)
        case Tensor(library="np", role="tensor"):
            return replace(value, library="tf", trace=t.stage.trace)
        case Seq(kind="tuple" | "list", items=items):
            return replace(value, items=tuple(as_results(t, item) for item in items))
        case Dict(items=pairs):
            return replace(value, items=tuple((key, as_results(t, item)) for key, item in pairs))
        case Ref(cls="list" | "dict"):
            contents = t.contents(value)
            return value if contents is None else t.new_container(value.cls, as_results(t, contents))
    return value


def _number(t: Tracer, dtype: str | None, content: Value | None = None) -> Tensor:
    """Return a number as the tensor that a traced function makes of it."""
    return Tensor(SCALAR, dtype, "tf", content=content, trace=t.stage.trace)


def _symbolic(t: Tracer, value: Value, trace: int) -> Value:
    """Return an argument inside the function: arrays and tensors are symbolic tensors of the trace."""
    if isinstance(value, Tensor):
        if value.role not in ("tensor", "run-time") or value.library == "keras":
            return value
        role = "tensor" if value.content is None else "run-time"
        return replace(value, library="tf", trace=trace, role=role)
    if isinstance(value, Ref) and value.cls in CONTAINERS:
        contents = t.contents(value)
        if contents is None or not any(isinstance(part, Tensor) for part in walk(contents)):
            return value
        return t.new_container(value.cls, _symbolic(t, contents, trace))
    return map_children(value, lambda part: _symbolic(t, part, trace))


def released(t: Tracer, value: Value, depth: int = 0) -> Value:
    """Return a result outside the function: no tensor in it is symbolic."""
    if isinstance(value, Tensor):
        return replace(value, trace=0) if value.trace else value
    if isinstance(value, Ref):
        if depth < MAX_DEPTH:
            for key, held in t.heap.at(value.address):
                outside = released(t, held, depth + 1)
                if outside is not held:
                    t.heap.set((value.address, key), outside)
        return value
    return map_children(value, lambda part: released(t, part, depth))
