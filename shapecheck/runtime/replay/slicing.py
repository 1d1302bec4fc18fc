"""Program slicing: the steps that a replay needs, which are the ancestors of the clash and the steps that made their
objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import Ref, Tensor, Value, walk

_CHANGING = frozenset({"add", "build", "compile"})
_NEVER_MADE = frozenset({"user", "tf.Session", "tf.InteractiveSession"})  # a replay opens a session of its own


class BackwardSlicer:
    """The graph with its library objects: the step that made each, and the steps that changed it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._makers: dict[int, Step] = {}
        self._users: dict[int, list[Step]] = {}
        for step in graph.steps:
            if isinstance(step.result, Ref):
                self._makers.setdefault(step.result.address, step)
            if step.args and isinstance(step.args[0], Ref):
                self._users.setdefault(step.args[0].address, []).append(step)

    def maker(self, ref: Ref) -> Step | None:
        """Return the step that made an object of a library."""
        return self._makers.get(ref.address)

    def changes(self, ref: Ref, before: int) -> list[Step]:
        """Return the steps that changed an object (layers added, a model compiled) before a step."""
        return [step for step in self._users.get(ref.address, ()) if step.id < before and is_change(step)]

    def first_call(self, ref: Ref, before: int) -> Step | None:
        """Return the first call of a layer before a step, which determined what the layer remembers."""
        calls = (step for step in self._users.get(ref.address, ()) if step.id < before and _method(step) == "__call__")
        return next(calls, None)

    def chain(self, root: Step) -> list[Step]:
        """Return all steps that lead to one, itself last."""
        return self._closure([root], root, through_tensors=True)

    def objects(self, root: Step) -> list[Step]:
        """Return the steps that made the objects that a step uses, and the step itself, without those of its
        tensors."""
        makers = [step for value in _values(root) for step in self._object_steps(value, root)]
        steps = self._closure(makers, root, through_tensors=True)
        return [*(step for step in steps if step.id != root.id), root]

    def _closure(self, roots: Iterable[Step], last: Step, *, through_tensors: bool) -> list[Step]:
        seen: dict[int, Step] = {}
        todo = list(roots)
        while todo:
            step = todo.pop()
            if step.id in seen:
                continue
            seen[step.id] = step
            for value in _values(step):
                todo += self._object_steps(value, last)
                if through_tensors and isinstance(value, Tensor) and value.step:
                    todo.append(self.graph[value.step])
        return [seen[number] for number in sorted(seen)]

    def _object_steps(self, value: Value, last: Step) -> list[Step]:
        if not isinstance(value, Ref) or value.cls in _NEVER_MADE:
            return []
        maker = self.maker(value)
        return ([maker] if maker is not None else []) + self.changes(value, last.id)


def _values(step: Step) -> Iterator[Value]:
    for value in step.given:
        yield from walk(value)


def is_change(step: Step) -> bool:
    """Return whether a step only changes the object whose method it is."""
    return bool(step.args) and isinstance(step.args[0], Ref) and _method(step) in _CHANGING


def _method(step: Step) -> str:
    return step.name.rpartition(".")[2]
