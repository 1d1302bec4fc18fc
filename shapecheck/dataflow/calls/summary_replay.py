"""The effects and the result of a call by its summary."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.calls.reads import related
from shapecheck.dataflow.calls.summary import Callee, Summary
from shapecheck.dataflow.containers.iteration import LostLengths
from shapecheck.dataflow.paths.conditions import Conditions, condition
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.stages.static_sizes import OpenSizes
from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.eager_runs import EagerRuns
from shapecheck.dataflow.state.heap import Cell, cell_about
from shapecheck.dataflow.state.opaque_inputs import OpaqueInputs
from shapecheck.dataflow.state.traces import Traces
from shapecheck.domain.correspondence import Correspondence, Translation
from shapecheck.domain.values import Lost, Ref, Scalar, Seq, Tensor, Value
from shapecheck.findings import Frame as CallFrame
from shapecheck.shapes.claims import claim_symbols, substitute_claim
from shapecheck.shapes.size import Size, Symbol, expr_of, fresh, substitute, symbols

if TYPE_CHECKING:
    from shapecheck.dataflow.graph.steps import Step
    from shapecheck.dataflow.tracer import Tracer


class Replay(Translation):
    """The effects and the result of a call by a summary, with new objects, arrays and unknown values."""

    def __init__(self, t: Tracer, summary: Summary, relation: Correspondence, callee: Callee, given: Arguments) -> None:
        super().__init__()
        self._t, self._summary, self._relation, self._name, self._given = t, summary, relation, callee.name, given
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
            there = self._cell(cell)
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

    def _cell(self, cell: Cell) -> Cell:
        """Return the cell that a cell stands for which the call changed."""
        if not self._summary.start.owns(cell):
            return related(self._relation, cell)
        match cell:
            case (0, (Symbol() as symbol, str(what))):
                (new,) = symbols(self.size(expr_of(symbol)))
                return cell_about(new, what)
        return self.address(cell[0]), cell[1]

    def _repeat(self, old: Step) -> None:
        """Make a step again."""
        t, depth = self._t, len(self._summary.frames) - 1
        is_inside = len(old.frames) > depth
        inner = (CallFrame(self._given.place, self._name), *old.frames[depth + 1 :]) if is_inside else ()
        frames, place = (*t.call_stack.frames, *inner), old.place if is_inside else self._given.place
        named = [(name, self.value(value)) for name, value in old.keywords]
        args = [self.value(value) for value in old.args]
        step = t.graph.add(old.kind, old.name, args, named, place, frames)
        self._repeated[old.id] = step.id
        tests = {self.value(test): side for test, side in old.guards.items() if test not in self._summary.path.guards}
        step.guards = {**t.path.guards, **tests} if tests else t.path.guards
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
            step = self._t.add_step("call", self._name, given.args, given.keywords, given.place)
            self._steps[old] = step.id
            step.like = 0 if self._summary.is_removed else self._t.graph[old].like or old
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
        tests = known.unknown_class_tests, known.raising_otherwise, known.decided, known.choosing
        for those in (*tests, known.rank_dependent):
            if old in those:
                those.add(new)
        inputs = self._t.component(OpaqueInputs).arrays
        if old in inputs:
            inputs[new] = tuple(map(self.array, inputs[old]))
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
