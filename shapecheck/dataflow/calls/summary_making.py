"""What a summary keeps of a call that was watched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.calls.reads import Reads
from shapecheck.dataflow.calls.summary import ARRAYS, Callee, Start, Summary, match_call, new_relation
from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.array_views import bases_of
from shapecheck.dataflow.state.eager_runs import EagerRuns
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.heap import Cell, is_note, symbol_of
from shapecheck.dataflow.state.path import PathState
from shapecheck.domain.correspondence import Correspondence, Translation, Unlike
from shapecheck.domain.values import Class, Function, Lost, Ref, Scalar, Tensor, Value, walk
from shapecheck.findings import Frame as CallFrame
from shapecheck.models.lang.gradients import MOMENTS
from shapecheck.models.lang.packs import NUMPY_ARRAYS
from shapecheck.shapes.claims import claim_symbols
from shapecheck.shapes.size import Size, expr_of, symbols

if TYPE_CHECKING:
    from shapecheck.dataflow.graph.steps import Graph, Step
    from shapecheck.dataflow.tracer import Tracer


@dataclass(slots=True, eq=False)
class Watch:
    """A call that is being watched since an event and a mark of the heap, after so many `limits` and `failures`.

    `state` is different after an effect that no summary keeps.
    """

    key: Hashable
    callee: Callee
    given: Arguments
    start: Start
    event: int
    mark: int
    fuel: int
    path: PathState
    state: tuple[object, ...]
    cut: int
    limits: int
    failures: int
    series: int
    is_first: bool


def limits_met(t: Tracer) -> int:
    """Return how many limits there were so far, but for those of recursions."""
    return t.budget.exhausted - len(t.call_stack.cut)


def summary_of(t: Tracer, watch: Watch, reads: list[Reads], result: Value, steps: int) -> Summary:
    """Return the summary of a call that was watched; raises Unlike if it did more than a summary can tell."""
    given, start = watch.given, watch.start
    facts = tuple(t.path.facts)[len(watch.path.facts) :]
    frames = (*t.call_stack.frames, CallFrame(given.place, watch.callee.name))
    cut = tuple((key, t.call_stack.functions.count(key)) for key in t.call_stack.cut[watch.cut :])
    relation = new_relation(t)
    summary = Summary(
        callee=watch.callee,
        given=given,
        start=start,
        reads=reads,
        changes={},
        facts=facts,
        result=result,
        steps=steps,
        frames=frames,
        path=watch.path,
        cut=cut,
        limits=limits_met(t) - watch.limits,
        failures=t.component(Endings).failures - watch.failures,
        operations=(),
        ran_layers=t.component(EagerRuns).latest > start.step,
        known_sizes=t.stage.known_sizes,
    )
    match_call(summary, relation, watch.callee, given)
    for value in (value for each in reads for value in each.varying):
        relation.match(value, value)
    kept = _Keeping(t, start, relation)
    summary.result = kept.value(result)
    _keep_changes(t, watch, summary, kept)
    for claim in facts:
        for symbol in claim_symbols(claim):
            kept.size(expr_of(symbol))
    return summary


def _keep_changes(t: Tracer, watch: Watch, summary: Summary, kept: _Keeping) -> None:
    """Keep what a call changed of older objects, what it made of its own that can be reached from there and from its
    result, and the operations behind the tensors in all that."""
    start, delta = watch.start, t.heap.since(watch.mark)
    inside: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell in delta:
        kept.require(cell[1] not in MOMENTS and not (is_note(cell) and symbol_of(cell) is None))
        if cell[0] or symbol_of(cell) is not None or not start.owns(cell):
            inside[cell[0] if start.owns(cell) else 0].append(cell)
    todo, values = inside[0], [summary.result]
    operations: dict[int, Step] = {}
    while todo or values or kept.found:
        todo += [cell for address in kept.found for cell in inside[address]]
        kept.found.clear()
        for cell in todo:
            value = delta[cell]
            summary.changes[cell] = None if value is None else kept.value(value)
        values += [value for cell in todo if (value := summary.changes[cell]) is not None]
        kept.objects_in(_operations_behind(t.graph, values, start.step, operations))
        todo, values = [], []
    summary.operations = [operations[number] for number in sorted(operations)]


def _operations_behind(graph: Graph, values: Iterable[Value], first: int, found: dict[int, Step]) -> list[Step]:
    """Add the steps after the `first` ones that the tensors in values were computed by to those that were found; return
    the new ones."""
    new: list[Step] = []
    todo = [part for value in values for part in walk(value)]
    while todo:
        part = todo.pop()
        if not isinstance(part, Tensor) or part.library == NUMPY_ARRAYS.name:
            continue
        if part.step > first and part.step not in found:
            step = found[part.step] = graph[part.step]
            new.append(step)
            todo += [operand for _, operand in step.operands()]
            todo += [] if step.result is None else walk(step.result)
    return new


class _Keeping(Translation):
    """The values that a summary keeps: arrays as they are at the end, and `found`, the objects met for the first time.

    A value that was neither read nor made by the call is refused.
    """

    def __init__(self, t: Tracer, start: Start, relation: Correspondence) -> None:
        super().__init__()
        self._t, self._start, self._relation = t, start, relation
        self._met: set[int] = set()
        self.found: list[int] = []

    def array(self, array: Tensor) -> Tensor:
        now = self._t.select(array)
        assert isinstance(now, Tensor)
        known = (now.step, now.output) in self._relation.arrays
        self.require(now.library in ARRAYS and (known or not now.step or now.step > self._start.step))
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

    def objects_in(self, steps: Iterable[Step]) -> None:
        """Keep the objects that operations are given."""
        for step in steps:
            for part in (part for value in step.given for part in walk(value)):
                if isinstance(part, Ref):
                    self.address(part.address)

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
