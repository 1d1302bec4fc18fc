"""Summaries: what a call of a function read, and what it did, so that a later call like it need not be traced.

A body that is traced depends on its arguments, on the cells of the heap that it reads, and on what is known of the
unknown values in both. Where a later call reads the same, up to the names of unknown values, arrays and objects, it
gives the same result, with new objects and new unknown values in place of those that the earlier call made.

Arrays of NumPy are only what they are. Behind tensors of TensorFlow there is the graph, which derivatives are followed
through: the steps that they were computed by are made again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.calls.path_likeness import tell_the_same
from shapecheck.dataflow.containers.iteration import LostLengths
from shapecheck.dataflow.paths.conditions import Conditions, condition
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.stages.autograph import TensorTests
from shapecheck.dataflow.stages.created_state import CreatedState
from shapecheck.dataflow.stages.loop_state import LoopStates
from shapecheck.dataflow.stages.retracing import Retracing
from shapecheck.dataflow.stages.static_sizes import OpenSizes
from shapecheck.dataflow.stages.trace_effects import Effects
from shapecheck.dataflow.stages.trace_time import TraceWatch
from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.array_views import bases_of
from shapecheck.dataflow.state.eager_runs import EagerRuns
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.heap import CHANGED, KEYS, READ, Cell, Event
from shapecheck.dataflow.state.path import PathEnds, PathState
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.dataflow.state.stage import EAGER, LATER_TRACES
from shapecheck.dataflow.state.traces import Traces
from shapecheck.domain.correspondence import ARRAYS, Correspondence, Translation, Unlike, with_unknown_reals
from shapecheck.domain.values import Choice, Class, Function, Lost, Ref, Scalar, Seq, Tensor, Value, walk
from shapecheck.findings import Frame as CallFrame
from shapecheck.models.lang.gradients import MOMENTS
from shapecheck.shapes.claims import Claim, claim_symbols, substitute_claim
from shapecheck.shapes.size import Size, Symbol, expr_of, fresh, substitute, symbols
from shapecheck.shapes.symbol import next_serial

if TYPE_CHECKING:
    from shapecheck.dataflow.graph.steps import Graph, Step
    from shapecheck.dataflow.tracer import Tracer

Trace: TypeAlias = Callable[[Arguments], Value]
"""Traces the body of a function with some arguments."""

MIN_STEPS = 24
"""The evaluation steps from which a call is worth a summary."""
CHEAPER = 12
"""How much less of the budget a call by its summary takes than one that is traced."""
MAX_SUMMARIES = 6
"""How many summaries are kept for calls that look alike."""
MAX_VAIN = 6
"""How many more calls of a function may be watched in vain than with success."""
MAX_EVENTS = 60_000
MAX_READS = 400


@dataclass(frozen=True, slots=True)
class _Start:
    """The newest address, step, unknown value and symbol before a call."""

    address: int
    step: int
    unknown: int
    symbol: int

    def owns(self, cell: Cell) -> bool:
        """Return whether a cell is of something that the call made."""
        address, key = cell
        return address > self.address or (address == 0 and isinstance(key, tuple) and key[0] > self.step)


@dataclass(slots=True, eq=False)
class _Watch:
    """A call that is being watched since an event and a mark of the heap; `state` is different after an effect that no
    summary keeps."""

    key: Hashable
    function: Function
    given: Arguments
    start: _Start
    event: int
    mark: int
    fuel: int
    path: PathState
    state: tuple[object, ...]
    cut: int
    series: int
    is_first: bool


@dataclass(slots=True, eq=False)
class _Summary:
    """What a call read, what it changed, the claims that hold since, its result, its steps, its call path, the path on
    which it was, and the functions whose recursion it did not follow to its end, with how often they were running.

    Its `operations`, those behind the tensors that it gives, are made again in each call. Some of them `ran_layers`. Of
    symbols in it, some were `known_sizes` of the trace that it was part of.
    """

    function: Function
    given: Arguments
    start: _Start
    reads: list[tuple[Cell, Value | None]]
    changes: dict[Cell, Value | None]
    facts: tuple[Claim, ...]
    result: Value
    steps: int
    frames: tuple[CallFrame, ...]
    path: PathState
    cut: tuple[tuple[int, int], ...]
    operations: Sequence[Step]
    ran_layers: bool
    known_sizes: frozenset[Symbol]


@dataclass(slots=True)
class Summaries:
    """The summaries of an analysis, by functions and the look of their calls.

    `_vain` counts the calls of a function that were watched, less those that a summary answered. `_precise` are calls
    in which the values of real numbers count, `_seen` all that were traced. The calls that are being watched share the
    events of the heap; `_series` grows when there are too many of them.
    """

    _known: dict[Hashable, list[_Summary]] = field(default_factory=dict)
    _vain: Counter[int] = field(default_factory=Counter)
    _precise: set[Hashable] = field(default_factory=set)
    _seen: set[Hashable] = field(default_factory=set)
    _series: int = 0

    def result(self, t: Tracer, function: Function, given: Arguments, trace: Trace) -> Value:
        """Return the result of a call by a summary, after its effects, or that of tracing it."""
        if not _is_plain(t, function, given):
            return trace(given)
        key = _key(t, function, given)
        result = self._replayed(t, key, function, given)
        if result is None and key in self._known and key not in self._precise:
            result = self._generalised(t, key, function, given, trace)
        return self._watched(t, key, function, given, trace) if result is None else result

    def _replayed(self, t: Tracer, key: Hashable, function: Function, given: Arguments) -> Value | None:
        """Return the result of a call by a summary, after its effects; None if there is none that fits."""
        for summary in self._known.get(key, ()):
            relation = _relation(t)
            if _fits(t, summary, relation, function, given):
                self._vain[function.key] -= 1
                t.budget.consume(1 + summary.steps // CHEAPER)
                t.observe_again(given.place, summary.frames)
                t.budget.exhausted += len(summary.cut)
                t.call_stack.cut += [key for key, _ in summary.cut]
                return _Replay(t, summary, relation, function, given).result()
        return None

    def _generalised(
        self, t: Tracer, key: Hashable, function: Function, given: Arguments, trace: Trace
    ) -> Value | None:
        """Return the result of a call that differs from a summary in real numbers only, by a summary for all numbers.

        That is made by tracing the call with unknown numbers; None if they decide about more than numbers.
        """
        like = next(self._like(t, key, function, given), None)
        if like is None:
            return None
        summary, relation = like
        mark, path, clashes = t.heap.mark(), t.path, len(t.clashes)
        for there in (_related(relation, cell) for cell, _ in summary.reads if cell[1] is not KEYS):
            now = t.heap.get(there)
            general = None if now is None else with_unknown_reals(now)
            if general is not None and general is not now:
                t.heap.set(there, general)
        asked = given.with_values([with_unknown_reals(value) for value in given.values])
        try:
            self._watched(t, key, function, asked, trace)
        except PathEnds:
            pass
        finally:
            t.heap.rollback(mark)
            t.path = path
            del t.clashes[clashes:]
        made = self._known[key][-1]
        if made is summary or made.given is not asked:
            self._precise.add(key)
            return None
        if _vagueness(made) > _vagueness(summary):
            self._precise.add(key)
            self._known[key].remove(made)
            return None
        return self._replayed(t, key, function, given)

    def _like(
        self, t: Tracer, key: Hashable, function: Function, given: Arguments
    ) -> Iterator[tuple[_Summary, Correspondence]]:
        """Yield the summaries from which a call differs in real numbers only."""
        for summary in self._known[key]:
            relation = _relation(t, is_loose=True)
            if _fits(t, summary, relation, function, given):
                yield summary, relation

    def _watched(self, t: Tracer, key: Hashable, function: Function, given: Arguments, trace: Trace) -> Value:
        """Return the result of tracing a call; keep its summary."""
        is_vain = self._vain[function.key] > MAX_VAIN or len(self._known.get(key, ())) >= MAX_SUMMARIES
        if is_vain or not self._may_come_again(t, key):
            return trace(given)
        watch = self._watch(t, key, function, given)
        result = None
        try:
            result = trace(given)
        finally:
            self._end(t, watch, result)
        return result

    def _may_come_again(self, t: Tracer, key: Hashable) -> bool:
        """Return whether a call like one is likely to follow: in a loop, or after another one."""
        is_known = key in self._seen
        self._seen.add(key)
        return is_known or bool(t.component(RunningLoops).loops)

    def _watch(self, t: Tracer, key: Hashable, function: Function, given: Arguments) -> _Watch:
        """Begin to watch a call."""
        heap = t.heap
        if heap.events is not None and len(heap.events) > MAX_EVENTS:
            heap.events, self._series = None, self._series + 1
        is_first = heap.events is None
        events = heap.events = [] if heap.events is None else heap.events
        start = _Start(heap.address(), len(t.graph.steps), Lost("start of a call").serial, next_serial())
        state = _state(t)
        fuel, cut = t.budget.fuel, len(t.call_stack.cut)
        return _Watch(
            key, function, given, start, len(events), heap.mark(), fuel, t.path, state, cut, self._series, is_first
        )

    def _end(self, t: Tracer, watch: _Watch, result: Value | None) -> None:
        """End the watch of a call; keep its summary if it has a result, and no effect that a summary cannot keep."""
        events = t.heap.events
        if events is None or watch.series != self._series:
            return
        if watch.is_first:
            t.heap.events = None
        if result is None:
            return
        steps = watch.fuel - t.budget.fuel
        self._vain[watch.function.key] += 1
        try:
            reads = _external(events, watch)
            if steps < MIN_STEPS or _state(t) != watch.state:
                return
            summary = _summary(t, watch, reads, result, steps)
        except Unlike:
            return
        self._known.setdefault(watch.key, []).append(summary)


def _vagueness(summary: _Summary) -> int:
    """Return how much is not known of what a call gives and changes."""
    values = [summary.result, *(value for value in summary.changes.values() if value is not None)]
    return sum(map(_is_vague, (part for value in values for part in walk(value))))


def _is_vague(value: Value) -> bool:
    return isinstance(value, (Lost, Choice)) or (isinstance(value, Tensor) and not value.shape.is_ranked)


def _is_plain(t: Tracer, function: Function, given: Arguments) -> bool:
    """Return whether nothing but its arguments, the heap and the path may decide what a call does."""
    node = t.functions[function.key].node
    is_entry = t.is_standalone and not t.call_stack.functions
    is_simple = isinstance(node, ir.FunctionDef) and not (node.is_generator or node.is_async)
    is_known = _is_plain_stage(t) and all(map(_may_correspond, given.values))
    return is_simple and is_known and given.is_complete and not is_entry


def _is_plain_stage(t: Tracer) -> bool:
    """Return whether code runs at once, or is traced by `tf.function`, outside of loops of the graph."""
    if t.stage.is_eager:
        return t.stage == EAGER and t.watch is None
    is_function = (t.stage.trace > 0 or t.stage.trace < LATER_TRACES) and not t.stage.is_array_trace
    is_watched = t.watch is not None and not isinstance(t.watch, TraceWatch)
    return is_function and not is_watched and t.component(LoopStates).loop is None


def _may_correspond(value: Value) -> bool:
    """Return whether a value is no array, or one of a library whose arrays correspond."""
    return not isinstance(value, Tensor) or value.library in ARRAYS


def _key(t: Tracer, function: Function, given: Arguments) -> Hashable:
    """Return what is equal for calls that are alike."""
    kinds = tuple(map(type, given.values))
    handlers, goes_on = t.call_stack.handlers > 0, t.component(Endings).goes_on
    depth = t.call_stack.functions.count(function.key)
    watch = t.watch.key if isinstance(t.watch, TraceWatch) else None
    flags = (t.target, t.is_standalone, t.is_closed, t.tolerance > 0, t.refinements, handlers, goes_on, depth)
    return (
        function.key,
        t.stage,
        watch,
        t.component(TensorTests).tolerated > 0,
        len(given.args),
        tuple(given.keywords),
        kinds,
        flags,
    )


def _state(t: Tracer) -> tuple[object, ...]:
    """Return what is different after an effect that no summary keeps."""
    limits = t.budget.exhausted - len(t.call_stack.cut)
    counts = (len(t.clashes), limits, len(t.program.pending), t.component(Endings).failures)
    effects, watched = t.component(Effects), t.watch.notes if isinstance(t.watch, TraceWatch) else 0
    noted = (t.component(Retracing).notes, len(t.component(Traces).changes), t.component(CreatedState).count)
    told = (len(effects.pending), len(effects.changes_in_layers), len(effects.said_in_layers), watched)
    leaks = t.component(LoopStates).has_leaks
    return (*counts, *noted, *told, leaks, t.stage, t.graph_start, t.has_graphs, t.has_missing, t.refinements)


def _external(events: list[Event], watch: _Watch) -> list[tuple[Cell, Value | None]]:
    """Return what a call read that it had not made or changed, and leave only that and its changes among the events."""
    depths: Counter[Cell] = Counter()
    changed: set[int] = set()
    reads: dict[Cell, Value | None] = {}
    is_unclear = False
    for cell, value, event in events[watch.event :]:
        if watch.start.owns(cell):
            continue
        if event != READ:
            depths[cell] += event
            changed.add(cell[0])
        elif cell[1] is KEYS and cell[0] in changed:
            is_unclear = True
        elif not depths[cell]:
            reads.setdefault(cell, value)
    found = list(reads.items())
    left = [(cell, None, CHANGED) for cell, depth in depths.items() for _ in range(depth)]
    events[watch.event :] = [*((cell, value, READ) for cell, value in found), *left]
    if is_unclear or len(found) > MAX_READS:
        raise Unlike
    return found


# --- what a summary keeps --------------------------------------------------------------------------------------------


def _summary(t: Tracer, watch: _Watch, reads: list[tuple[Cell, Value | None]], result: Value, steps: int) -> _Summary:
    """Return the summary of a call that was watched; raises Unlike if it did more than a summary can tell."""
    given, start = watch.given, watch.start
    facts = tuple(t.path.facts)[len(watch.path.facts) :]
    frames = (*t.call_stack.frames, CallFrame(given.place, watch.function.name))
    cut = tuple((key, t.call_stack.functions.count(key)) for key in t.call_stack.cut[watch.cut :])
    relation = _relation(t)
    ran_layers = t.component(EagerRuns).latest > start.step
    summary = _Summary(
        *(watch.function, given, start, reads, {}, facts, result, steps, frames, watch.path, cut),
        *((), ran_layers, t.stage.known_sizes),
    )
    _match_call(summary, relation, watch.function, given)
    for _, value in reads:
        relation.match(value, value)
    kept = _Keeping(t, start, relation)
    summary.result = kept.value(result)
    delta = t.heap.since(watch.mark)
    inside: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell in delta:
        if cell[0] or not start.owns(cell):
            inside[cell[0] if start.owns(cell) else 0].append(cell)
    todo = inside[0]
    while todo or kept.found:
        todo += [cell for address in kept.found for cell in inside[address]]
        kept.found.clear()
        for cell in todo:
            value = delta[cell]
            kept.require(cell[1] not in MOMENTS)
            summary.changes[cell] = None if value is None else kept.value(value)
        todo = []
    for claim in facts:
        for symbol in claim_symbols(claim):
            kept.size(expr_of(symbol))
    values = [summary.result, *(value for value in summary.changes.values() if value is not None)]
    summary.operations = _operations_behind(t.graph, values, start.step)
    return summary


def _operations_behind(graph: Graph, values: Iterable[Value], first: int) -> list[Step]:
    """Return the steps after the `first` ones that the tensors in values were computed by, as far as tensors tell."""
    found: dict[int, Step] = {}
    todo = [part for value in values for part in walk(value)]
    while todo:
        part = todo.pop()
        if isinstance(part, Tensor) and part.library != "np" and part.step > first and part.step not in found:
            step = found[part.step] = graph[part.step]
            todo += [operand for _, operand in step.operands()]
            todo += [] if step.result is None else walk(step.result)
    return [found[number] for number in sorted(found)]


class _Keeping(Translation):
    """The values that a summary keeps: arrays as they are at the end, and `found`, the objects met for the first time.

    A value that was neither read nor made by the call is refused.
    """

    def __init__(self, t: Tracer, start: _Start, relation: Correspondence) -> None:
        self._t, self._start, self._relation = t, start, relation
        self._met: set[int] = set()
        self.found: list[int] = []

    def array(self, array: Tensor) -> Tensor:
        now = self._t.select(array)
        assert isinstance(now, Tensor)
        known = (now.step, now.output) in self._relation.arrays
        self.require(_may_correspond(now) and (known or not now.step or now.step > self._start.step))
        if now.content is not None and not known and next(bases_of(self._t.graph, now), None) is not None:
            now = replace(now, content=None)  # that of the base may change
        for size in now.shape.known:
            self.size(size)
        return now if now.content is None else replace(now, content=self.value(now.content))

    def address(self, address: int) -> int:
        if address > self._start.address and address not in self._met:
            self._met.add(address)
            self.found.append(address)
        self.require(address > self._start.address or address in self._relation.addresses)
        return address

    def unknown(self, unknown: Lost | Scalar) -> Value:
        is_known = unknown.serial > self._start.unknown or unknown in self._relation.unknowns
        self.require(is_known or unknown in self._t.component(Conditions).meanings)
        return unknown

    def size(self, size: Size) -> Size:
        for symbol in symbols(size):
            self.require(symbol.serial > self._start.symbol or symbol in self._relation.symbols)
            self.require(symbol.lower is None and symbol.upper is None)
        return size

    def fixed(self, value: Value) -> Value:
        newest = value.frame if isinstance(value, Function) else value.address if isinstance(value, Class) else 0
        self.require(newest <= self._start.address)
        return value

    def require(self, holds: bool) -> None:
        if not holds:
            raise Unlike


# --- matching --------------------------------------------------------------------------------------------------------


def _relation(t: Tracer, is_loose: bool = False) -> Correspondence:
    """Return an empty correspondence of calls."""
    loops = t.component(RunningLoops)

    def is_free(value: Value | Symbol) -> bool:
        if isinstance(value, Symbol):
            return not any(value in loop.counters for loop in loops.loops)
        return not isinstance(value, Scalar) or not loops.varies(value)

    return Correspondence(is_free, t.component(Conditions).meanings.get, is_loose)


def _match_call(summary: _Summary, relation: Correspondence, function: Function, given: Arguments) -> None:
    """Extend a relation by the arguments of a call; raises Unlike if the call is not like the one of the summary."""
    if function != summary.function:
        raise Unlike
    for old, new in zip(summary.given.values, given.values, strict=True):
        relation.match(old, new)


def _fits(t: Tracer, summary: _Summary, relation: Correspondence, function: Function, given: Arguments) -> bool:
    """Extend a relation by a call and all that it would read; return whether it is like the one of the summary."""
    if any(t.call_stack.functions.count(key) != count for key, count in summary.cut):
        return False
    try:
        _match_call(summary, relation, function, given)
        for cell, value in summary.reads:
            relation.match(value, t.heap.read(_related(relation, cell)))
    except Unlike:
        return False
    if (summary.known_sizes or t.stage.known_sizes) and not _are_known_alike(t, summary, relation):
        return False
    return tell_the_same(t, summary.path, t.path, relation)


def _are_known_alike(t: Tracer, summary: _Summary, relation: Correspondence) -> bool:
    """Return whether the same sizes are numbers while a graph is built."""
    now = t.stage.known_sizes
    return all((old in summary.known_sizes) is (new in now) for old, new in relation.symbols.items())


def _related(relation: Correspondence, cell: Cell) -> Cell:
    """Return the cell that stands for one of an earlier call."""
    address, key = cell
    if address == 0 and isinstance(key, tuple):
        return address, relation.arrays.get(key, key)
    return relation.addresses.get(address, address), key


# --- replaying -------------------------------------------------------------------------------------------------------


class _Replay(Translation):
    """The effects and the result of a call by a summary, with new objects, arrays and unknown values."""

    def __init__(
        self, t: Tracer, summary: _Summary, relation: Correspondence, function: Function, given: Arguments
    ) -> None:
        self._t, self._summary, self._relation, self._name, self._given = t, summary, relation, function.name, given
        self._symbols: dict[Symbol, Size] = {old: expr_of(new) for old, new in relation.symbols.items()}
        self._steps: dict[int, int] = {}
        self._repeated: dict[int, int] = {}

    def result(self) -> Value:
        """Return the result of the call, after its effects."""
        t, assigned = self._t, self._t.component(Traces).attributes
        for step in self._summary.operations:
            self._repeat(step)
        if self._summary.ran_layers:
            t.component(EagerRuns).latest = len(t.graph.steps)
        for cell, value in self._summary.changes.items():
            is_made = cell[0] > self._summary.start.address
            there = (self.address(cell[0]), cell[1]) if is_made else _related(self._relation, cell)
            if cell in assigned:
                assigned.add(there)
            if value is None:
                t.heap.delete(there)
            else:
                t.heap.set(there, self.value(value))
        for claim in self._summary.facts:
            for symbol in claim_symbols(claim):
                self._renew(symbol)
            t.learn(substitute_claim(claim, self._symbols))
        return self.value(self._summary.result)

    def _repeat(self, old: Step) -> None:
        """Make a step again."""
        t, depth = self._t, len(self._summary.frames) - 1
        frames = (*t.call_stack.frames, *old.frames[depth:])
        named = [(name, self.value(value)) for name, value in old.keywords]
        args = [self.value(value) for value in old.args]
        step = t.graph.add(old.kind, old.name, args, named, old.place, frames)
        self._repeated[old.id] = step.id
        inner = {self.value(test): side for test, side in old.guards.items() if test not in self._summary.path.guards}
        step.guards = {**t.path.guards, **inner} if inner else t.path.guards
        step.result = None if old.result is None else self.value(old.result)
        step.model, step.replayed, step.ambient = old.model, old.replayed, old.ambient

    def array(self, array: Tensor) -> Tensor:
        key = (array.step, array.output)
        made = self._relation.arrays.get(key)
        is_folded = made is None and array.step > self._summary.start.step and array.step not in self._repeated
        if is_folded:
            made = self._step(array.step), array.output
        elif made is None:
            made = self._repeated.get(array.step, array.step), array.output
        content = None if array.content is None else self.value(array.content)
        found = replace(array, shape=array.shape.map(self.size), step=made[0], output=made[1], content=content)
        if is_folded:
            step = self._t.graph[made[0]]
            step.result = found if step.result is None else Seq("tuple", (step.result, found))
        return found

    def _step(self, old: int) -> int:
        """Return the step of the whole call, which stands for one within it that is not made again."""
        if old not in self._steps:
            given = self._given
            self._steps[old] = self._t.add_step("call", self._name, given.args, given.keywords, given.place).id
        return self._steps[old]

    def address(self, address: int) -> int:
        known = self._relation.addresses
        if address > self._summary.start.address and address not in known:
            known[address] = self._t.heap.address()
        return known.get(address, address)

    def unknown(self, unknown: Lost | Scalar) -> Value:
        known = self._relation.unknowns
        if unknown not in known:
            meaning = self._t.component(Conditions).meanings.get(unknown)
            if meaning is not None:
                known[unknown] = condition(self._t, meaning[0], self.value(meaning[1]), self.value(meaning[2]))
            elif unknown.serial < self._summary.start.unknown:
                known[unknown] = unknown
            else:
                known[unknown] = replace(unknown, serial=Lost("").serial)
                self._inherit(unknown, known[unknown])
        return known[unknown]

    def _inherit(self, old: Value, new: Value) -> None:
        """Say of a new unknown value what is known of the old one."""
        known, aliases = self._t.component(Feasibility), self._t.component(Aliases)
        for those in (known.unknown_class_tests, known.rank_dependent, known.raising_otherwise, known.decided):
            if old in those:
                those.add(new)
        if old in known.opaque_call_inputs:
            inputs = map(self.array, known.opaque_call_inputs[old])
            known.opaque_call_inputs[new] = tuple(inputs)
        for table in (aliases.whole, aliases.part):
            if old in table:
                table[new] = tuple(Ref(self.address(ref.address), ref.cls) for ref in table[old])
        if old in aliases.methods:
            aliases.methods[new] = aliases.methods[old]
        if old in aliases.inherited:
            owner = aliases.inherited[old]
            aliases.inherited[new] = Ref(self.address(owner.address), owner.cls)
        if old in aliases.any_method:
            owners = [replace(method, owner=self.value(method.owner)) for method in aliases.any_method[old]]
            aliases.any_method[new] = tuple(owners)

    def size(self, size: Size) -> Size:
        for symbol in symbols(size):
            self._renew(symbol)
        return substitute(size, self._symbols) if self._symbols else size

    def _renew(self, symbol: Symbol) -> None:
        """Make a new symbol for one that the call made."""
        if symbol in self._symbols or symbol.serial < self._summary.start.symbol:
            return
        place = None if symbol.origin is None else self._given.place
        self._symbols[symbol] = fresh(symbol.name, symbol.kind, origin=place, why=symbol.why, low=symbol.low)
        (new,) = symbols(self._symbols[symbol])
        if symbol in self._t.component(OpenSizes).symbols:
            self._t.component(OpenSizes).symbols.add(new)
        ranks, owners = self._t.component(Feasibility).ranks, self._t.component(LostLengths).owners
        if symbol in ranks:
            ranks.add(new)
        if symbol in owners:
            owners[new] = self.value(owners[symbol])
