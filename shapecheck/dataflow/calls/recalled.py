"""A remembered call that is made again: its steps are copied, its changes and facts hold for the present values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.paths.truncated_slices import TruncatedSlices
from shapecheck.dataflow.stages.static_sizes import OpenSizes
from shapecheck.dataflow.state.aliases import Aliases
from shapecheck.dataflow.state.heap import Cell, Delta
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.domain.correspondence import Correspondence, parts_of
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import (
    BoundLibraryMethod,
    Choice,
    Class,
    Function,
    HomogeneousSeq,
    Int,
    Lost,
    Method,
    ModuleValue,
    Partial,
    Range,
    Ref,
    Scalar,
    Tensor,
    Value,
    of_size,
)
from shapecheck.findings import Frame as CallFrame
from shapecheck.shapes.facts import Claim, claim_symbols, substitute_claim
from shapecheck.shapes.shape import Shape, substitute_shape
from shapecheck.shapes.size import Size, fresh, substitute, symbols
from shapecheck.shapes.symbol import Symbol
from shapecheck.source import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from shapecheck.dataflow.tracer import Tracer


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call did: its result, the cells that it changed, the new objects in them, its steps, and what it learned.

    `guards` are those of its path. Whatever is newer than `first_step`, `serial` (of unknown values), `symbol` or
    `newest` (of addresses) was made by the call, and is made anew each time. `depth` is the number of call frames
    around it.
    """

    result: Value
    delta: Delta
    objects: Mapping[int, Delta]
    steps: Collection[Step]
    learned: tuple[Claim, ...]
    guards: Mapping[Value, bool]
    first_step: int
    serial: int
    symbol: int
    newest: int
    depth: int


def is_kept(value: Value | None, newest: int) -> bool:
    """Return whether a value can be made anew: it has no function and no class that the call has made."""
    match value:
        case Function(frame=address, graph=graph, defaults=defaults):
            return max(address, graph) <= newest and all(is_kept(default, newest) for _, default in defaults)
        case Class(address=address) | ModuleValue(address=address):
            return address <= newest
        case Method(owner=owner, function=function):
            return is_kept(owner, newest) and is_kept(function, newest)
        case Choice(options=options):
            return all(is_kept(option, newest) for _, option in options)
    _, parts = parts_of(value) or ("", ())
    return all(is_kept(part, newest) for part in parts)


