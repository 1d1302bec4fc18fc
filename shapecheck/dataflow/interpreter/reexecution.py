"""Re-execution of part of the dataflow graph with other inputs: `session.run`, or the call of a functional model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.calls.summaries import Summaries
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.stages.kept_tensors import note_run
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import AMBIENT
from shapecheck.dataflow.state.path import PathEnds, PathState
from shapecheck.dataflow.state.reexecutions import Reexecutions
from shapecheck.domain.alternatives import varies
from shapecheck.domain.join import generalise
from shapecheck.domain.values import (
    Choice,
    Dict,
    Function,
    HomogeneousSeq,
    Int,
    Lost,
    Range,
    Ref,
    Seq,
    SliceValue,
    Tensor,
    Value,
    of_size,
    walk,
)
from shapecheck.findings import Frame as CallFrame
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.gradients import TAPE
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, Symbol, substitute

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_STEPS = 4000


class Reexecution:
    """One re-execution: the tensors that are replaced, with their new values, and the symbols that the feeds
    determine."""

    def __init__(self, feeds: Mapping[Value, Value], objects_here: bool) -> None:
        self.objects_here = objects_here
        self.tensors: dict[tuple[int, int], Value] = {}
        self.symbols: dict[Symbol, Size] = {}
        self.failed: set[int] = set()  # steps that fail on their own path
        self.is_symbolic = any(isinstance(new, Tensor) and new.library == "keras" for new in feeds.values())
        for old, new in feeds.items():
            if isinstance(old, Tensor) and old.step:
                self.tensors[(old.step, old.output)] = new
                if isinstance(new, Tensor):
                    self._determine_symbols(old.shape, new.shape)

    def _determine_symbols(self, old: Shape, new: Shape) -> None:
        """Add the symbols that a new shape determines."""
        if not (old.is_ranked and new.is_ranked and old.rank == new.rank):
            return
        for before, after in zip(old.sizes, new.sizes, strict=True):
            if not isinstance(before, int) and before != after:
                symbols = before.symbols()
                if len(symbols) == 1 and str(before) == next(iter(symbols)).name:
                    self.symbols.setdefault(next(iter(symbols)), after)

    def touches(self, step: Step) -> bool:
        """Return whether a step reads a tensor that is replaced."""
        return any((tensor.step, tensor.output) in self.tensors for _, tensor in step.operands())

    def live_arguments(self, step: Step) -> Sequence[Value]:
        """Return the arguments of a step; those of a phi without the paths that have failed."""
        living = [arg for arg in step.args if not (isinstance(arg, Tensor) and arg.step in self.failed)]
        if step.kind == "phi" and living:
            return living
        if len(living) < len(step.args):
            self.failed.add(step.id)
        return step.args

    def value(self, value: Value) -> Value:
        """Return the value with replaced tensors and determined symbols."""
        match value:
            case Tensor():
                new = self.tensors.get((value.step, value.output))
                return value if new is None else self._in_place_of(value, new)
            case Int(size=size):
                return of_size(substitute(size, self.symbols)) if self.symbols else value
            case Seq(kind=kind, items=items):
                return Seq(kind, tuple(map(self.value, items)))
            case HomogeneousSeq(kind=kind, element=element, length=length):
                return HomogeneousSeq(kind, self.value(element), substitute(length, self.symbols))
            case Dict(items=pairs, rest=rest):
                return Dict(tuple((k, self.value(v)) for k, v in pairs), rest)
            case SliceValue(lower=a, upper=b, step=c):
                return SliceValue(self.value(a), self.value(b), self.value(c))
            case Range(start=start, stop=stop, step=step):
                return Range(*(substitute(size, self.symbols) for size in (start, stop, step)))
        return value

    def _in_place_of(self, old: Tensor, new: Value) -> Value:
        """Return the new value as its reader sees it: inside a layer, what is symbolic for Keras is a tensor of a
        graph."""
        if not self.is_symbolic or not isinstance(new, Tensor) or {old.library, new.library} != {"tf", "keras"}:
            return new
        return replace(new, library=old.library, role=old.role, trace=old.trace)

    def as_traced(self, value: Value) -> Value:
        """Return the original result of a step with determined symbols."""
        match value:
            case Tensor(shape=shape, content=content):
                known = None if content is None else self.value(content)
                return replace(value, shape=shape.map(lambda size: substitute(size, self.symbols)), content=known)
            case Seq(kind=kind, items=items):
                return Seq(kind, tuple(map(self.as_traced, items)))
        return self.value(value)

    def record(self, old: Value | None, new: Value) -> None:
        """Keep the new outputs of a step that was executed again."""
        if old is None:
            return
        before = [v for v in walk(old) if isinstance(v, Tensor)]
        after = [v for v in walk(new) if isinstance(v, Tensor)]
        for position, tensor in enumerate(before):
            if tensor.step:
                fresh = after[position] if len(after) == len(before) else Lost("output of a re-executed step")
                self.tensors[(tensor.step, tensor.output)] = fresh


def reexecute(
    t: Tracer, outputs: Sequence[Value], feeds: Mapping[Value, Value], objects_here: bool = False
) -> tuple[Value, ...]:
    """Return the outputs for these feeds; the constraints of the steps in between are required again.

    With `objects_here`, those of called objects are required at the present call. Alternatives are re-executed under
    their guards.
    """
    note_run(t)
    frozen = [t.freeze(output) for output in outputs]
    if not any(map(varies, frozen)):
        return _result(t, frozen, feeds, objects_here).items
    result = t.freeze(for_each_alternative(t, frozen, lambda values: _result(t, values, feeds, objects_here)))
    options = result.options if isinstance(result, Choice) else (((), result),)
    rows = [(guard, option.items) for guard, option in options if isinstance(option, Seq)]
    if len(rows) < len(options):
        return tuple(t.lost("re-execution on several paths") for _ in outputs)
    return tuple(t.join([(guard, items[at]) for guard, items in rows]) for at in range(len(outputs)))


@dataclass(frozen=True, slots=True)
class GraphPart:
    """The part of the graph between some tensors and outputs that are computed from them, which is called like a
    function. With `objects_here`, the constraints of called objects are required at the call. Objects of the program
    and the conditions of paths are `held` by its steps.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    objects_here: bool
    name: str
    held: tuple[Value, ...] = field(compare=False)

    @property
    def key(self) -> GraphPart:
        return self


