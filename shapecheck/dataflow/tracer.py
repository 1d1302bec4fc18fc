"""The abstract tracer: its state, and the few primitives that everything else is made of.

Expressions, statements, calls, objects and joins live in modules of their own; each is a table of small functions that
take the tracer as their first argument.  No library is known by name here.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from shapecheck.dataflow.alternatives import combinations, varies, widened
from shapecheck.dataflow.bounded import MOST, bounded
from shapecheck.dataflow.clash import Clash
from shapecheck.dataflow.doubt import rests_on_the_unseen
from shapecheck.dataflow.effects import Effects
from shapecheck.dataflow.frame import Definition, Exit, Frame, PathEnds
from shapecheck.dataflow.graph import Graph, Step, StepKind
from shapecheck.dataflow.join import alike, anew, covers, generalise, merge
from shapecheck.dataflow.members import covering
from shapecheck.dataflow.overwriting import is_stale
from shapecheck.dataflow.store import Cell, Store
from shapecheck.dataflow.traces import Traces
from shapecheck.dataflow.untaken import Untaken
from shapecheck.findings import Frame as CallFrame
from shapecheck.models.lang.context import Target
from shapecheck.shapes.facts import EMPTY, Facts, Verdict
from shapecheck.shapes.symbol import Symbol
from shapecheck.source import Place
from shapecheck.values import Choice, Class, Guard, Lost, Ref, Tensor, Value, walk

if TYPE_CHECKING:
    from shapecheck import ir
    from shapecheck.dataflow.project import Project

FUEL = 200_000


class OutOfFuel(Exception):
    """An entry point used up its budget of evaluation steps."""


class Tracer:
    """One analysis: all modules of a project traced into one dataflow graph."""

    def __init__(self, project: Project, target: Target | None = None) -> None:
        from shapecheck.dataflow.context import ModelContext
        from shapecheck.dataflow.expressions import EXPRESSIONS

        self._expressions = EXPRESSIONS
        self.project = project
        self.target = target or Target()
        self.store = Store()
        self.traces = Traces()
        self.effects = Effects()
        self.graph = Graph()
        self.context = ModelContext(self)
        self.facts: Facts = EMPTY
        self.guards: dict[Value, bool] = {}
        self.callers_guards: dict[Value, bool] = {}  # those under which the present function was called
        self.asked: dict[Value, tuple[Tensor, ...]] = {}  # arrays that calls were given that nothing is known of
        self.of_classes: set[Value] = set()  # whether a value of Python's is of a class that was not followed
        self.of_ranks: set[Value] = set()  # what could not be told of arrays of unknown rank
        self.checked: set[Value] = set()  # conditions whose other side raises
        self.untaken = Untaken()
        self.settled: set[Value] = set()  # conditions whose other side ends the program: no arm, but what it expects
        self.clashes: list[Clash] = []
        self.lost_reasons: Counter[str] = Counter()
        self.unmodelled: Counter[str] = Counter()
        self.budgets = 0
        self.problems: list[str] = []
        self.fuel = FUEL
        self.calls: list[CallFrame] = []
        self.stack: list[int] = []  # definitions being traced
        self.definitions: list[Definition] = []
        self.definition_keys: dict[tuple[int, int], int] = {}
        self.traced: set[int] = set()  # ids of function nodes whose body was traced
        self.rebound: dict[int, dict[Cell, int]] = {}  # variables of modules, and how many functions there were then
        self.instantiated: set[int] = set()
        self.frames: dict[int, Frame] = {}
        self.orders: dict[int, list[Value]] = {}  # what classes are made of, by their address
        self.meanings: dict[Value, tuple[str, Value, Value]] = {}
        self.parts: dict[Value, dict[Value, None]] = {}  # the tests that a condition is part of
        self.conditions: dict[tuple[str, Value, Value], Value] = {}
        self.step: Step | None = None
        self.place: Place | None = None
        self.tolerance = 0
        self.unrolled = 0
        self.decorating = 0
        self.cuts: set[Symbol] = set()  # counters by which slices may end before their bounds, and indices beyond them
        self.without_options = False  # whether the program is followed as it runs with an empty command line
        self.takes_options = False  # whether a model has asked for that
        self.left_open: set[Value] = set()  # options that a user may well give all the same
        self.free = False  # whether a function is traced on its own, with parameters that nobody gave
        self.importing: list[tuple[int, str]] = []
        self.refinements = False
        self.observed: dict[tuple[str, int, int], Value] | None = None

    # --- evaluation ------------------------------------------------------------------------------------------------

    def evaluate(self, node: ir.Expr, frame: Frame) -> Value:
        """The value of an expression on the present path."""
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel
        value = self._expressions[type(node)](self, node, frame)
        kind = type(value)
        if kind is Choice or (kind is Tensor and self.refinements):
            value = self.select(value)
        if self.observed is not None:
            self.observe(node, frame, value)
        return value

    def burn(self) -> None:
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel

    def observe(self, node: ir.Node, frame: Frame, value: Value) -> None:
        """Remembers what an expression was seen to be, for `reveal`."""
        assert self.observed is not None
        key = (frame.source.filename, node.start, node.end)
        before = self.observed.get(key)
        self.observed[key] = value if before is None else self.join([((), before), ((), value)])

    def select(self, value: Value) -> Value:
        """The value under the guards of the path, and with what was learned about it in place."""
        if isinstance(value, Choice):
            options = [(g, v) for g, v in value.options if self.consistent(g)]
            if len(options) == 1:
                return self.select(options[0][1])
            return value if len(options) == len(value.options) or not options else Choice(tuple(options))
        if isinstance(value, Tensor) and self.refinements:
            refined = self.store.get((0, (value.step, value.output)))
            if isinstance(refined, Tensor):
                value = replace(value, shape=refined.shape, static=refined.static, content=refined.content)
            if value.content is not None and is_stale(self, value):
                return replace(value, content=None)
        return value

    def refine(self, tensor: Tensor, refined: Tensor) -> None:
        """From here on the tensor, wherever it is held, has the refined shape."""
        if tensor.step:
            self.refinements = True
            self.store.set((0, (tensor.step, tensor.output)), refined)

    # --- lost values ---------------------------------------------------------------------------------------------

    def lost(self, reason: str) -> Lost:
        self.lost_reasons[reason] += 1
        return Lost(reason)

    # --- paths ---------------------------------------------------------------------------------------------------

    def consistent(self, guard: Guard) -> bool:
        guards = self.guards
        return all(guards.get(condition, truth) is truth for condition, truth in guard)

    @contextmanager
    def path(self) -> Iterator[int]:
        """A path of its own: facts and guards are restored afterwards; yields the store's mark (not rolled back)."""
        facts, guards = self.facts, self.guards
        try:
            yield self.store.mark()
        finally:
            self.facts, self.guards = facts, guards

    def exit(self, mark: int, value: Value) -> Exit:
        """A way out of what began at the mark."""
        return Exit(self.store.since(mark), value, self.facts, self.guards)

    def join_exits(self, exits: Sequence[Exit], facts: Facts, guards: dict[Value, bool]) -> Value:
        """Continues after one of several exits; the store must be where all of them began."""
        if len(exits) == 1:
            only = exits[0]
            self.store.apply(only.delta)
            self.facts = only.facts
            self.guards = {**guards, **only.guards} if len(guards) < 64 else guards
            return only.value
        extras = [tuple((c, t) for c, t in e.guards.items() if guards.get(c) is not t) for e in exits]
        cells = dict.fromkeys(cell for e in exits for cell in e.delta)
        present = self.store.cells
        for cell in cells:
            values = [e.delta[cell] if cell in e.delta else present.get(cell) for e in exits]
            values = [self._fallback(cell) if value is None else value for value in values]
            options = [(extra, value) for extra, value in zip(extras, values, strict=True) if value is not None]
            if options:
                self.store.set(cell, self.join(options) if cell[0] else reduce(generalise, [v for _, v in options]))
            else:
                self.store.delete(cell)
        common = exits[0].facts
        for e in exits[1:]:
            common = common.common(e.facts)
        self.facts, self.guards = common, guards
        return self.join([(extra, e.value) for extra, e in zip(extras, exits, strict=True)])

    def _fallback(self, cell: Cell) -> Value | None:
        """What an attribute of an instance that was not set is: its class's; a tensor not refined: as it was made."""
        if isinstance(cell[1], tuple):
            step, output = cell[1]
            made = self.graph[step].result
            tensors = [v for v in walk(made) if isinstance(v, Tensor)] if made is not None else []
            return next((v for v in tensors if (v.step, v.output) == (step, output)), None)
        cls = self.store.get((cell[0], "__class__"))
        if not isinstance(cls, Class) or not isinstance(cell[1], str):
            return None
        from shapecheck.dataflow.objects import class_attribute

        return class_attribute(self, cls, cell[1])

    def join(self, options: Sequence[tuple[Guard, Value]]) -> Value:
        """One value for several paths."""
        return merge(options, self.phi)

    def phi(self, values: Sequence[Value]) -> Value:
        """One value for alike ones that different steps made; a tensor gets a phi step in the graph."""
        first = values[0]
        if not isinstance(first, Tensor) or self.place is None:
            return reduce(anew, values)
        distinct = list(dict.fromkeys(values))
        step = self.graph.add("phi", "phi", distinct, (), self.place, tuple(self.calls))
        step.result = replace(first, step=step.id, output=0)
        return step.result

    # --- values that vary ----------------------------------------------------------------------------------------

    def spread(self, values: Sequence[Value], run: Callable[[Sequence[Value]], Value]) -> Value:
        """Runs an operation once for every consistent combination of the alternatives in its operands, each on a path
        of its own.  A clash counts only when every combination clashes; if only some do, the program goes on with the
        others."""
        if not any(map(varies, values)):
            return run(values)
        found = combinations(values, self.consistent)
        if found is None:
            return run([widened(value) for value in values])
        outer, facts, guards = self.clashes, self.facts, self.guards
        ways: list[tuple[Guard, Exit, list[Clash], bool]] = []
        for guard, combination in found:
            mark = self.store.mark()
            self.clashes = []
            chosen: set[Value] = set()
            try:
                for condition, truth in guard:
                    self.assume(condition, truth)
                start = self.guards
                chosen = start.keys() - guards.keys() - self.settled
                self.settled |= chosen
                value = run(combination)
                ways.append((guard, self.exit(mark, value), self.clashes, self._fails(self.clashes, start)))
            except PathEnds:
                pass
            finally:
                self.store.rollback(mark)
                self.settled -= chosen
                self.clashes, self.facts, self.guards = outer, facts, guards
        if not ways and found:
            raise PathEnds
        if not ways:
            return self.lost("no consistent alternative")
        if all(clashes for _, _, clashes, _ in ways):
            outer.extend(ways[0][2])
        passing = [way for _, way, _, fails in ways if not fails] or [way for _, way, _, _ in ways]
        value = self.join_exits(passing, facts, guards)
        if len(passing) < len(ways):
            for guard, _, _, fails in ways:
                if fails and len(guard) == 1:
                    self.assume(guard[0][0], not guard[0][1])
        return value

    def _fails(self, clashes: Sequence[Clash], start: dict[Value, bool]) -> bool:
        """Whether an operation of this very expression certainly raises, so that the path ends there."""
        depth, guards = len(self.calls), tuple(start.items())
        return self.tolerance == 0 and any(
            clash.verdict is Verdict.NEVER and len(clash.step.frames) == depth and clash.guards == guards
            for clash in clashes
        )

    def with_contents(self, owner: Ref, run: Callable[[], Value]) -> Value:
        """Runs an operation on a container, once for each of the contents that it may have."""
        contents = self.contents(owner)
        if not isinstance(contents, Choice):
            return run()

        def once(values: Sequence[Value]) -> Value:
            self.set_contents(owner, values[0])
            return run()

        return self.spread([contents], once)

    def assume(self, condition: Value, truth: bool) -> None:
        """Takes the side of a condition on the present path."""
        from shapecheck.dataflow.conditions import assume

        assume(self, condition, truth)

    # --- steps ---------------------------------------------------------------------------------------------------

    def add_step(
        self, kind: StepKind, name: str, args: Iterable[Value], keywords: Mapping[str, Value], place: Place
    ) -> Step:
        step = self.graph.add(kind, name, args, keywords.items(), place, tuple(self.calls))
        step.guards = self.guards
        return step

    @contextmanager
    def during(self, step: Step) -> Iterator[None]:
        """The step that constraints, symbols and clashes belong to while a model runs."""
        before = self.step, self.place
        self.step, self.place = step, step.place
        try:
            yield
        finally:
            self.step, self.place = before

    def clash(self, kind: str, message: str, operands: tuple[Value, ...], **more: object) -> None:
        assert self.step is not None
        guards = tuple(self.guards.items())
        # Under parameters that nobody gave, an arm of a caller that nothing is known about may never be taken for
        # these arguments: only what fails whatever the arm is certain.
        doubtful = self.free and len(self.calls) > 1 and not self.callers_guards.keys() <= self.settled
        # Neither is what is empty there: others may fill it first.
        tolerated = self.tolerance > 0 or doubtful or (self.free and kind == "nothing")
        tolerated = tolerated or rests_on_the_unseen(self, self.step)
        self.clashes.append(Clash(kind, message, self.step, operands, guards=guards, tolerated=tolerated, **more))  # type: ignore[arg-type]

    # --- containers ------------------------------------------------------------------------------------------------

    def new_container(self, kind: str, contents: Value) -> Ref:
        """A new list, dict or set on the heap."""
        ref = Ref(self.store.address(), kind)
        self.store.set((ref.address, "items"), contents)
        return ref

    def contents(self, ref: Ref) -> Value | None:
        value = self.store.get((ref.address, "items"))
        return self.select(value) if isinstance(value, Choice) else value

    def set_contents(self, ref: Ref, contents: Value) -> None:
        before = self.store.get((ref.address, "items"))
        if before is not None and self.store.get((ref.address, "many")) is not None:
            contents = generalise(before, contents)
        most = self.store.get((ref.address, MOST))
        self.store.set((ref.address, "items"), contents if most is None else bounded(contents, most))

    def stands_for_many(self, value: Value) -> None:
        """A container that every item of a sequence of unknown length is: a change of one may leave the others."""
        if isinstance(value, Ref) and self.store.get((value.address, "items")) is not None:
            self.store.set((value.address, "many"), value)

    def generalise(self, a: Value, b: Value) -> Value:
        return generalise(a, b)

    def generalise_elements(self, a: Value, b: Value) -> Value:
        """What an item of either sequence looks like."""
        return covering(self, self.context.freeze(a, deep=False), self.context.freeze(b, deep=False))

    def covers(self, wide: Value, value: Value) -> bool:
        return covers(wide, value)

    # --- small services ------------------------------------------------------------------------------------------

    @contextmanager
    def at(self, place: Place) -> Iterator[None]:
        """Symbols and steps made meanwhile belong to this place."""
        before, self.place = self.place, place
        try:
            yield
        finally:
            self.place = before

    def call_now(self, function: Value, args: Sequence[Value]) -> Value:
        """Calls a value at the present place; lost where there is none."""
        from shapecheck.dataflow.calls import call

        return (
            call(self, function, args, {}, self.place) if self.place is not None else self.lost("call without a place")
        )

    def internal_error(self, where: str, error: Exception) -> None:
        """Records a defect of shapecheck itself; the run goes on (SHAPECHECK_DEBUG=1 stops it with the traceback)."""
        if os.environ.get("SHAPECHECK_DEBUG"):
            raise error
        place = f"{self.place}: " if self.place is not None else ""
        self.problems.append(f"{place}internal error in {where}: {type(error).__name__}: {error}")

    # --- truth ---------------------------------------------------------------------------------------------------

    def truth(self, value: Value) -> bool | None:
        """Whether a value is true, where that is certain on this path."""
        from shapecheck.dataflow.conditions import truth

        return truth(self, value)


__all__ = ["FUEL", "OutOfFuel", "Tracer", "alike"]
