"""The flow of derivatives: a walk over the dataflow graph, from a result back to what it may have a gradient for.

It follows every path that there may be. What it does not reach has certainly no gradient, if the walk is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from sys import maxsize

from shapecheck.dataflow.graph.array_operators import OPAQUE, may_be_tensor
from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.dataflow.stages.checks import NUMPY_OF_TENSORFLOW
from shapecheck.dataflow.state.stage import KERAS
from shapecheck.domain.values import (
    CONTAINERS,
    Const,
    HomogeneousSeq,
    Library,
    Ref,
    Tensor,
    Value,
    walk,
)
from shapecheck.models.lang.gradients import (
    CONFIGURING,
    MAKING_VARIABLES,
    WITHOUT_GRADIENT,
    Cut,
    Flow,
    Output,
    Recording,
    Why,
    gives_arrays,
    has_derivative,
    keeps_tensors,
)
from shapecheck.models.lang.traits import has

MAX_STEPS = 4000


def gradient_flow(graph: Graph, recording: Recording, targets: Sequence[Tensor]) -> Flow:
    """Return what the derivatives of the targets may reach."""
    walker = _Walk(graph, recording)
    walker.todo = [(target, maxsize) for target in targets]
    while walker.todo:
        walker.visit(*walker.todo.pop())
        if len(walker.flow.reached) > MAX_STEPS:
            walker.flow.is_complete = False
            break
    return walker.flow


class _Walk:
    """One walk; `todo` are tensors, each with the step that reads it."""

    def __init__(self, graph: Graph, recording: Recording) -> None:
        self.graph = graph
        self.recording = recording
        self.watched = _with_same_objects(graph, recording.watched)
        self.flow = Flow()
        self.entered: set[Output] = set()
        self.todo: list[tuple[Tensor, int]] = []

    def visit(self, tensor: Tensor, reader: int) -> None:
        """Follow a tensor to what it was computed from."""
        flow, key = self.flow, (tensor.step, tensor.output)
        if not tensor.step or tensor.is_ambiguous or tensor.library == "keras":
            flow.is_complete = False
        elif tensor.library == "np" and (why := self._why_array(tensor)) is not None:
            self._cut(why, tensor)
        elif not has_derivative(tensor.dtype):
            self._cut("dtype", self._first_of_dtype(tensor))
        elif tensor.library == "np":
            flow.is_complete = False
        else:
            if self.watched and self._is_watched(tensor, reader):
                flow.watched.add(key)
            if key not in self.entered:
                self.entered.add(key)
                flow.reached.add(key)
                flow.reached.update(self._beside(tensor))
                self._enter(tensor, self.graph[tensor.step], reader)

    def _is_watched(self, tensor: Tensor, reader: int) -> bool:
        """Return whether a tensor may be watched when a step reads it."""
        since, until = self.recording.since, self.recording.until
        is_outside = tensor.step <= since or (until is not None and tensor.step > until)
        names = same_objects(self.graph, tensor) if is_outside else {(tensor.step, tensor.output)}
        return any(self.watched.get(name, maxsize) < reader for name in names)

    def _beside(self, tensor: Tensor) -> set[Output]:
        """Return the other results of an operation, which may have been computed from one another."""
        if tensor.role == "variable":
            return set()
        return {
            (part.step, part.output) for part in _tensors(self.graph[tensor.step].result) if part.step == tensor.step
        }

    def _why_array(self, tensor: Tensor) -> Why | None:
        """Return why a tensor is certainly an array of NumPy, which a model need not mean by saying so."""
        step = self.graph[tensor.step]
        if step.place.source.mentions(NUMPY_OF_TENSORFLOW):
            return None  # its functions give tensors, under the names of NumPy
        made = next((part for part in _tensors(step.result) if part.output == tensor.output), None)
        if made is not None and made.library == "tf":
            return "converted"
        return "array" if gives_arrays(step.name) and not may_be_tensor(self.graph, step) else None

    def _enter(self, tensor: Tensor, step: Step, reader: int) -> None:
        """Follow a tensor of a step that may have been recorded."""
        until = self.recording.until
        if tensor.role == "variable":
            self.flow.variables.append(tensor)
        elif step.kind == "phi":
            self.todo += [(part, reader) for _, part in step.operands()]
        elif step.kind != "op" or self._may_run_again(step) or step.name.startswith(MAKING_VARIABLES):
            self.flow.is_complete = False
        elif step.id <= self.recording.since:
            self._cut("early", tensor)
        elif until is not None and step.id > until:
            self._cut("late", tensor)
        elif step.name in WITHOUT_GRADIENT:
            self._cut("operation", tensor)
        else:
            self._enter_arguments(step)

    def _enter_arguments(self, step: Step) -> None:
        """Follow the arguments of a step through which derivatives pass."""
        if not any(map(_is_data, step.given)):
            self.flow.is_complete = False  # what the library keeps under a name, or the sum of all losses
        named = (value for name, value in step.keywords if name not in CONFIGURING)
        for part in _parts((*step.args, *named)):
            if isinstance(part, Tensor):
                self.todo.append((part, step.id))
            elif isinstance(part, Ref) and part.cls not in CONTAINERS and not keeps_tensors(part.cls):
                self.flow.objects.append(part)
            elif isinstance(part, (*OPAQUE, Ref)):
                self.flow.is_complete = False

    def _may_run_again(self, step: Step) -> bool:
        """Return whether a step before the recording is part of a symbolic model, which a call runs again.

        Those of the function that records are run by the step of a model that Keras traces.
        """
        since = self.recording.since
        if not 0 < step.id <= since:
            return False
        is_here = step.frames == self.graph[since].frames
        made = list(_tensors(step.result))
        return any(part.library == "keras" or (part.trace == KERAS and not is_here) for part in made)

    def _first_of_dtype(self, tensor: Tensor) -> Tensor:
        """Return the tensor of which one without derivatives is a part, or which it has in another form."""
        while has((step := self.graph[tensor.step]).name, "arranges elements"):
            parts = [part for _, part in step.operands() if part.step and part.dtype == tensor.dtype]
            if not parts:
                break
            tensor = parts[0]
        return tensor

    def _cut(self, why: Why, tensor: Tensor) -> None:
        """Note that no derivative passes a tensor."""
        step = self.graph[tensor.step]
        self.flow.cuts.append(Cut(why, step.id, step.name, step.place, tensor.dtype))


def _is_data(value: Value) -> bool:
    """Return whether an argument is more than a name or an option."""
    if isinstance(value, Const):
        return isinstance(value.value, (int, float))
    return not isinstance(value, Library)


def _tensors(value: Value | None) -> Iterator[Tensor]:
    """Yield the tensors in a value."""
    yield from (part for part in walk(value) if isinstance(part, Tensor)) if value is not None else ()


def _parts(values: Iterable[Value]) -> Iterator[Value]:
    """Yield all values inside of values, with all that is known of the items of sequences."""
    for value in values:
        for part in walk(value):
            yield part
            if isinstance(part, HomogeneousSeq):
                known = (part.first, part.distinct_item, *(part.items or ()), *part.ends)
                yield from _parts(item for item in known if item is not None)


def culprit(graph: Graph, cuts: Iterable[Cut], sources: Iterable[Output]) -> Cut | None:
    """Return the first cut on a way to one of the sources, or to the variables of an object that was called."""
    wanted = {step for step, _ in sources}
    for cut in cuts:
        before = graph.ancestors([cut.step])
        if any(step.id in wanted or _reads_variables(step) for step in before):
            return cut
    return None


def _reads_variables(step: Step) -> bool:
    """Return whether a step reads variables, of its arguments or of an object."""
    is_call = step.name.endswith((".__call__", ".predict", ".predict_on_batch"))
    return (is_call and any(isinstance(arg, Ref) for arg in step.args[:1])) or any(
        tensor.role == "variable" for _, tensor in step.operands()
    )


def _with_same_objects(graph: Graph, watched: Mapping[Output, int]) -> dict[Output, int]:
    """Return the watched tensors with those that may be the same objects."""
    found: dict[Output, int] = {}
    for (number, output), since in watched.items():
        for part in _tensors(graph[number].result):
            if part.output == output:
                found |= dict.fromkeys(same_objects(graph, part), since)
    return found


def same_objects(graph: Graph, tensor: Tensor) -> set[Output]:
    """Return the tensors that may be one object with a tensor, itself included."""
    found = {(tensor.step, tensor.output)}
    todo = [tensor]
    while todo:
        current = todo.pop()
        step = graph[current.step]
        if step.kind == "phi" or (step.kind == "op" and not _makes_new(step.name)):
            for _, part in step.operands():
                if _may_be(part, current) and (part.step, part.output) not in found:
                    found.add((part.step, part.output))
                    todo.append(part)
    return found


def _makes_new(name: str) -> bool:
    """Return whether an operation always gives a new tensor: an operator, and the copy of a tensor."""
    last = name.rpartition(".")[2]
    return not last.isidentifier() or last in ("identity", "Variable")


def _may_be(part: Tensor, result: Tensor) -> bool:
    """Return whether an operand may be the result itself."""
    a, b = part.shape, result.shape
    same_rank = not a.is_ranked or not b.is_ranked or a.rank == b.rank
    return bool(part.step) and same_rank and (part.dtype == result.dtype or None in (part.dtype, result.dtype))
