"""Which objects made what: the calls of objects in the dataflow graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import Ref, Tensor, Value, walk

Output: TypeAlias = tuple[int, int]


def _outputs(value: Value | None) -> list[Output]:
    """The numbers of the tensors in a value."""
    parts = () if value is None else walk(value)
    return [(part.step, part.output) for part in parts if isinstance(part, Tensor) and part.step]


def _owner(step: Step) -> Ref | None:
    """The object that a step is a call of."""
    is_call = step.name.endswith(".__call__") and step.args
    return step.args[0] if is_call and isinstance(step.args[0], Ref) else None


def producers(graph: Graph, outputs: Sequence[Value]) -> tuple[tuple[Ref, Value], ...]:
    """The objects whose calls the outputs come from, each with what that call gave, in the order of the calls; what
    such a call calls in turn is its own affair."""
    made = {output for value in outputs for output in _outputs(value)}
    needed = {step.id for step in graph.ancestors([number for number, _ in made])}
    return tuple(_outermost(graph, needed))


def _outermost(graph: Graph, needed: set[int]) -> Iterator[tuple[Ref, Value]]:
    inside = 0  # the last step that an object met before has made
    for step in graph.steps[: max(needed, default=0)]:
        owner, given = _owner(step), _outputs(step.result)
        if owner is None or step.id <= inside or not any(number in needed for number, _ in given):
            continue
        inside = max(number for number, _ in given)
        assert step.result is not None
        yield owner, step.result


def results(graph: Graph, owner: Value) -> tuple[Value, ...]:
    """What the calls of an object gave, the last one last."""
    return tuple(step.result for step in graph.steps if _owner(step) == owner and step.result is not None)
