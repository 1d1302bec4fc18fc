"""The dataflow graph: steps, the values that flow between them, and its view as a networkx graph.

Steps are numbered from 1 in the order of tracing, so operands always precede their users except around loops. This
module knows nothing of syntax beyond places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from shapecheck.domain.values import Ref, Tensor, Value, walk
from shapecheck.findings import Frame
from shapecheck.source import Place

if TYPE_CHECKING:
    import networkx

    from shapecheck.models.lang.registry import Model

ANNOTATION = "annotation"
"""The name of steps that make an array which only an annotation describes, or compare one with its annotation."""
DECLARED_BY = "declared_by"
"""The operand of such a comparison that tells which function has the annotation."""
ANNOTATED_SIZE = "size that an annotation names"
ASSUMED_AXIS = "axis of a batch that is taken for granted"
StepKind = Literal["op", "call", "phi", "loop", "input"]


@dataclass(slots=True)
class Step:
    """One node: an operation (`op`), user function (`call`), join of branches (`phi`), loop value (`loop`), or input.

    `args` and `keywords` are frozen values; tensors in them refer to the steps that made them. `model` can run the step
    again; `replayed` says that it was made by re-execution. `guards` are those of its path, `ambient` what `with`
    statements around it set. A call that an earlier one answered is `like` the step within that one. A step that
    clashes only for some alternatives of its operands is a suspect, of which nothing is reported.
    """

    id: int
    kind: StepKind
    name: str
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
    place: Place
    frames: tuple[Frame, ...] = ()
    result: Value | None = None
    model: Model | None = None
    replayed: bool = False
    guards: Mapping[Value, bool] = field(default_factory=dict)
    ambient: Value | None = None
    like: int = 0
    is_suspect: bool = False
    _sources: tuple[int, ...] | None = field(default=None, repr=False, compare=False)

    @property
    def given(self) -> tuple[Value, ...]:
        """All arguments, positional ones first."""
        return (*self.args, *(value for _, value in self.keywords))

    @property
    def owner(self) -> Ref | None:
        """Return the object that this step calls, or None."""
        first = self.args[0] if self.args and self.name.endswith(".__call__") else None
        return first if isinstance(first, Ref) else None

    @property
    def sources(self) -> tuple[int, ...]:
        """Return the numbers of the steps whose tensors this step reads."""
        if self._sources is None:
            self._sources = tuple(dict.fromkeys(tensor.step for _, tensor in self.operands() if tensor.step))
        return self._sources

    def operands(self) -> Iterator[tuple[int | str, Tensor]]:
        """Yield the tensors that this step reads, each with the position or keyword of its argument."""
        for position, arg in enumerate(self.args):
            yield from ((position, value) for value in walk(arg) if isinstance(value, Tensor))
        for name, arg in self.keywords:
            yield from ((name, value) for value in walk(arg) if isinstance(value, Tensor))


@dataclass
class Graph:
    """All steps of one analysed program; `has_annotations` says that some arrays are known from annotations only.

    `object_calls` are the steps that call an object of the library, such as a layer, in the order of tracing, and
    `calls_of` those of each object.
    """

    steps: list[Step] = field(default_factory=list)
    has_annotations: bool = False
    object_calls: list[Step] = field(default_factory=list)
    calls_of: defaultdict[Ref, list[Step]] = field(default_factory=lambda: defaultdict(list))

    def add(
        self,
        kind: StepKind,
        name: str,
        args: Iterable[Value],
        keywords: Iterable[tuple[str, Value]],
        place: Place,
        frames: tuple[Frame, ...],
    ) -> Step:
        """Return a new step at the end of the graph."""
        step = Step(len(self.steps) + 1, kind, name, tuple(args), tuple(keywords), place, frames)
        self.steps.append(step)
        if step.owner is not None:
            self.object_calls.append(step)
            self.calls_of[step.owner].append(step)
        return step

    def truncate(self, length: int) -> None:
        """Remove all steps but the first ones."""
        del self.steps[length:]
        while self.object_calls and self.object_calls[-1].id > length:
            owner = self.object_calls.pop().owner
            assert owner is not None
            self.calls_of[owner].pop()

    def __getitem__(self, step: int) -> Step:
        return self.steps[step - 1]

    def ancestors(self, roots: Iterable[int]) -> list[Step]:
        """Return the steps that the given ones depend on, including themselves, in the order of tracing."""
        seen: set[int] = set()
        todo = [root for root in roots if root]
        while todo:
            number = todo.pop()
            if number in seen:
                continue
            seen.add(number)
            todo.extend(self[number].sources)
        return [self[number] for number in sorted(seen)]

    def digraph(self) -> networkx.MultiDiGraph[int]:
        """Return the graph as a networkx multi-digraph: nodes have their step, edges the argument that they feed."""
        import networkx

        graph: networkx.MultiDiGraph[int] = networkx.MultiDiGraph()
        for step in self.steps:
            graph.add_node(step.id, step=step)
        for step in self.steps:
            for argument, tensor in step.operands():
                if tensor.step:
                    graph.add_edge(tensor.step, step.id, argument=argument, output=tensor.output)
        return graph
