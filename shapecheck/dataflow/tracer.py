"""The core of the abstract interpreter: the state of an analysis, and the primitives that all rooms share.

The semantics of expressions, statements and calls are in rooms of their own. The core reaches them through `Semantics`,
a table that `interpreter.assembly` fills, so that no room imports those above it. No library is known by name here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph, Step, StepKind
from shapecheck.dataflow.state import array_views, attribute_dict
from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.bounded_list import MAX_LENGTH, bounded
from shapecheck.dataflow.state.budget import Budget
from shapecheck.dataflow.state.call_stack import CallStack, FunctionTable
from shapecheck.dataflow.state.diagnostics import Diagnostics
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Heap
from shapecheck.dataflow.state.observations import Observations
from shapecheck.dataflow.state.options import ProgramOptions
from shapecheck.dataflow.state.path import Exit, PathState
from shapecheck.dataflow.state.program import Program
from shapecheck.dataflow.state.sizes_of_parameters import SizesOfParameters
from shapecheck.dataflow.state.stage import EAGER
from shapecheck.dataflow.state.watch import Watch
from shapecheck.domain.freshen import freshened
from shapecheck.domain.join import generalise, merge, with_fresh_unknowns
from shapecheck.domain.values import (
    CONTAINERS,
    Choice,
    Dict,
    Failed,
    Guard,
    HomogeneousSeq,
    Lost,
    Ref,
    Seq,
    Tensor,
    Value,
)
from shapecheck.shapes.facts import Claim
from shapecheck.shapes.shape import UNRANKED
from shapecheck.source import Place
from shapecheck.target import Target

if TYPE_CHECKING:
    from shapecheck import ir
    from shapecheck.findings import Frame as CallFrame
    from shapecheck.models.lang.context import Context
    from shapecheck.models.lang.registry import Model

Component = TypeVar("Component")
MAX_NESTING = 8


@dataclass(frozen=True, slots=True)
class Semantics:
    """The semantics of Python's constructs, as the rooms above the core define them.

    `expressions` and `statements` have a function for each node of the IR; that of a statement returns whether control
    reaches its end.
    """

    expressions: Mapping[type[Any], Callable[[Tracer, Any, Frame], Value]]
    statements: Mapping[type[Any], Callable[[Tracer, Any, Frame], bool]]
    execute: Callable[[Tracer, Sequence[ir.Stmt], Frame], bool]
    assign: Callable[[Tracer, ir.Expr, Value, Frame], None]
    call: Callable[[Tracer, Value, Arguments], Value]
    get_item: Callable[[Tracer, Value, Value, Place], Value]
    run_model: Callable[[Tracer, Model, str, Arguments], Value]
    model_context: Callable[[Tracer], Context]


class Tracer:
    """One analysis: all modules of a program traced into one dataflow graph."""

    def __init__(self, program: Program, semantics: Semantics, target: Target | None = None) -> None:
        self.semantics = semantics
        self._expressions = semantics.expressions
        self.program = program
        self.target = target or Target()
        self.heap = Heap()
        self.graph = Graph()
        self.path = PathState()
        self.budget = Budget()
        self.call_stack = CallStack()
        self.functions = FunctionTable()
        self.frames: dict[int, Frame] = {}
        self.options = ProgramOptions()
        self.diagnostics = Diagnostics()
        self.clashes: list[Clash] = []
        self.stage = EAGER
        self.step: Step | None = None
        self.place: Place | None = None
        self.tolerance = 0  # number of enclosing constructs that handle a failure
        self.is_standalone = False  # True if a function is traced on its own, with free parameters
        self.is_closed = False  # True if that function has no parameters
        self.refinements = False  # True if any tensor was refined
        self.has_missing = False  # True if a result is missing, such as a gradient that is None
        self.has_graphs = False  # True if any function was traced into a graph, or a session runs all operations
        self.graph_start = 0  # the heap address at which the graph that is being built began
        self.watch: Watch | None = None  # follows what is evaluated, in some parts of a program
        self.observed: Observations | None = None
        self.at_rest: Callable[[], object] | None = None  # called between statements of modules, and entry points
        self.on_clash: Callable[[Clash], object] | None = None  # called with each clash when it is recorded
        self._components: dict[type[Any], Any] = {}
        self.context = semantics.model_context(self)

    def component(self, kind: type[Component]) -> Component:
        """Return the state that one room keeps for this analysis; it is made on demand."""
        found = self._components.get(kind)
        if found is None:
            found = self._components[kind] = kind()
        return found

    def share(self, component: object) -> None:
        """Keep the state of a room that another analysis made."""
        self._components[type(component)] = component

    # --- evaluation ------------------------------------------------------------------------------------------------

    def evaluate(self, node: ir.Expr, frame: Frame) -> Value:
        """Return the value of an expression on the present path."""
        self.budget.consume()
        value = self._expressions[type(node)](self, node, frame)
        kind = type(value)
        if kind is Choice or (kind is Tensor and self.refinements):
            value = self.select(value)
        elif kind is Lost and self.is_standalone and isinstance(value, Lost):
            value = self.component(SizesOfParameters).of(value, self.path.guards) or value
        if self.observed is not None:
            self.observe(node, frame, value)
        if self.watch is not None:
            self.watch.evaluated(node, frame, value)
        return value

    def execute(self, body: Sequence[ir.Stmt], frame: Frame) -> bool:
        """Run statements in order; return whether control reaches the end of the block."""
        return self.semantics.execute(self, body, frame)

    def assign(self, target: ir.Expr, value: Value, frame: Frame) -> None:
        """Bind a target to a value."""
        self.semantics.assign(self, target, value, frame)

    def call(self, function: Value, given: Arguments) -> Value:
        """Call any value."""
        return self.semantics.call(self, function, given)

    def call_here(
        self, function: Value, args: Sequence[Value] = (), keywords: Mapping[str, Value] | None = None
    ) -> Value:
        """Call a value at the present place; lost where there is none."""
        if self.place is None:
            return self.lost("call without a place")
        return self.call(function, Arguments(self.place, args, keywords or {}))

    def get_item(self, owner: Value, index: Value, place: Place) -> Value:
        """Return `owner[index]`."""
        return self.semantics.get_item(self, owner, index, place)

    def run_model(self, model: Model, name: str, given: Arguments) -> Value:
        """Run the model of a library call as a step of the graph."""
        return self.semantics.run_model(self, model, name, given)

    def observe(self, node: ir.Node, frame: Frame, value: Value) -> None:
        """Keep the value of an expression."""
        assert self.observed is not None
        self.observed.note(node, frame, value)

    def observe_again(self, place: Place, frames: Sequence[CallFrame]) -> None:
        """Note that a call at a place has the result of an earlier one, whose body was traced with these frames."""

    def observe_skipped(self, place: Place, reason: str) -> None:
        """Note that a call of a function of the program was not traced; those who compare with runs want to know."""

    def lost(self, reason: str) -> Lost:
        """Return a value that is not followed, counted by reason."""
        self.diagnostics.lost_reasons[reason] += 1
        return Lost(reason)

    def failed(self) -> Failed:
        """Return what an operation that certainly fails would give."""
        return Failed(self.lost("result of a failing operation").reason)

    # --- refinements -----------------------------------------------------------------------------------------------

    def select(self, value: Value) -> Value:
        """Return the value under the guards of the path, with its refinements."""
        if isinstance(value, Choice):
            options = [(g, v) for g, v in value.options if self.path.is_consistent(g)]
            if len(options) == 1:
                return self.select(options[0][1])
            return value if len(options) == len(value.options) or not options else Choice(tuple(options))
        if isinstance(value, Tensor) and self.refinements:
            refined = self.heap.get((0, (value.step, value.output)))
            if isinstance(refined, Tensor):
                value = replace(value, shape=refined.shape, static=refined.static, content=refined.content)
            elif refined is not None:  # several paths, or iterations, have given it shapes of several kinds
                value = replace(value.with_shape(UNRANKED), content=None)
            if value.content is not None and array_views.is_stale(self.heap, self.graph, value):
                return replace(value, content=None)
        return value

    def refine(self, tensor: Tensor, refined: Tensor) -> None:
        """Give a tensor the refined shape from here on, wherever the program holds it."""
        if tensor.step:
            self.refinements = True
            self.heap.set((0, (tensor.step, tensor.output)), refined)

    # --- paths -----------------------------------------------------------------------------------------------------

    def learn(self, claim: Claim) -> None:
        """Add a fact to the present path."""
        self.path = self.path.learning(claim)

    def exit(self, mark: int, value: Value) -> Exit:
        """Return an exit from a construct that began at the mark."""
        return Exit(self.heap.since(mark), value, self.path)

    def join(self, options: Sequence[tuple[Guard, Value]]) -> Value:
        """Return one value for several paths."""
        joined = merge(options, self.phi)
        if isinstance(joined, (Lost, Choice)):
            self.component(Aliases).note_join(joined, (value for _, value in options))
        return joined

    def phi(self, values: Sequence[Value]) -> Value:
        """Return one value for alike ones that different steps made; a tensor gets a phi step in the graph."""
        first = values[0]
        if not isinstance(first, Tensor) or self.place is None:
            return reduce(with_fresh_unknowns, values)
        distinct = list(dict.fromkeys(values))
        step = self.graph.add("phi", "phi", distinct, (), self.place, tuple(self.call_stack.frames))
        step.result = replace(first, step=step.id, output=0, is_ambiguous=False)
        return step.result

    # --- steps -----------------------------------------------------------------------------------------------------

    def add_step(
        self, kind: StepKind, name: str, args: Iterable[Value], keywords: Mapping[str, Value], place: Place
    ) -> Step:
        """Return a new step of the dataflow graph, on the present path."""
        step = self.graph.add(kind, name, args, keywords.items(), place, tuple(self.call_stack.frames))
        step.guards = self.path.guards
        return step

    @contextmanager
    def during(self, step: Step) -> Iterator[None]:
        """Attribute constraints, symbols and clashes to a step within the context."""
        before = self.step, self.place
        self.step, self.place = step, step.place
        try:
            yield
        finally:
            self.step, self.place = before

    @contextmanager
    def at(self, place: Place) -> Iterator[None]:
        """Attribute symbols and steps to a place within the context."""
        before, self.place = self.place, place
        try:
            yield
        finally:
            self.place = before

    # --- objects on the heap -----------------------------------------------------------------------------------------

    def new_object(self, cls: str, /, **attributes: Value) -> Ref:
        """Return a new instance of a class, with attributes."""
        ref = Ref(self.heap.address(), cls)
        for name, value in attributes.items():
            self.heap.set((ref.address, name), value)
        return ref

    def new_container(self, kind: str, contents: Value) -> Ref:
        """Return a new list, dict or set on the heap."""
        ref = Ref(self.heap.address(), kind)
        self.heap.set((ref.address, "items"), contents)
        return ref

    def container(self, value: Value | None) -> Ref | None:
        """Return the container that a value is, or that an instance of a class derived from one holds, or None."""
        if not isinstance(value, Ref) or value.cls in CONTAINERS:
            return value if isinstance(value, Ref) else None
        held = self.heap.get((value.address, attribute_dict.HELD)) if value.cls == "user" else None
        return held if isinstance(held, Ref) else None

    def contents(self, ref: Ref) -> Value | None:
        """Return the contents of a container; None for other objects."""
        value = self.heap.get((ref.address, "items"))
        if isinstance(value, Ref):
            return attribute_dict.entries(self.heap, ref, value)
        return self.select(value) if isinstance(value, Choice) else value

    def set_contents(self, ref: Ref, contents: Value) -> None:
        """Change the contents of a container: weakly if it is a summary, and up to its maximum length."""
        before = self.heap.get((ref.address, "items"))
        if isinstance(before, Ref):
            attribute_dict.change(self.heap, ref, before, contents)
            return
        if before is not None and self.heap.get((ref.address, "many")) is not None:
            contents = generalise(before, contents)
        limit = self.heap.get((ref.address, MAX_LENGTH))
        self.heap.set((ref.address, "items"), contents if limit is None else bounded(contents, limit))

    def mark_summary(self, value: Value) -> None:
        """Mark an object as the summary of many: a change of one of them may leave the others as they are."""
        if isinstance(value, Ref):
            self.heap.set((value.address, "many"), value)

    def freeze(self, value: Value, deep: bool = True) -> Value:
        """Return the value with references to containers replaced by their contents; with `deep`, inside as well."""
        return self._frozen(value, deep, 0)

    def _frozen(self, value: Value, deep: bool, depth: int) -> Value:
        """Return a value frozen up to the maximum depth."""
        container = self.container(value)
        if container is not None:
            contents = self.contents(container)
            value = Lost("lost container") if contents is None else contents
        if not deep or depth > MAX_NESTING:
            return value
        match value:
            case Seq(kind=kind, items=items):
                frozen = tuple(self._frozen(item, True, depth + 1) for item in items)
                return value if frozen == items else Seq(kind, frozen)
            case HomogeneousSeq(kind=kind, element=item, length=size, since=old):
                element = freshened(self._frozen(item, True, depth + 1), old)
                return HomogeneousSeq(kind, element, size, ends=value.ends, since=old)
            case Dict(items=pairs, rest=rest):
                inner = tuple((k, self._frozen(v, True, depth + 1)) for k, v in pairs)
                return Dict(inner, None if rest is None else self._frozen(rest, True, depth + 1))
            case Choice(options=options):
                return Choice(tuple((guard, self._frozen(v, True, depth + 1)) for guard, v in options))
        if isinstance(value, Tensor) and self.refinements:
            return self.select(value)
        return value

    def internal_error(self, where: str, error: Exception) -> None:
        """Record a defect of shapecheck itself at the present place."""
        self.diagnostics.internal_error(where, self.place, error)
