"""Graphs that a program makes with `tf.Graph()`: which of them operations belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck.domain.values import TRUE, Lost, Ref, Tensor, Value, walk

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

OWN = "is_own"
"""The attribute of a graph that the program has made itself."""
ROLES = ("placeholder", "run-time", "tensor", "variable")


@dataclass(slots=True)
class Span:
    """The steps that are made while a graph is the default one; None is a graph that is not known."""

    graph: Ref | None
    first: int
    last: int | None = None


@dataclass(slots=True)
class OwnGraphs:
    """The spans of steps of all graphs, in the order in which they begin."""

    spans: list[Span] = field(default_factory=list)


@contextmanager
def building(t: Tracer, managers: Sequence[Value]) -> Iterator[None]:
    """Note, within the context, which graph operations belong to in the body of a `with` statement."""
    graphs = [_graph(t, manager) for manager in managers]
    is_unknown = any(isinstance(each, Lost) or (isinstance(each, Ref) and each.cls == "user") for each in managers)
    known = next((graph for graph in reversed(graphs) if graph is not None), None)
    if known is None and not is_unknown:
        yield
        return
    span = Span(known, len(t.graph.steps))
    t.component(OwnGraphs).spans.append(span)
    try:
        yield
    finally:
        span.last = len(t.graph.steps)


@contextmanager
def in_unknown_graph(t: Tracer) -> Iterator[None]:
    """Say nothing, within the context, about the graph that operations belong to."""
    spans = t.component(OwnGraphs).spans
    if not spans:
        yield
        return
    span = Span(None, len(t.graph.steps))
    spans.append(span)
    try:
        yield
    finally:
        spans.remove(span)


def _graph(t: Tracer, manager: Value) -> Ref | None:
    """Return the graph of the program that a context manager makes the default one."""
    if isinstance(manager, Ref) and manager.cls == "tf.Session":
        held = t.heap.get((manager.address, "of_graph"))
        manager = held if held is not None else manager
    is_own = isinstance(manager, Ref) and manager.cls == "tf.Graph" and t.heap.get((manager.address, OWN)) == TRUE
    return manager if is_own and isinstance(manager, Ref) else None


def default_graph(t: Tracer) -> Ref | None:
    """Return the graph of the program that operations belong to now."""
    return next((span.graph for span in reversed(t.component(OwnGraphs).spans) if span.last is None), None)


def graph_of(t: Tracer, tensor: Tensor) -> Ref | None:
    """Return the graph of the program that a tensor belongs to; None if it is not known."""
    if tensor.library != "tf" or tensor.role not in ROLES or not tensor.step:
        return None
    spans = reversed(t.component(OwnGraphs).spans)
    return next((s.graph for s in spans if s.first < tensor.step and (s.last is None or tensor.step <= s.last)), None)


def stranger(t: Tracer, graph: Ref | None, values: Iterable[Value]) -> Tensor | None:
    """Return a tensor in the values that certainly belongs to another graph."""
    if graph is None or _graph(t, graph) is None:
        return None
    tensors = (part for value in values for part in walk(value) if isinstance(part, Tensor))
    return next((tensor for tensor in tensors if graph_of(t, tensor) not in (None, graph)), None)