class Recalled(Correspondence):
    """The values of a remembered call and those of the present one."""

    def __init__(self, t: Tracer, outcome: Outcome, fixed: Collection[int], is_plain: Callable[[Value], bool]) -> None:
        super().__init__(fixed, is_plain)
        self._t, self._outcome = t, outcome
        self._symbols: dict[Symbol, Size] = {}
        self._offset = 0
        self._guards: dict[int, Mapping[Value, bool]] = {}
        self._shapes: dict[int, Shape] = {}

    def apply(self, place: Place) -> Value:
        """Do what the call did, for a call at a place; return the result."""
        t, outcome = self._t, self._outcome
        self._offset = len(t.graph.steps) + 1 - outcome.first_step
        frames = list(t.call_stack.frames)
        for step in outcome.steps:
            t.graph.steps.append(self._copied(step, frames, place))
        for cell, value in outcome.delta.items():
            if value is None:
                t.heap.delete(self.cell(cell))
            else:
                t.heap.set(self.cell(cell), self.value(value))
        for claim in outcome.learned:
            self._renew(claim_symbols(claim))
            t.learn(substitute_claim(claim, self._symbols))
        return self.value(outcome.result)

    def _copied(self, step: Step, frames: list[CallFrame], place: Place) -> Step:
        """Return a step as the present call makes it."""
        inner = step.frames[self._outcome.depth :]
        if inner:
            inner = (replace(inner[0], place=place), *inner[1:])
        guards = self._guards.get(id(step.guards))
        if guards is None:
            made = {self.value(test): side for test, side in step.guards.items() if test not in self._outcome.guards}
            guards = self._guards[id(step.guards)] = {**self._t.path.guards, **made}
        return replace(
            step,
            id=step.id + self._offset,
            args=tuple(map(self.value, step.args)),
            keywords=tuple((name, self.value(value)) for name, value in step.keywords),
            frames=(*frames, *inner),
            result=None if step.result is None else self.value(step.result),
            guards=guards,
        )

    # --- values ------------------------------------------------------------------------------------------------------

    def cell(self, cell: Cell) -> Cell:
        """Return the cell that corresponds to one of the remembered call."""
        address, key = cell
        if address == 0 and isinstance(key, tuple) and isinstance(key[0], int):
            return 0, (self._step(key[0]), *key[1:])
        return self._address(address), key

    def value(self, value: Value) -> Value:
        """Return the value that corresponds to one of the remembered call."""
        match value:
            case Tensor():
                return self._tensor(value)
            case Lost() | Scalar():
                return self._unknown(value)
            case Int(size=size):
                return of_size(self._size(size))
            case Range(start=start, stop=stop, step=step):
                return Range(self._size(start), self._size(stop), self._size(step))
            case Ref(address=address, cls=cls):
                at = self._address(address)
                return value if at == address else Ref(at, cls)
            case Choice(options=options):
                pairs = (
                    (tuple((self.value(test), side) for test, side in guard), self.value(option))
                    for guard, option in options
                )
                return Choice(tuple(pairs))
            case BoundLibraryMethod(owner=owner, name=name):
                return BoundLibraryMethod(self.value(owner), name)
            case Method(owner=owner, function=function):
                return Method(self.value(owner), function)
            case Partial(function=function, args=args, keywords=keywords):
                named = tuple((name, self.value(each)) for name, each in keywords)
                return Partial(self.value(function), tuple(map(self.value, args)), named)
        changed = map_children(value, self.value)
        if isinstance(changed, HomogeneousSeq) and not isinstance(changed.length, int):
            return replace(changed, length=self._size(changed.length))
        return changed

    def _tensor(self, tensor: Tensor) -> Tensor:
        shape, step = self._shape(tensor.shape), self._step(tensor.step)
        content = None if tensor.content is None else self.value(tensor.content)
        if shape is tensor.shape and step == tensor.step and content is tensor.content:
            return tensor
        return replace(tensor, shape=shape, step=step, content=content)

    def _step(self, step: int) -> int:
        return step + self._offset if step >= self._outcome.first_step else self.steps.get(step, step)

    def _shape(self, shape: Shape) -> Shape:
        known = self._shapes.get(id(shape))
        if known is None:
            is_changed = self._renew(shape.symbols())
            known = self._shapes[id(shape)] = substitute_shape(shape, self._symbols) if is_changed else shape
        return known

    def _size(self, size: Size) -> Size:
        found = symbols(size)
        return substitute(size, self._symbols) if found and self._renew(found) else size

    def _renew(self, found: Iterable[Symbol]) -> bool:
        """Make new symbols for those that the call has made; return whether there are any."""
        made = [symbol for symbol in found if symbol.serial > self._outcome.symbol]
        for symbol in made:
            if symbol not in self._symbols:
                new = fresh(symbol.name, symbol.kind, origin=symbol.origin, why=symbol.why, low=symbol.low)
                self._symbols[symbol] = new
                self._note_symbol(symbol, new.symbols())
        return bool(made)

    def _note_symbol(self, old: Symbol, new: frozenset[Symbol]) -> None:
        """Note of a new symbol what is noted of the one that it stands for."""
        t = self._t
        noted = (t.component(OpenSizes).symbols, t.component(Feasibility).ranks, t.component(TruncatedSlices).symbols)
        for table in noted:
            if old in table:
                table |= new

    def _address(self, address: int) -> int:
        known = self.addresses.get(address)
        if known is not None:
            return known
        if address <= self._outcome.newest:
            return address
        new = self.addresses[address] = self._t.heap.address()
        for (_, key), held in self._outcome.objects.get(address, {}).items():
            if held is not None:
                self._t.heap.set((new, key), self.value(held))
        return new

    def _unknown(self, value: Lost | Scalar) -> Value:
        known = self.unknowns.get(value)
        if known is not None:
            return known
        conditions = self._t.component(Conditions)
        meaning = conditions.meanings.get(value)
        is_new = value.serial > self._outcome.serial
        if meaning is not None:
            test = (meaning[0], self.value(meaning[1]), self.value(meaning[2]))
            if test != meaning or is_new:
                return self._condition(value, test)
        if not is_new:
            return value
        return self._note_unknown(value)

    def _condition(self, old: Lost | Scalar, test: tuple[str, Value, Value]) -> Value:
        """Return the condition of a test that corresponds to an earlier one."""
        conditions = self._t.component(Conditions)
        found = conditions.known.get(test)
        if found is None:
            found = conditions.known[test] = self._note_unknown(old)
            conditions.meanings[found] = test
        self.unknowns[old] = found
        return found

    def _note_unknown(self, old: Lost | Scalar) -> Value:
        """Return a new unknown value, of which is noted what is noted of the one that it stands for."""
        t = self._t
        new = self.unknowns[old] = type(old)(old.reason) if isinstance(old, Lost) else Scalar(old.kind)
        feasibility, aliases, loops = t.component(Feasibility), t.component(Aliases), t.component(RunningLoops).loops
        marks = (feasibility.unknown_class_tests, feasibility.rank_dependent, feasibility.raising_otherwise)
        for table in (*marks, feasibility.decided, t.options.left_open):
            if old in table:
                table.add(new)
        for held in (aliases.whole, aliases.part):
            if old in held:
                held[new] = tuple(self.value(ref) for ref in held[old])  # type: ignore[misc]
        if old in aliases.methods:
            aliases.methods[new] = aliases.methods[old]
        if old in feasibility.opaque_call_inputs:
            given = feasibility.opaque_call_inputs[old]
            feasibility.opaque_call_inputs[new] = tuple(map(self._tensor, given))
        for loop in loops if isinstance(new, Scalar) else ():
            if old.serial in loop.scalars:
                loop.scalars.add(new.serial)
        return new
