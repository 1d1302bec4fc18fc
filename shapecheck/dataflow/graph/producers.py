"""The objects that produced values: calls of objects in the dataflow graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

from shapecheck.dataflow.graph.steps import Graph
from shapecheck.domain.values import Ref, Tensor, Value, walk

Output: TypeAlias = tuple[int, int]


def _outputs(value: Value | None) -> list[Output]:
    """Return the step and output numbers of the tensors in a value."""
    parts = () if value is None else walk(value)
    return [(part.step, part.output) for part in parts if isinstance(part, Tensor) and part.step]


def producers(graph: Graph, outputs: Sequence[Value]) -> tuple[tuple[Ref, Value], ...]:
    """Return the objects whose calls produced the outputs, each with the result of the call, in call order.

    Calls that are made within such a call are not included.
    """
    made = {output for value in outputs for output in _outputs(value)}
    needed = {step.id for step in graph.ancestors([number for number, _ in made])}
    return tuple(_outermost(graph, needed))


def _outermost(graph: Graph, needed: set[int]) -> Iterator[tuple[Ref, Value]]:
    """Yield the objects whose calls are among the steps, without calls within their calls."""
    inside = 0  # the last step of the previous call of an object
    last = max(needed, default=0)
    for step in takewhile(lambda call: call.id <= last, graph.object_calls):
        if step.id <= inside:
            continue
        given = _outputs(step.result)
        if not any(number in needed for number, _ in given):
            continue
        inside = max(number for number, _ in given)
        assert step.owner is not None and step.result is not None
        yield step.owner, step.result


def results(graph: Graph, owner: Value) -> tuple[Value, ...]:
    """Return the results of the calls of an object, in call order."""
    calls = graph.calls_of.get(owner, ()) if isinstance(owner, Ref) else ()
    return tuple(step.result for step in calls if step.result is not None)


def sources(graph: Graph, owner: Ref) -> tuple[Ref, ...]:
    """Return the objects that were arguments of the steps which an object comes from, the latest ones first."""
    found = {owner: None}
    for step in reversed(graph.steps):
        if isinstance(step.result, Ref) and step.result in found:
            given = step.given
            found |= {part: None for value in given for part in walk(value) if isinstance(part, Ref)}
    return tuple(found)[1:]


def operations(
    graph: Graph, name: str, targets: Sequence[Value], origins: Sequence[Value]
) -> tuple[tuple[Value, ...], ...]:
    """Return the arguments of the operations of a name that the targets depend on, and that depend on the origins."""
    wanted = {output for value in origins for output in _outputs(value)}
    found = []
    for step in graph.ancestors([number for value in targets for number, _ in _outputs(value)]):
        if step.name == name:
            before = graph.ancestors([tensor.step for _, tensor in step.operands()])
            read = {(tensor.step, tensor.output) for one in (*before, step) for _, tensor in one.operands()}
            if read & wanted:
                found.append(tuple(step.args))
    return tuple(found)