def _result(t: Tracer, outputs: Sequence[Value], feeds: Mapping[Value, Value], objects_here: bool) -> Seq:
    """Return the outputs, by a summary of an earlier re-execution if it was alike."""
    roots = [v.step for output in outputs for v in walk(output) if isinstance(v, Tensor) and v.step]
    steps = t.graph.ancestors(roots)
    if len(steps) > MAX_STEPS:
        t.budget.exhausted += 1
        return Seq("tuple", tuple(t.lost("re-execution of a very large graph") for _ in outputs))
    conditions = dict.fromkeys(condition for step in steps for condition in step.guards)
    parts = (part for step in steps for value in step.given for part in walk(value))
    held = (*conditions, *dict.fromkeys(part for part in parts if isinstance(part, Ref)))
    part = GraphPart(tuple(feeds), tuple(outputs), objects_here, _caller_name(t), held)

    def run(given: Sequence[Value]) -> Seq:
        reexecution = Reexecution(dict(zip(part.inputs, given, strict=True)), objects_here)
        return Seq("tuple", _reexecuted(t, steps, outputs, reexecution))

    given = tuple(feeds.values())
    if t.place is None or not conditions.keys() <= t.path.guards.keys():
        return run(given)
    result = t.component(Summaries).result(t, part, Arguments(t.place, given), lambda asked: run(asked.args))
    assert isinstance(result, Seq)
    return result


def _reexecuted(
    t: Tracer, steps: Sequence[Step], outputs: Sequence[Value], reexecution: Reexecution
) -> tuple[Value, ...]:
    """Return the outputs after executing again those of the steps that depend on replaced tensors."""
    fed = {number for number, _ in reexecution.tensors}
    path = t.path
    saved = t.step, t.place
    if t.place is not None:
        t.call_stack.frames.append(CallFrame(t.place, _caller_name(t)))
    t.component(Reexecutions).depth += 1
    try:
        for step in steps:
            if step.id not in fed and reexecution.touches(step):
                reexecution.record(step.result, t.freeze(_rerun(t, step, reexecution)))
    finally:
        t.component(Reexecutions).depth -= 1
        t.step, t.place = saved
        t.path = path
        if t.place is not None:
            t.call_stack.frames.pop()
    return tuple(reexecution.value(output) for output in outputs)


