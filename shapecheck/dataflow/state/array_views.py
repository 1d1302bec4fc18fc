"""Views: arrays that share their contents with others, which may have changed since."""

from __future__ import annotations

from collections.abc import Iterator

from shapecheck.dataflow.graph.steps import Graph
from shapecheck.dataflow.state.heap import Heap
from shapecheck.domain.values import Tensor
from shapecheck.models.lang.output_arrays import may_be_view
from shapecheck.shapes.shape import SCALAR


def bases_of(graph: Graph, array: Tensor) -> Iterator[Tensor]:
    """Yield the arrays that an array may share its contents with, in their original state."""
    while array.step and array.shape != SCALAR and may_be_view(graph[array.step].name):
        owner = next(iter(graph[array.step].args), None)
        if not isinstance(owner, Tensor):
            return
        array = owner
        yield array


def is_stale(heap: Heap, graph: Graph, array: Tensor) -> bool:
    """Return whether the base of a view was changed since the view was made."""
    return any(_is_changed(heap, base) for base in bases_of(graph, array))


def _is_changed(heap: Heap, array: Tensor) -> bool:
    """Return whether the content of an array was changed since it was made."""
    now = heap.get((0, (array.step, array.output)))
    return isinstance(now, Tensor) and now.content != array.content
