"""Steps of a dataflow graph as a drawing: a frame for each call of a function, a box for each step, the failing one
marked."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import Ref, Tensor, Value, walk
from shapecheck.findings import Frame
from shapecheck.report.drawing.svg import Drawing, Group, Node
from shapecheck.shapes.text import show

MOST_STEPS = 40
_LONGEST = 36
_CALL = ".__call__"


def slice_of(graph: Graph, failing: Step) -> Drawing:
    """Return what a failing step depends on: the nearest steps, if there are many."""
    steps = _nearest(graph, failing)
    return _drawing(graph, steps, f"What leads to {_title(failing)} in line {failing.place.row}", {failing.id})


def whole(graph: Graph, failing: AbstractSet[int]) -> Drawing:
    """Return all steps that make tensors, and those that fail."""
    steps = [s for s in graph.steps if s.id in failing or (s.kind != "call" and _makes_tensor(s))]
    return _drawing(graph, steps, "Dataflow of the program", failing)


def _makes_tensor(step: Step) -> bool:
    """Return whether a tensor comes from this step, not from another one within it."""
    return any(tensor.step == step.id for tensor in _tensors(step.result))


def _nearest(graph: Graph, failing: Step) -> list[Step]:
    """Return the failing step and those that lead to it, the nearest ones first found, in the order of tracing."""
    found = {failing.id}
    level = [failing]
    while level and len(found) < MOST_STEPS:
        numbers = dict.fromkeys(tensor.step for step in level for _, tensor in step.operands() if tensor.step)
        level = [graph[number] for number in numbers if number not in found][: MOST_STEPS - len(found)]
        found |= {step.id for step in level}
    return [graph[number] for number in sorted(found)]


def _drawing(graph: Graph, steps: list[Step], title: str, failing: AbstractSet[int]) -> Drawing:
    made = {_made(step): step for step in graph.steps}
    numbers = {step.id: number for number, step in enumerate(steps)}
    groups = _Groups()
    nodes = [
        _node(
            step, made.get(owner) if (owner := _owner(step)) else None, groups.number(step.frames), step.id in failing
        )
        for step in steps
    ]
    read = [(tensor.step, step.id) for step in steps for _, tensor in step.operands()]
    edges = dict.fromkeys((numbers[start], numbers[end]) for start, end in read if start in numbers)
    return Drawing(title, nodes, list(edges), groups.found)


def _owner(step: Step) -> Value | None:
    """Return the layer that a step calls."""
    return step.args[0] if step.name.endswith(_CALL) and step.args else None


def _made(step: Step) -> Value | None:
    """Return the object that a step makes."""
    return step.result if step.kind == "op" and isinstance(step.result, Ref) else None


class _Groups:
    """The calls that steps were made in, each a group inside that of the call around it."""

    def __init__(self) -> None:
        self.found: list[Group] = []
        self._numbers: dict[tuple[Frame, ...], int] = {}

    def number(self, frames: tuple[Frame, ...]) -> int | None:
        if not frames:
            return None
        if frames not in self._numbers:
            parent = self.number(frames[:-1])
            last = frames[-1]
            self._numbers[frames] = len(self.found)
            self.found.append(Group(f"{last.function}(), line {last.place.row}", parent))
        return self._numbers[frames]


def _node(step: Step, made: Step | None, group: int | None, is_failing: bool) -> Node:
    """Return the box of a step; that of a layer's call tells where the layer was `made`, too."""
    result = "fails" if is_failing else ", ".join(show(tensor.shape) for tensor in _tensors(step.result))
    where = f"line {step.place.row}"
    if made is not None and made.place.row != step.place.row:
        where += f", made in line {made.place.row}"
    title = _title(step if made is None else made)
    return Node(
        title, tuple(filter(None, (result, where))), _kind(step, is_failing), group, f"{step.name}, {step.place}"
    )


def _kind(step: Step, is_failing: bool) -> str:
    if is_failing:
        return "fault"
    if not any(True for _ in step.operands()):
        return "input"
    tensors = _tensors(step.result)
    return "op" if tensors and all(tensor.shape.is_ranked for tensor in tensors) else "unknown"


def _title(step: Step) -> str:
    """Return the code of a step if it is short, otherwise the name of its operation."""
    if step.kind in ("phi", "loop"):
        return "either" if step.kind == "phi" else "in each iteration"
    written = " ".join(step.place.text.split())
    name = step.name.removesuffix(_CALL).rpartition(".")[2]
    return written if 0 < len(written) <= _LONGEST and not step.name.endswith(_CALL) else f"{name}(…)"


def _tensors(result: Value | None) -> list[Tensor]:
    return [] if result is None else [part for part in walk(result) if isinstance(part, Tensor)]