def _caller_name(t: Tracer) -> str:
    """Return the name of the call that re-executes steps."""
    return t.step.name if t.step is not None else "run"


def _rerun(t: Tracer, step: Step, reexecution: Reexecution) -> Value:
    """Return the new result of a step."""
    args = [reexecution.value(arg) for arg in reexecution.live_arguments(step)]
    if step.kind in ("phi", "loop"):
        result = args[0]
        for other in args[1:]:
            result = generalise(result, other)
        return replace(result, step=0) if isinstance(result, Tensor) else result
    if step.model is None:
        return t.lost("step that cannot be re-executed")
    if step.result is not None and any(isinstance(arg, Ref) and arg.cls == TAPE for arg in step.args):
        return reexecution.as_traced(step.result)  # a tape gives its gradients while the graph is built
    if not t.path.is_consistent(tuple(step.guards.items())):
        return t.lost("step of another path")
    if step.result is not None and any(_reads_tensors(t, code) for code in _function_arguments(step)):
        return reexecution.as_traced(step.result)
    t.budget.consume()
    keywords = {name: reexecution.value(value) for name, value in step.keywords}
    before, path = len(t.graph.steps), t.path
    decided = t.component(Feasibility).decided
    # A failure on one of several paths only means that the program takes another path.
    is_other_path = any(condition not in path.guards and condition not in decided for condition in step.guards)
    clashes, ambient = len(t.clashes), t.heap.get(AMBIENT)
    t.path = PathState(path.facts, {**path.guards, **step.guards})
    t.tolerance += is_other_path
    t.heap.restore(AMBIENT, step.ambient)
    try:
        result = _run_at_place(t, step, reexecution, args, keywords)
    except PathEnds:
        if not is_other_path:
            raise
        reexecution.failed.add(step.id)
        result = t.lost("step of another path")
    finally:
        t.path = PathState(t.path.facts, path.guards)
        t.tolerance -= is_other_path
        t.heap.restore(AMBIENT, ambient)
        if is_other_path:
            del t.clashes[clashes:]
    for new in t.graph.steps[before:]:
        new.replayed = True
    return result


def _function_arguments(step: Step) -> Iterator[Function]:
    """Yield the functions of the program among the arguments of a step."""
    for arg in step.given:
        yield from (part for part in walk(arg) if isinstance(part, Function))


def _reads_tensors(t: Tracer, code: Function) -> bool:
    """Return whether a function reads tensors of enclosing scopes.

    A graph uses the tensors that the names had when it was built, but the scopes have the present ones.
    """
    definition = t.functions[code.key]
    bound = definition.node.bound
    names = {node.id for node in nodes_in(definition.node.body) if isinstance(node, ir.Name) and node.id not in bound}
    scope: Frame | None = definition.frame
    while scope is not None and names:
        for name in tuple(names):
            value = t.heap.get((scope.address, name))
            if value is not None:
                names.discard(name)
                if any(isinstance(part, Tensor) and part.step for part in walk(value)):
                    return True
        scope = scope.parent
    return False


def _run_at_place(
    t: Tracer, step: Step, reexecution: Reexecution, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """Run the model of a step at its place; that of a called object at the present call, which the user sees."""
    assert step.model is not None
    is_object = step.name.endswith(".__call__") and isinstance(args[0] if args else None, Ref)
    if not reexecution.objects_here or t.place is None or not is_object or _is_inside(step):
        return t.run_model(step.model, step.name, Arguments(step.place, args, keywords))
    frame = t.call_stack.frames.pop()
    try:
        return t.run_model(step.model, step.name, Arguments(frame.place, args, keywords))
    finally:
        t.call_stack.frames.append(frame)


def _is_inside(step: Step) -> bool:
    """Return whether a step was made by a `call` of the program, which is traced again."""
    return any(frame.function.rsplit(".", 1)[-1] in ("call", "<lambda>") for frame in step.frames)
