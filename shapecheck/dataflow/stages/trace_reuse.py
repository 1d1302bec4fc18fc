"""Calls that an earlier trace serves: they run the graph and no Python, so that nothing which Python changed changes
again.

The body of a function is followed again for such a call, since other elements may give other shapes: it begins with the
Python state that the trace began with, and leaves the state that it found.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from shapecheck.dataflow.stages.kept_results import is_kept_result
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.heap import Cell
from shapecheck.dataflow.state.traces import TraceKey, Traces
from shapecheck.domain.values import Const, Function, HomogeneousSeq, Int, Lost, Ref, Scalar, Seq, Tensor, Value
from shapecheck.shapes.size import Expr

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

CONCRETE = "concrete_signature"
"""The option of a `tf.function` object that has one trace for all calls."""

ONLY = TraceKey(())
"""The key of that trace."""


def is_made_now(t: Tracer, function: Function) -> bool:
    """Return whether a call is the one that makes the only trace of a function."""
    is_concrete = t.heap.get((function.graph, CONCRETE)) is not None
    return is_concrete and t.heap.get((function.graph, ONLY)) is None


def key_of(t: Tracer, function: Function, given: Arguments) -> TraceKey | None:
    """Return what the library compares of a call with earlier ones; None if that is not known."""
    if t.heap.get((function.graph, CONCRETE)) is not None:
        return ONLY
    variables: dict[tuple[int, int], int] = {}
    specs = tuple((name, _spec(t, value, variables)) for name, value in _bound(t, function, given))
    return TraceKey(specs) if given.is_complete and all(spec is not None for _, spec in specs) else None


def _bound(t: Tracer, function: Function, given: Arguments) -> Iterator[tuple[str, Value]]:
    """Yield the arguments of a call and the defaults of the others, by name in the order of the parameters."""
    params = t.functions[function.key].node.params
    plain = [param.name for param in params if param.kind in ("plain", "positional")]
    named = {**dict(function.defaults), **given.keywords, **dict(zip(plain, given.args, strict=False))}
    yield from ((param.name, named.pop(param.name)) for param in params if param.name in named)
    yield from named.items()
    yield from (("*", value) for value in given.args[len(plain) :])


def _spec(t: Tracer, value: Value, variables: dict[tuple[int, int], int]) -> Hashable:
    """Return what the library compares of an argument; None if that is not known.

    Of variables it compares shapes and dtypes, and which arguments are the same one.
    """
    match value:
        case Const(value=constant):
            return (constant,)  # numbers of all types are compared as Python does
        case Tensor(role="variable", step=step, output=output):
            alias = variables.setdefault((step, output), len(variables))
            return ("variable", alias, value.shape, value.dtype) if value.shape.is_ranked else None
        case Tensor(shape=shape, dtype=dtype):
            return (shape, dtype) if shape.is_ranked else None
        case HomogeneousSeq(kind="generator" | "iterator", length=Expr()):
            return value
        case Int() | Scalar() | Lost() | HomogeneousSeq():
            return None
        case Ref(cls="list" | "dict" | "set"):
            contents = t.contents(value)
            return None if contents is None else _spec(t, contents, variables)
        case Seq(kind=kind, items=items):
            parts = tuple(_spec(t, item, variables) for item in items)
            return None if None in parts else (kind, parts)
    return value


def with_reuse(
    t: Tracer, function: Function, given: Arguments, run: Callable[[Arguments], Value]
) -> Callable[[Arguments], Value]:
    """Return what runs a call of a traced function, without effects of Python if there is a trace for it."""
    key = key_of(t, function, given)
    if key is None or t.is_standalone:
        return run
    cell, traces = (function.graph, key), t.component(Traces)
    known = t.heap.get(cell)

    def first(symbolic: Arguments) -> Value:
        start, mark = t.heap.address(), t.heap.mark()
        result = run(symbolic)
        before = t.heap.before(mark)
        traces.changes.append({at: before[at] for at in _of_python(t, before, start)})
        t.heap.set(cell, Const(len(traces.changes) - 1))
        return result

    def again(symbolic: Arguments) -> Value:
        assert isinstance(known, Const) and isinstance(known.value, int)
        start, mark, event = t.heap.address(), t.heap.mark(), t.heap.event()
        t.heap.apply(traces.changes[known.value])
        result = run(symbolic)
        before = t.heap.before(mark)
        found = {at: before[at] for at in _of_python(t, before, start)}
        t.heap.note_reads(event, found)
        t.heap.apply(found)
        return result

    if known is None:
        return first
    return again if isinstance(known, Const) and isinstance(known.value, int) else run


def _of_python(t: Tracer, cells: Iterable[Cell], start: int) -> list[Cell]:
    """Return those of these cells that are variables, contents or attributes of the program, older than an address."""
    assigned = t.component(Traces).attributes
    older = [cell for cell in cells if 0 < cell[0] < start or is_kept_result(cell)]
    return [
        cell for cell in older if cell[0] in t.frames or cell[1] == "items" or cell in assigned or is_kept_result(cell)
    ]
