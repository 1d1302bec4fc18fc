"""The tracer as library models see it: the implementation of `models.lang.context.Context`."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.graph import certain_dtypes, producers
from shapecheck.dataflow.interpreter.reexecution import reexecute
from shapecheck.dataflow.objects import library_methods
from shapecheck.dataflow.objects.array_mutation import overwrite
from shapecheck.dataflow.objects.attributes import find_attribute
from shapecheck.dataflow.paths import constraints
from shapecheck.dataflow.paths.case_split import call_one_of
from shapecheck.dataflow.stages import (
    array_tracing,
    exported_state,
    gradient_flow,
    missing_results,
    own_graphs,
    static_sizes,
)
from shapecheck.dataflow.stages.entering import as_symbolic, call_in_stage, call_outside, graph_stage, keras_stage
from shapecheck.dataflow.stages.inner_functions import call_inside
from shapecheck.dataflow.stages.retracing import traces_of
from shapecheck.dataflow.stages.trace_effects import Effects
from shapecheck.dataflow.stages.trace_time import watch_library_call
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.heap import AMBIENT, cell_about
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.sizes_of_parameters import SizesOfParameters
from shapecheck.dataflow.state.stage import Stage
from shapecheck.domain.values import Const, Function, Int, Library, Lost, Method, Ref, Tensor, Value, walk
from shapecheck.models.lang.dtypes import is_plain
from shapecheck.models.lang.gradients import Cut, Flow, Output, Recording
from shapecheck.shapes import solve
from shapecheck.shapes.facts import AtLeast, Claim, Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Expr, Kind, Size, Symbol, fresh, keep_free
from shapecheck.source import Place
from shapecheck.target import Target

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


class ModelContext:
    """The implementation of the `Context` protocol for one tracer."""

    def __init__(self, tracer: Tracer) -> None:
        self._t = tracer

    @property
    def target(self) -> Target:
        return self._t.target

    @property
    def without_options(self) -> bool:
        self._t.options.were_read = True
        return self._t.options.use_defaults

    @property
    def is_in_graph(self) -> bool:
        return not self._t.stage.is_eager

    @property
    def is_compiled(self) -> bool:
        return self._t.stage.is_compiled

    @property
    def is_alone(self) -> bool:
        return self._t.is_standalone

    def head_of(self, path: Value) -> bytes | None:
        name = path.value if isinstance(path, Const) else None
        return self._t.program.head_of(name) if isinstance(name, str) else None

    def facts_of(self, path: Value) -> Mapping[str, Any] | None:
        name = path.value if isinstance(path, Const) else None
        return self._t.program.facts_of(name) if isinstance(name, str) else None

    def left_open(self, value: Value) -> Value:
        self._t.options.left_open.add(value)
        return value

    @property
    def place(self) -> Place:
        assert self._t.place is not None
        return self._t.place

    # --- constraints -----------------------------------------------------------------------------------------------

    def require(self, kind: ClashKind, claim: Claim, message: str, *operands: Value) -> Verdict:
        return constraints.require(self._t, kind, claim, message, *operands)

    def notice(self, kind: ClashKind, message: str, *operands: Value) -> None:
        constraints.notice(self._t, kind, message, *operands)

    def notice_of(self, tensor: Tensor, kind: ClashKind, message: str) -> None:
        with self._t.during(self._t.graph[tensor.step]):
            constraints.notice(self._t, kind, message)

    def known(self, claim: Claim) -> Verdict:
        return solve.decide(self._t.path.facts, claim)

    def fresh(self, name: str, kind: Kind, why: str = "", low: int | None = 0) -> Expr:
        return fresh(name, kind, origin=self._t.place, why=why, low=low)

    def resolve(self, size: Size) -> Size:
        return keep_free(size, self._t.path.facts.resolve(size))

    def lost(self, reason: str) -> Lost:
        return self._t.lost(reason)

    # --- calls -----------------------------------------------------------------------------------------------------

    def call(self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None) -> Value:
        return self._t.call_here(function, args, keywords)

    def call_in_graph(
        self,
        function: Value,
        args: Sequence[Value],
        keywords: Mapping[str, Value] | None = None,
        *,
        is_converted: bool = True,
    ) -> Value:
        stage = graph_stage(function, is_converted=is_converted)
        return self._call_in_stage(stage, function, args, keywords, is_repeated=True)

    def call_traced(
        self,
        kind: str,
        function: Value,
        args: Sequence[Value],
        keywords: Mapping[str, Value] | None = None,
        *,
        has_values: bool = False,
        is_total: bool = False,
        fixed: Container[int] = (),
    ) -> Value:
        stage = array_tracing.stage_with(function, kind, has_values=has_values, is_total=is_total)
        given = Arguments(self.place, args, keywords or {})
        return array_tracing.call_traced(self._t, stage, given, lambda traced: self._t.call(function, traced), fixed)

    def call_eagerly(self, function: Value, args: Sequence[Value]) -> Value:
        given = Arguments(self.place, args)
        return call_outside(self._t, given, lambda concrete: self._t.call(function, concrete))

    def call_with_values(
        self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None
    ) -> Value:
        given = Arguments(self.place, args, keywords or {})
        return array_tracing.call_with_values(self._t, given, lambda concrete: self._t.call(function, concrete))

    def symbolic(self, value: Value) -> Value:
        return as_symbolic(self._t, value)

    def call_by_keras(
        self,
        function: Value,
        args: Sequence[Value],
        keywords: Mapping[str, Value] | None = None,
        *,
        may_convert: bool = True,
        is_repeated: bool = False,
        knows_sizes: bool = False,
        is_compiled: bool = False,
    ) -> Value:
        stage = replace(keras_stage(self._t, function, may_convert=may_convert), is_compiled=is_compiled)
        if knows_sizes:
            stage = replace(stage, known_sizes=static_sizes.symbols_in([*args, *(keywords or {}).values()]))
        return self._call_in_stage(stage, function, args, keywords, is_repeated)

    def note_training(self) -> None:
        self._t.component(Effects).train(self._t)

    def note_version(self) -> None:
        self._t.program.is_version_decisive |= self._t.target.is_unmarked

    def _call_in_stage(
        self,
        stage: Stage,
        function: Value,
        args: Sequence[Value],
        keywords: Mapping[str, Value] | None,
        is_repeated: bool = False,
    ) -> Value:
        t = self._t
        if t.target.tensorflow == 1:
            return self.call(function, args, keywords)
        given = Arguments(self.place, args, keywords or {})
        watch = watch_library_call(t, is_built=not is_repeated) if t.stage.is_eager else None
        return call_in_stage(t, stage, given, lambda symbolic: t.call(function, symbolic), watch)

    def parameters(self, function: Value) -> dict[str, bool] | None:
        code = function.function if isinstance(function, Method) else function
        if not isinstance(code, Function):
            return None
        definition = self._t.functions[code.key]
        params = definition.node.params
        if any(param.kind != "plain" for param in params):
            return None
        is_method = isinstance(function, Method) or (definition.owner is not None and definition.kind != "static")
        return {param.name: param.default is None for param in params[is_method:]}

    def traces(self, function: Value) -> Sequence[Mapping[str, Value]]:
        return traces_of(self._t, function)

    def traced_functions(self, owner: Ref) -> Sequence[Value]:
        return exported_state.traced_functions(self._t, owner)

    def untracked(self, owner: Ref, function: Value, args: Sequence[Value]) -> Tensor | Ref | None:
        return exported_state.untracked(self._t, owner, function, args)

    def call_inside(self, function: Value, args: Sequence[Value]) -> Value:
        return call_inside(self._t, function, Arguments(self.place, args))

    def call_independently(self, functions: Sequence[Value], runs: int | None = None) -> list[Value]:
        t, path = self._t, self._t.path
        if t.target.deferred or not t.stage.is_eager:
            results = []
            for at, function in enumerate(functions):
                t.path, never_runs = path, runs not in (None, at)
                t.tolerance += never_runs
                results.append(self.call_inside(function, []))
                t.tolerance -= never_runs
            t.path = path
            return results
        return call_one_of(t, functions)

    def repeat(self, function: Value, args: Sequence[Value]) -> Value:
        return iteration.repeated_call(self._t, function, args)

    def call_method(self, owner: Value, name: str, args: Sequence[Value]) -> Value | None:
        return library_methods.run_method(self._t, owner, name, args)

    def apply(self, name: str, *args: Value, **keywords: Value) -> Value:
        return self.call(Library(name), args, keywords)

    def producers(self, outputs: Sequence[Value]) -> Sequence[tuple[Ref, Value]]:
        frozen = [self.freeze(output) for output in outputs]
        self._look_behind(frozen)
        return producers.producers(self._t.graph, frozen)

    def _look_behind(self, values: Iterable[Value]) -> None:
        """Note that the operations which made the arrays in values decide about what follows."""
        for part in (part for value in values for part in walk(value)):
            if isinstance(part, Tensor):
                self._t.heap.note_graph(part.step, part.output)

    def keyword(self, tensor: Tensor, name: str) -> Value | None:
        self._look_behind([tensor])
        return dict(self._t.graph[tensor.step].keywords).get(name) if tensor.step else None

    def operations(
        self, name: str, targets: Sequence[Tensor], sources: Sequence[Tensor]
    ) -> Sequence[tuple[Value, ...]]:
        self._look_behind(targets)
        return producers.operations(self._t.graph, name, targets, sources)

    def sources(self, owner: Ref) -> Sequence[Ref]:
        return producers.sources(self._t.graph, owner)

    def held(self, owner: Ref) -> Sequence[Value]:
        return [value for _, value in self._t.heap.at(owner.address)]

    @property
    def moment(self) -> int:
        return len(self._t.graph.steps)

    def operation(self, tensor: Tensor) -> tuple[str, tuple[Value, ...]]:
        if not tensor.step:
            return "", ()
        self._look_behind([tensor])
        step = self._t.graph[tensor.step]
        return step.name, step.args

    def has_certain_dtype(self, value: Value) -> bool:
        if isinstance(value, Tensor):
            return certain_dtypes.has_certain_dtype(self._t.graph, value)
        return is_plain(value)

    def gradient_flow(self, recording: Recording, targets: Sequence[Tensor]) -> Flow:
        self._look_behind(targets)
        return gradient_flow.gradient_flow(self._t.graph, recording, targets)

    def culprit(self, cuts: Sequence[Cut], sources: Sequence[Tensor]) -> Cut | None:
        return gradient_flow.culprit(self._t.graph, cuts, [(source.step, source.output) for source in sources])

    def same_objects(self, tensor: Tensor) -> AbstractSet[Output]:
        self._look_behind([tensor])
        return gradient_flow.same_objects(self._t.graph, tensor)

    def missing(self, what: str, reason: str) -> Value:
        return missing_results.missing(self._t, what, reason)

    def refuse_missing(self, *values: Value) -> None:
        missing_results.refuse_any(self._t, values)

    def as_number(self, size: Value) -> Value:
        return static_sizes.as_number(self._t, size)

    def default_graph(self) -> Ref | None:
        return own_graphs.default_graph(self._t)

    def stranger(self, graph: Value | None, values: Iterable[Value]) -> Tensor | None:
        return own_graphs.stranger(self._t, graph if isinstance(graph, Ref) else None, values)

    def static_shape(self, tensor: Value, shape: Shape, kind: Literal["shape", "tuple"]) -> Value:
        return static_sizes.static_shape(self._t, tensor, shape, kind)

    def results(self, owner: Value) -> Sequence[Value]:
        return producers.results(self._t.graph, owner)

    def replay(
        self, outputs: Sequence[Value], feeds: Mapping[Value, Value], *, objects_here: bool = False
    ) -> tuple[Value, ...]:
        self._look_behind(outputs)
        with own_graphs.in_unknown_graph(self._t):
            return reexecute(self._t, outputs, feeds, objects_here)

    def attempt(self, run: Callable[[], Value]) -> Value:
        self._t.tolerance += 1
        before = len(self._t.clashes)
        try:
            return run()
        except PathEnds:
            del self._t.clashes[before:]
            return self.lost("a computation that fails")
        finally:
            self._t.tolerance -= 1

    def as_layer_size(self, value: Value) -> Value:
        t, known = self._t, None
        if isinstance(value, Lost) and t.is_standalone and not t.tolerance:
            known = t.component(SizesOfParameters).note_size(value, t.path.guards)
        if isinstance(value, Int) and self.known(AtLeast(value.size, 1)) is Verdict.MAYBE:
            t.learn(AtLeast(value.size, 1))
        return value if known is None else known

    # --- objects ---------------------------------------------------------------------------------------------------

    def get(self, owner: Value, name: str) -> Value | None:
        return find_attribute(self._t, owner, name)

    def set(self, owner: Value, name: str, value: Value) -> None:
        match owner:
            case Ref(address=address):
                is_summary = (
                    self._t.heap.get((address, "many")) is not None and self._t.heap.get((address, name)) != value
                )
                self._t.heap.set((address, name), self.lost("what one of many objects has") if is_summary else value)
            case Function(key=key):
                self._t.heap.set((-1 - key, name), value)
            case Library(name=path):
                self._t.heap.set((0, f"{path}.{name}"), value)

    def note(self, about: Tensor | Symbol, what: str, value: Value) -> None:
        self._t.heap.set(cell_about(about, what), value)

    def noted(self, about: Tensor | Symbol, what: str) -> Value | None:
        return self._t.heap.get(cell_about(about, what))

    def new(self, cls: str, /, **attributes: Value) -> Ref:
        return self._t.new_object(cls, **attributes)

    def ambient(self) -> Value | None:
        return self._t.heap.get(AMBIENT)

    def set_ambient(self, value: Value) -> None:
        self._t.heap.set(AMBIENT, value)

    def refine(self, tensor: Tensor, refined: Tensor) -> None:
        self._t.refine(tensor, refined)

    def overwrite(self, array: Tensor) -> None:
        overwrite(self._t, array)

    # --- containers ------------------------------------------------------------------------------------------------

    def freeze(self, value: Value, deep: bool = True) -> Value:
        return self._t.freeze(value, deep)

    def elements(self, value: Value) -> tuple[Value, ...] | None:
        return iteration.elements(self._t, value)

    def element(self, value: Value) -> Value:
        return iteration.element(self._t, value)

    def length(self, value: Value) -> Size:
        return iteration.length(self._t, value)
