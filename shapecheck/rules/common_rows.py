"""Arrays whose rows belong together, as those of one batch."""

from __future__ import annotations

from shapecheck.dataflow.graph.steps import Graph
from shapecheck.domain.values import Tensor


def have_rows_in_common(graph: Graph, one: Tensor, other: Tensor) -> bool:
    """Return whether two arrays are computed from one that has their rows, and that is no variable."""
    first, second = ({step.id for step in graph.ancestors([array.step])} for array in (one, other))
    made = {each: result for each in first & second if isinstance(result := graph[each].result, Tensor)}
    variables = [each for each, result in made.items() if result.role == "variable"]
    of_variables = {step.id for step in graph.ancestors(variables)}
    rows = one.shape.size(0)
    return any(result.shape.size(0) == rows for each, result in made.items() if each not in of_variables)
