"""The memo of calls: a call that finds what an earlier one found does the same, without being traced again.

While the body of a function is traced, the cells of the heap that it reads are recorded. A later call does the same if
its arguments and these cells correspond to those of the earlier call: they may come from other steps, and be other
unknown values and other objects (`domain/correspondence.py`), but all that is known of them is equal. Then the steps of
the earlier call are copied, and its changes are made again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from shapecheck.dataflow.calls.recalled import Outcome, Recalled, is_kept
from shapecheck.dataflow.containers.iteration import LostLengths
from shapecheck.dataflow.graph.steps import EVERY, Step
from shapecheck.dataflow.objects.reassigned import Reassigned
from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.stages.created_state import CreatedState
from shapecheck.dataflow.stages.loop_state import LoopStates
from shapecheck.dataflow.stages.retracing import Retracing
from shapecheck.dataflow.stages.trace_effects import Effects
from shapecheck.dataflow.stages.trace_time import Calls
from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.heap import EVERY_KEY, Cell, Delta
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.domain.correspondence import Atom, atoms
from shapecheck.domain.values import Const, Function, Lost, Ref, Scalar, Tensor, Value
from shapecheck.shapes.facts import Claim, Facts
from shapecheck.shapes.symbol import Symbol, next_serial

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MIN_WORK = 30
"""The evaluation steps from which on a call is worth remembering."""
COPIES = 4
"""The number of cells or steps of a remembered call that cost as much as an evaluation step."""
MAX_CELLS = 20_000
MAX_ENTRIES = 6
"""The number of calls of a function with arguments of one outline that are remembered."""
MAX_MISSES = 16
"""The number of calls in a row that were none of the earlier ones, after which no more are remembered."""
Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """What a call found: its arguments, the cells that it read, the facts and guards about all that, and the steps of
    the graph that it looked at."""

    values: tuple[Value, ...]
    cells: Mapping[Cell, Value | frozenset[Hashable] | None]
    facts: Facts
    guards: Mapping[Value, bool]
    symbols: frozenset[Symbol]
    steps: frozenset[int]


@dataclass(slots=True)
class _Calls:
    """Earlier calls of a function, the latest ones first, and how many later calls were none of them."""

    found: list[tuple[Read, Outcome]] = field(default_factory=list)
    misses: int = 0


@dataclass(slots=True)
class CallMemo:
    """The calls of one entry point that may be made again, and what conditions test."""

    calls: dict[Key, _Calls] = field(default_factory=dict)
    tested: dict[Value, frozenset[Atom]] = field(default_factory=dict)


def remembered(t: Tracer, function: Function, given: Arguments, run: Callable[[], Value]) -> Value:
    """Return the result of a call, which `run` traces unless an earlier one has found the same."""
    if t.watch is not None or not given.is_complete or t.component(LoopStates).loop is not None:
        return run()
    calls = t.component(CallMemo).calls.setdefault(_key(t, function, given), _Calls())
    if calls.misses >= MAX_MISSES:
        return run()
    recalled = _recalled(t, calls.found, given)
    if recalled is not None:
        calls.misses = 0
        return recalled.apply(given.place)
    calls.misses += 1
    recording = _Recording(t)
    try:
        result = run()
    finally:
        cells, steps = recording.stop(t)
    if recording.is_repeatable(t) and len(cells) <= MAX_CELLS and EVERY not in steps:
        outcome = recording.outcome(t, result)
        if outcome is not None:
            calls.found.insert(0, (recording.read(t, given, cells, steps), outcome))
            del calls.found[MAX_ENTRIES:]
    return result


def _recalled(t: Tracer, found: Sequence[tuple[Read, Outcome]], given: Arguments) -> Recalled | None:
    """Return the earlier call that found what the present one finds, if there is one."""
    for read, outcome in found:
        recalled = _found_again(t, read, outcome, given)
        if recalled is not None:
            _note_reads(t, read, recalled)
            t.budget.consume(1 + (len(read.cells) + len(outcome.steps)) // COPIES)
            return recalled
    return None


def _key(t: Tracer, function: Function, given: Arguments) -> Key:
    """Return what must be equal for two calls to be compared at all."""
    loops = t.component(RunningLoops).loops
    flags = t.tolerance > 0, t.is_standalone, t.refinements, t.has_missing, t.call_stack.handlers > 0
    settings = t.target, t.stage, t.stage.known_sizes, bool(loops), any(loop.is_summary for loop in loops), *flags
    return function, *settings, *given.keywords, *map(_outline, given.values)


def _outline(value: Value) -> Hashable:
    match value:
        case Tensor(shape=shape, dtype=dtype):
            return shape, dtype
        case Const() | Function():
            return value
        case Ref(cls=cls):
            return cls
    return type(value).__name__


# --- recording -------------------------------------------------------------------------------------------------------


class _Recording:
    """The state at the start of a call, and what is read since then."""

    def __init__(self, t: Tracer) -> None:
        self.path, self.mark, self.newest = t.path, t.heap.mark(), t.heap.address()
        self.first_step, self.serial, self.symbol = len(t.graph.steps) + 1, Lost("").serial, next_serial()
        self.frames = len(t.call_stack.frames)
        self._fuel, self._state = t.budget.fuel, _state(t)
        self._outer = t.heap.reads, t.graph.looked_at
        t.heap.reads, t.graph.looked_at = {}, set()

    def stop(self, t: Tracer) -> tuple[dict[Cell, None], set[int]]:
        """End the recording; return the cells and steps that were read, which an outer recording has read as well."""
        assert t.heap.reads is not None
        assert t.graph.looked_at is not None
        cells, steps = t.heap.reads, t.graph.looked_at
        t.heap.reads, t.graph.looked_at = self._outer
        if t.heap.reads is not None and t.graph.looked_at is not None:
            t.heap.reads.update(cells)
            t.graph.looked_at |= steps
        return cells, steps

    def is_repeatable(self, t: Tracer) -> bool:
        """Return whether the call changed nothing but the heap and its path, and took some work."""
        return self._fuel - t.budget.fuel >= MIN_WORK and self._state == _state(t) and t.watch is None

    def read(self, t: Tracer, given: Arguments, cells: Mapping[Cell, None], steps: set[int]) -> Read:
        """Return what the call found when it began."""
        earlier = t.heap.at_mark(self.mark)
        found: dict[Cell, Value | frozenset[Hashable] | None] = {}
        for cell in cells:
            if cell[0] > self.newest or (cell[0] == 0 and isinstance(cell[1], tuple) and cell[1][0] >= self.first_step):
                continue
            if cell[1] is EVERY_KEY:
                found[cell] = t.heap.keys_at(cell[0], earlier)
            else:
                found[cell] = earlier[cell] if cell in earlier else t.heap.cells.get(cell)
        values = [*given.values, *(value for value in found.values() if not isinstance(value, frozenset))]
        fixed = frozenset(step for step in steps if step < self.first_step)
        values += (t.graph.steps[step - 1].result for step in fixed)
        about = {atom for value in values for atom in atoms(value)}
        symbols = frozenset(atom for atom in about if isinstance(atom, Symbol))
        facts, guards = self.path.facts.relevant(symbols), _guards_about(t, self.path.guards, about)
        return Read(given.values, found, facts, guards, symbols, fixed)

    def outcome(self, t: Tracer, result: Value) -> Outcome | None:
        """Return what the call did; None if a later call cannot do the same."""
        learned = _added(self.path.facts, t.path.facts)
        if learned is None or t.path.guards != self.path.guards:
            return None
        changes = t.heap.since(self.mark)
        delta = {cell: value for cell, value in changes.items() if cell[0] <= self.newest}
        steps = t.graph.steps[self.first_step - 1 :]
        held = [result, *delta.values(), *(value for step in steps for value in values_of(step))]
        objects = _objects(t, held, self.newest)
        held += (value for cells in objects.values() for value in cells.values())
        if not all(is_kept(value, self.newest) for value in held):
            return None
        begin = self.first_step, self.serial, self.symbol, self.newest, self.frames
        return Outcome(result, delta, objects, steps, learned, self.path.guards, *begin)


def _state(t: Tracer) -> tuple[object, ...]:
    """Return what a call that may be remembered leaves as it is."""
    effects, retracing, loops = t.component(Effects), t.component(Retracing), t.component(LoopStates)
    noted = len(effects.pending), len(effects.changes_in_layers), len(effects.said_in_layers)
    parts, traces = sum(map(len, retracing.parts.values())), sum(map(len, retracing.traces.values()))
    traced = parts, traces, len(retracing.creations), len(retracing.noted), len(t.component(Calls).first)
    created, failures = t.component(CreatedState).count, t.component(Endings).failures
    reassigned = sum(map(len, t.component(Reassigned).cells.values()))
    program = len(t.functions), reassigned, t.heap.unlogged, len(t.program.data.found), t.refinements, t.has_missing
    return len(t.clashes), t.budget.exhausted, noted, traced, created, failures, loops.has_leaks, program


def values_of(step: Step) -> Iterator[Value | None]:
    """Yield the arguments and the result of a step."""
    yield from step.args
    yield from (value for _, value in step.keywords)
    yield step.result


def _added(before: Facts, after: Facts) -> tuple[Claim, ...] | None:
    """Return the claims that were added to facts; None if others were removed."""
    added = []
    while after is not before:
        if after.parent is None or after.length <= before.length:
            return None
        added.append(after.claim)
        after = after.parent
    return tuple(reversed(added))


def _objects(t: Tracer, values: list[Value | None], newest: int) -> dict[int, Delta]:
    """Return the contents of the new objects in values, by address."""
    found: dict[int, Delta] = {}
    todo = list(values)
    while todo:
        for atom in atoms(todo.pop()):
            if not isinstance(atom, tuple) or atom[0] != "address" or atom[1] <= newest or atom[1] in found:
                continue
            address: int = atom[1]
            found[address] = {(address, key): value for key, value in t.heap.at(address)}
            todo += found[address].values()
    return found


# --- recognition -----------------------------------------------------------------------------------------------------


def _found_again(t: Tracer, read: Read, outcome: Outcome, given: Arguments) -> Recalled | None:
    """Return the correspondence of an earlier call to the present one; None if that may do something else."""
    recalled = Recalled(t, outcome, read.steps, lambda value: _is_plain(t, value))
    if not recalled.match_all(read.values, given.values):
        return None
    for cell, value in read.cells.items():
        if not _matches_cell(t, recalled, cell, value):
            return None
    if read.symbols and t.path.facts.relevant(read.symbols) != read.facts:
        return None
    if _guards_about(t, t.path.guards, recalled.images() | read.symbols) != read.guards:
        return None
    return recalled


def _matches_cell(t: Tracer, recalled: Recalled, cell: Cell, value: Value | frozenset[Hashable] | None) -> bool:
    """Return whether a cell holds what the corresponding one held in an earlier call."""
    address, key = cell
    at = recalled.addresses.get(address, address)
    if at == address and not recalled.match_addresses(address, address):
        return False
    if isinstance(value, frozenset):
        return t.heap.keys_at(at, {}) == value
    if address == 0 and isinstance(key, tuple):
        key = (recalled.steps.get(key[0], key[0]), *key[1:])
    return recalled.matches(value, t.heap.cells.get((at, key)))


def _note_reads(t: Tracer, read: Read, recalled: Recalled) -> None:
    """Note that a call which is being recorded reads what the remembered call has read."""
    if t.heap.reads is None or t.graph.looked_at is None:
        return
    t.heap.reads.update(dict.fromkeys(recalled.cell(cell) for cell in read.cells))
    t.graph.looked_at.update(recalled.steps.get(step, step) for step in read.steps)


def _guards_about(t: Tracer, guards: Mapping[Value, bool], about: AbstractSet[Atom]) -> Mapping[Value, bool]:
    """Return the guards that test what these atoms identify."""
    if not guards:
        return guards
    wanted = set(about)
    for atom in about:
        if isinstance(atom, (Lost, Scalar)):
            wanted |= _tested_by(t, atom)
    return {test: side for test, side in guards.items() if not _tested_by(t, test).isdisjoint(wanted)}


def _tested_by(t: Tracer, condition: Value) -> frozenset[Atom]:
    """Return what identifies a condition and everything that it tests."""
    known = t.component(CallMemo).tested
    found = known.get(condition)
    if found is None:
        meanings, seen = t.component(Conditions).meanings, set[Atom]()
        todo: list[Value] = [condition]
        while todo:
            for atom in set(atoms(todo.pop())) - seen:
                seen.add(atom)
                if isinstance(atom, (Lost, Scalar)):
                    todo += meanings.get(atom, ())[1:]
        found = known[condition] = frozenset(seen)
    return found


def _is_plain(t: Tracer, value: Value) -> bool:
    """Return whether nothing is known of an unknown value but what it says itself."""
    aliases, feasibility = t.component(Aliases), t.component(Feasibility)
    tables: tuple[Container[Value], ...] = (
        t.component(Conditions).meanings,
        aliases.whole,
        aliases.part,
        aliases.methods,
        feasibility.opaque_call_inputs,
        feasibility.unknown_class_tests,
        feasibility.rank_dependent,
        feasibility.raising_otherwise,
        feasibility.decided,
        t.component(LostLengths).asked,
        t.options.left_open,
    )
    return not any(value in table for table in tables) and not t.component(RunningLoops).varies(value)
