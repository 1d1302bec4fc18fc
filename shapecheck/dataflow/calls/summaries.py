"""Summaries: what a call of a function read, and what it did, so that a later call like it need not be traced.

A body that is traced depends on its arguments, on the cells of the heap that it reads, and on what is known of the
unknown values in both. Where a later call reads the same, up to the names of unknown values, arrays and objects, it
gives the same result, with new objects and new unknown values in place of those that the earlier call made.

Arrays of NumPy are only what they are. Behind tensors of other libraries there is the graph, which derivatives are
followed through: the steps that they were computed by are made again. Where a call looked at the operations behind an
array, a later one is like it only if that is the same array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.calls.assumed_batches import AssumedBatches
from shapecheck.dataflow.calls.reads import grouped, related
from shapecheck.dataflow.calls.summary import (
    ARRAYS,
    Callee,
    Start,
    Summary,
    fits,
    new_relation,
)
from shapecheck.dataflow.calls.summary_making import Watch, limits_met, summary_of
from shapecheck.dataflow.calls.summary_replay import Replay
from shapecheck.dataflow.stages.autograph import TensorTests
from shapecheck.dataflow.stages.created_state import CreatedState
from shapecheck.dataflow.stages.loop_state import LoopStates
from shapecheck.dataflow.stages.retracing import Retracing
from shapecheck.dataflow.stages.trace_effects import Effects
from shapecheck.dataflow.stages.trace_time import TraceWatch
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.heap import CHANGED, KEYS, READ, Cell, Event
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.dataflow.state.stage import EAGER, LATER_TRACES
from shapecheck.dataflow.state.traces import Traces
from shapecheck.domain.correspondence import Correspondence, Unlike, with_unknown_reals
from shapecheck.domain.values import Choice, Const, Function, Library, Lost, Ref, Seq, Tensor, Value, walk
from shapecheck.shapes.symbol import next_serial

if TYPE_CHECKING:
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
MAX_READS = 1_000
"""How many objects a call may read."""


@dataclass(slots=True)
class Summaries:
    """The summaries of an analysis, by functions and the look of their calls.

    `_vain` counts the calls of a function that were watched, less those that a summary answered. `_precise` are calls
    in which the values of real numbers count, `_seen` all that were traced. `_made` are the summaries whose steps are
    in the graph. The calls that are being watched share the events of the heap; `_series` grows when there are too many
    of them.
    """

    _known: dict[Hashable, list[Summary]] = field(default_factory=dict)
    _vain: Counter[Hashable] = field(default_factory=Counter)
    _precise: set[Hashable] = field(default_factory=set)
    _seen: set[Hashable] = field(default_factory=set)
    _made: list[Summary] = field(default_factory=list)
    _series: int = 0

    def result(self, t: Tracer, callee: Callee, given: Arguments, trace: Trace) -> Value:
        """Return the result of a call by a summary, after its effects, or that of tracing it."""
        if not _is_plain(t, given):
            return trace(given)
        key = _key(t, callee, given)
        result = self._replayed(t, key, callee, given)
        if result is None and key in self._known and key not in self._precise:
            result = self._generalised(t, key, callee, given, trace)
        return self._watched(t, key, callee, given, trace) if result is None else result

    def knows(self, t: Tracer, callee: Callee, given: Arguments) -> bool:
        """Return whether there is a summary for a call."""
        if not _is_plain(t, given):
            return False
        known = self._known.get(_key(t, callee, given), ())
        return any(fits(t, summary, new_relation(t), callee, given) for summary in known)

    def remove_steps(self, length: int) -> None:
        """Note that the graph has only its first steps again."""
        while self._made and self._made[-1].start.step >= length:
            self._made.pop().is_removed = True

    def _replayed(self, t: Tracer, key: Hashable, callee: Callee, given: Arguments) -> Value | None:
        """Return the result of a call by a summary, after its effects; None if there is none that fits."""
        for summary in self._known.get(key, ()):
            relation = new_relation(t)
            if fits(t, summary, relation, callee, given):
                self._vain[key] -= 1
                t.budget.consume(1 + summary.steps // CHEAPER)
                t.observe_again(given.place, summary.frames)
                t.budget.exhausted += len(summary.cut) + summary.limits
                t.call_stack.cut += [key for key, _ in summary.cut]
                t.component(Endings).failures += summary.failures
                return Replay(t, summary, relation, callee, given).result()
        return None

    def _generalised(self, t: Tracer, key: Hashable, callee: Callee, given: Arguments, trace: Trace) -> Value | None:
        """Return the result of a call that differs from a summary in real numbers only, by a summary for all numbers.

        That is made by tracing the call with unknown numbers; None if they decide about more than numbers.
        """
        like = next(self._like(t, key, callee, given), None)
        if like is None:
            return None
        summary, relation = like
        mark, path, clashes = t.heap.mark(), t.path, len(t.clashes)
        read = [cell for reads in summary.reads for cell, _ in reads.cells if cell[1] is not KEYS]
        for there in (related(relation, cell) for cell in read):
            now = t.heap.get(there)
            general = None if now is None else with_unknown_reals(now)
            if general is not None and general is not now:
                t.heap.set(there, general)
        asked = given.with_values([with_unknown_reals(value) for value in given.values])
        try:
            self._watched(t, key, callee, asked, trace)
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
        return self._replayed(t, key, callee, given)

    def _like(
        self, t: Tracer, key: Hashable, callee: Callee, given: Arguments
    ) -> Iterator[tuple[Summary, Correspondence]]:
        """Yield the summaries from which a call differs in real numbers only."""
        for summary in self._known[key]:
            relation = new_relation(t, is_loose=True)
            if fits(t, summary, relation, callee, given):
                yield summary, relation

    def _watched(self, t: Tracer, key: Hashable, callee: Callee, given: Arguments, trace: Trace) -> Value:
        """Return the result of tracing a call; keep its summary."""
        is_vain = self._vain[key] > MAX_VAIN or len(self._known.get(key, ())) >= MAX_SUMMARIES
        if is_vain or not self._may_come_again(t, key):
            return trace(given)
        watch = self._watch(t, key, callee, given)
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

    def _watch(self, t: Tracer, key: Hashable, callee: Callee, given: Arguments) -> Watch:
        """Begin to watch a call."""
        heap = t.heap
        if heap.events is not None and len(heap.events) > MAX_EVENTS:
            heap.events, self._series = None, self._series + 1
        is_first = heap.events is None
        events = heap.events = [] if heap.events is None else heap.events
        unknown = Lost("start of a call").serial
        start = Start(heap.address(), len(t.graph.steps), unknown, next_serial(), heap.changes())
        state = _state(t)
        fuel, cut = t.budget.fuel, len(t.call_stack.cut)
        limits, failures = limits_met(t), t.component(Endings).failures
        now = len(events), heap.mark(), fuel, t.path, state, cut, limits, failures
        return Watch(key, callee, given, start, *now, self._series, is_first)

    def _end(self, t: Tracer, watch: Watch, result: Value | None) -> None:
        """End the watch of a call; keep its summary if it has a result, and no effect that a summary cannot keep."""
        events = t.heap.events
        if events is None or watch.series != self._series:
            return
        if watch.is_first:
            t.heap.events = None
        if result is None:
            return
        steps = watch.fuel - t.budget.fuel
        self._vain[watch.key] += 1
        try:
            reads = grouped(t, _external(events, watch), watch.start.changes)
            if steps < MIN_STEPS or _state(t) != watch.state:
                return
            summary = summary_of(t, watch, reads, result, steps)
        except Unlike:
            return
        self._known.setdefault(watch.key, []).append(summary)
        self._made.append(summary)


def _vagueness(summary: Summary) -> int:
    """Return how much is not known of what a call gives and changes."""
    values = [summary.result, *(value for value in summary.changes.values() if value is not None)]
    return sum(map(_is_vague, (part for value in values for part in walk(value))))


def _is_vague(value: Value) -> bool:
    return isinstance(value, (Lost, Choice)) or (isinstance(value, Tensor) and not value.shape.is_ranked)


def is_summarised(t: Tracer, function: Function) -> bool:
    """Return whether calls of a function may be summarised: it gives its result at once, and is no entry point."""
    node = t.functions[function.key].node
    is_entry = t.is_standalone and not t.call_stack.functions
    return isinstance(node, ir.FunctionDef) and not (node.is_generator or node.is_async or is_entry)


def _is_plain(t: Tracer, given: Arguments) -> bool:
    """Return whether nothing but its arguments, the heap and the path may decide what a call does."""
    is_known = all(value.library in ARRAYS for value in given.values if isinstance(value, Tensor))
    return is_known and _is_plain_stage(t) and given.is_complete


def _is_plain_stage(t: Tracer) -> bool:
    """Return whether code runs at once, or is traced by `tf.function`, outside of loops of the graph."""
    if t.stage.is_eager:
        return t.stage == EAGER and t.watch is None
    is_function = (t.stage.trace > 0 or t.stage.trace < LATER_TRACES) and not t.stage.is_array_trace
    is_watched = t.watch is not None and not isinstance(t.watch, TraceWatch)
    return is_function and not is_watched and t.component(LoopStates).loop is None


def _look(value: Value) -> Hashable:
    """Return what is equal for values that may correspond, as far as that is seen at once."""
    match value:
        case Const(value=constant) if not isinstance(constant, float):
            return type(constant), constant
        case Tensor(shape=shape, dtype=dtype, library=library):
            sizes = tuple(size if isinstance(size, int) else None for size in shape.head)
            return library, dtype, shape.tail is None, sizes
        case Seq(kind=kind, items=items):
            return kind, tuple(map(_look, items))
        case Ref(cls=cls):
            return cls
        case Library(name=name):
            return name
    return type(value).__name__


def _class_of(t: Tracer, value: Value) -> Value | None:
    """Return the class of an object of the program; to ask for it is no event."""
    return t.heap.cells.get((value.address, "__class__")) if isinstance(value, Ref) else None


def _key(t: Tracer, callee: Callee, given: Arguments) -> Hashable:
    """Return what is equal for calls that are alike."""
    looks = tuple((_look(value), _class_of(t, value)) for value in given.values)
    handlers = t.call_stack.handlers > 0, t.call_stack.key_handlers > 0
    goes_on = t.component(Endings).goes_on
    depth = sum(key == callee.key for key in t.call_stack.functions)
    watch = t.watch.key if isinstance(t.watch, TraceWatch) else None
    flags = (t.target, t.is_standalone, t.is_closed, t.tolerance > 0, t.refinements, handlers, goes_on, depth)
    return (
        callee.key,
        t.stage,
        watch,
        t.component(TensorTests).tolerated > 0,
        t.component(AssumedBatches).are_allowed,
        len(given.args),
        tuple(given.keywords),
        looks,
        flags,
    )


def _state(t: Tracer) -> tuple[object, ...]:
    """Return what is different after an effect that no summary keeps."""
    counts = (len(t.clashes), len(t.program.pending))
    effects, watched = t.component(Effects), t.watch.notes if isinstance(t.watch, TraceWatch) else 0
    noted = (t.component(Retracing).notes, len(t.component(Traces).changes), t.component(CreatedState).count)
    told = (len(effects.pending), len(effects.changes_in_layers), len(effects.said_in_layers), watched)
    leaks = t.component(LoopStates).has_leaks
    return (*counts, *noted, *told, leaks, t.stage, t.graph_start, t.has_graphs, t.has_missing, t.refinements)


def _external(events: list[Event], watch: Watch) -> list[tuple[Cell, Value | None]]:
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
    if is_unclear or len({address for (address, _), _ in found}) > MAX_READS:
        raise Unlike
    return found
