"""What Python computes once, while a function is traced, although the function is called often.

A function is watched while a call is followed for which the library has a trace already: one with arguments like those
of an earlier call, or a call that the library makes for each batch or element.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.stages.annealing import annealed_attributes
from shapecheck.dataflow.stages.checks import is_symbolic
from shapecheck.dataflow.stages.trace_counters import counters_of
from shapecheck.dataflow.stages.trace_effects import (
    EffectReader,
    Effects,
    assigned_targets,
    counts,
    is_output,
    is_path,
    path_of,
    scope_cell,
)
from shapecheck.dataflow.stages.trace_reuse import key_of
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import Cell
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.dataflow.state.stage import KERAS
from shapecheck.dataflow.state.traces import TraceKey
from shapecheck.dataflow.state.watch import Watch
from shapecheck.domain.values import (
    BoundLibraryMethod,
    Choice,
    Const,
    Function,
    HomogeneousSeq,
    Int,
    Library,
    Lost,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    walk,
)
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.traits import has
from shapecheck.shapes.symbol import next_serial
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

CLOCKS = frozenset(
    """time.time time.time_ns time.perf_counter time.monotonic time.process_time time.clock timeit.default_timer
    datetime.datetime.now datetime.datetime.today datetime.datetime.utcnow datetime.date.today""".split()
)
NUMBERS = frozenset("abs bool divmod float int list max min pow round sorted sum tuple len".split())
"""Builtins whose results are made of the numbers that they are given."""
STATIC = frozenset("dtype ndim shape size".split())
ASIDE = frozenset("name seed".split())
"""Keywords whose values may well be chosen once."""
UNIQUE = (Int, Scalar, Lost, Tensor)
"""The values that are equal only to themselves."""
SETUP = ("__init__", "build", "_build", "setup", "init", "_init", "create", "_create", "reset", "initialize")


@dataclass(frozen=True, slots=True)
class Source:
    """A value that Python gets while a function is traced: where, and what is to be said about it.

    One that `is_known` to the analysis takes one side of a test, although the trace took the other.
    """

    name: str
    place: Place
    message: str
    is_known: bool = False


Sources = tuple[Source, ...]


@dataclass(slots=True, eq=False)
class TraceWatch(Watch):
    """The evaluation of a function whose trace the library has: what Python computes here happened once.

    `depth` is the number of functions around it, and `before` holds what it read when it was traced. Of expressions,
    those with a value of the time of the trace, and those with a symbolic tensor are noted, and the values of callees
    and generators; of variables, those with a value of the time of the trace.
    """

    t: Tracer
    serial: int
    depth: int
    before: dict[Cell, Value]
    once: dict[int, Sources] = field(default_factory=dict)
    seen: dict[int, Value] = field(default_factory=dict)
    symbolic: set[int] = field(default_factory=set)
    variables: dict[Cell, Sources] = field(default_factory=dict)
    values: dict[Value, Sources] = field(default_factory=dict)
    reported: set[Place | str] = field(default_factory=set)
    counters: frozenset[Hashable] | None = None

    @property
    def key(self) -> tuple[int, int]:
        """Return what is equal where the same is compared, and as deep in calls."""
        return id(self.before), len(self.t.call_stack.functions) - self.depth

    @property
    def notes(self) -> tuple[int, ...]:
        """Return numbers that are different after something of the time of the trace was met."""
        return len(self.variables), len(self.values), len(self.reported)

    def evaluated(self, node: ir.Expr, frame: Frame, value: Value) -> None:
        """Note the value of an expression."""
        key = id(node)
        if is_symbolic(self.t, value):
            self.symbolic.add(key)
        else:
            self.symbolic.discard(key)
            if isinstance(value, (Library, BoundLibraryMethod, Ref, HomogeneousSeq)):
                self.seen[key] = value
            else:
                self.seen.pop(key, None)
        if isinstance(node, ir.Call):
            self._written(node, frame)
        own = self._drawn(node, frame) or self._stale(node, frame, value)
        sources = (own,) if own is not None else self._inherited(node, frame, value)
        if not sources:
            self.once.pop(key, None)
        elif key in self.symbolic or is_shuffle(self.seen.get(id(node.func)) if isinstance(node, ir.Call) else None):
            self.report(sources)
        elif _carries(value):
            self.once[key] = sources
            if isinstance(value, UNIQUE):
                self.values[value] = sources

    def report(self, sources: Sources) -> None:
        """Report values of the time of the trace that the graph uses."""
        for source in sources:
            key = source.place.text if source.is_known else source.place
            if key not in self.reported:
                self.reported.add(key)
                step = self.t.add_step("op", source.name, (), {}, source.place)
                self.t.component(Effects).tell(self.t, step, ClashKind.TRACE_VALUE, source.message)

    # --- where values come from ----------------------------------------------------------------------------------

    def _drawn(self, node: ir.Expr, frame: Frame) -> Source | None:
        """Return the source of a random number, a time, or an item of a generator."""
        if not isinstance(node, ir.Call) or self._is_setup():
            return None
        callee = self.seen.get(id(node.func))
        place = Place(frame.source, node.start, node.end)
        name = self._function()
        match callee:
            case Library(name=called) if called in CLOCKS:
                return Source(called, place, f"the time is read once, while {name} is traced")
            case Library(name=called) if has(called, "draws a number"):
                return Source(called, place, f"drawn once, while {name} is traced, and the same in all calls")
            case BoundLibraryMethod(owner=Ref(cls=cls), name=called) if has(cls, "generates numbers"):
                return Source(called, place, f"drawn once, while {name} is traced, and the same in all calls")
            case Library(name="builtins.next") if node.args and self._is_outer_iterator(node.args[0].value, frame):
                return Source("next", place, f"the next item is taken once, while {name} is traced")
        return None

    def _is_outer_iterator(self, node: ir.Expr, frame: Frame) -> bool:
        """Return whether an expression is an iterator of Python that was made before the function was called."""
        value = self.seen.get(id(node))
        if isinstance(value, Ref):
            return value.cls == "user" and value.address < self.t.graph_start
        if not isinstance(value, HomogeneousSeq) or value.kind not in ("generator", "iterator"):
            return False
        parts = list(walk(self.t.freeze(value.element)))
        if any(isinstance(part, Lost) or (isinstance(part, Tensor) and part.library == "tf") for part in parts):
            return False  # that of a data set, which is an operation of the graph, or one that is not known
        cell = scope_cell(frame, node.id) if isinstance(node, ir.Name) else None
        owner = self.seen.get(id(node.value)) if isinstance(node, ir.Attribute) else None
        address = cell[0] if cell is not None else owner.address if isinstance(owner, Ref) else self.t.graph_start
        return address < self.t.graph_start or 0 < value.since < self.serial

    def _is_setup(self) -> bool:
        """Return whether a method sets up an object, whose values may well be chosen once."""
        for key in self.t.call_stack.functions[self.depth :]:
            definition = self.t.functions[key]
            node = definition.node
            if definition.owner is not None and isinstance(node, ir.FunctionDef) and node.name.startswith(SETUP):
                return True
        return False

    def _function(self) -> str:
        name = self.t.stage.function
        return name if name and name != "<lambda>" else "the function"

    def _stale(self, node: ir.Expr, frame: Frame, value: Value) -> Source | None:
        """Return the source of a variable or attribute that was read while tracing, and has another value now."""
        place = Place(frame.source, node.start, node.end)
        if isinstance(node, (ir.Name, ir.Attribute)) and is_number(value) and path_of(node) in self._counters():
            return Source("read", place, f"counted once, while {self._function()} is traced, and the same in all calls")
        match node:
            case ir.Name(id=name) if self.before:
                cell = scope_cell(frame, name)
            case ir.Attribute(value=owner_node, name=name) if isinstance(
                owner := self.seen.get(id(owner_node)), Ref
            ) and (self.before or self.t.stage.trace == KERAS):
                cell = (owner.address, name)
                if self.t.stage.trace == KERAS and name in annealed_attributes(self.t, owner) and _carries(value):
                    return Source("read", place, "read once, while it is traced, and a callback changes it later", True)
            case _:
                return None
        before = None if cell is None else self.before.get(cell)
        if before is None or not has_changed(before, numbers(self.t, value)):
            return None
        return Source("read", place, f"read once, while {self._function()} is traced, and changed since then", True)

    def _counters(self) -> frozenset[Hashable]:
        """Return what the traced function counts, where that itself is evaluated."""
        functions = self.t.call_stack.functions
        if len(functions) != self.depth + 1:
            return frozenset()
        if self.counters is None:
            self.counters = counters_of(self.t.functions[functions[-1]].node)
        return self.counters

    # --- where values go -----------------------------------------------------------------------------------------

    def _inherited(self, node: ir.Expr, frame: Frame, value: Value) -> Sources:
        """Return the sources of the values that an expression depends on."""
        if isinstance(node, ir.Name):
            cell = scope_cell(frame, node.id)
            known = self.variables.get(cell) if cell is not None else None
            return known or self._sources_of(value)
        if not self.once:
            return ()
        found = (source for part in self._operands(node) for source in self.once.get(id(part), ()))
        return tuple(dict.fromkeys(found)) or (self._sources_of(value) if isinstance(node, ir.Call) else ())

    def _sources_of(self, value: Value) -> Sources:
        """Return the sources of a value that no other value equals."""
        return self.values.get(value, ()) if self.values and isinstance(value, UNIQUE) else ()

    def _operands(self, node: ir.Expr) -> Iterator[ir.Expr]:
        """Yield the parts of an expression that its value is computed from."""
        match node:
            case ir.Binary():
                yield from terms(node)
            case ir.Compare(left=left, rights=rights):
                yield from (left, *rights)
            case ir.Unary(operand=operand):
                yield operand
            case ir.Logical(values=values) | ir.Display(items=values):
                yield from values
            case ir.DictDisplay(items=items):
                yield from (value for _, value in items)
            case ir.Conditional(test=test, then=then, orelse=orelse):
                yield from (test, then, orelse)
            case ir.Subscript(value=owner, index=index):
                yield from (owner, index)
            case ir.Attribute(value=owner, name=name) if name not in STATIC:
                yield owner
            case ir.Call(func=func, args=args) if self._computes(func):
                yield func
                yield from (arg.value for arg in args if arg.keyword not in ASIDE)

    def _computes(self, func: ir.Expr) -> bool:
        """Return whether a call computes its result from its arguments with a library."""
        if id(func) in self.once:
            return True
        match self.seen.get(id(func)):
            case Library(name=name) if name.startswith("builtins."):
                return name[9:] in NUMBERS
            case Library(name=name):
                return not has(name, "is used without its result")
            case BoundLibraryMethod():
                return True
            case Ref(cls=cls):
                return cls.startswith("keras.")
        return False

    # --- statements ----------------------------------------------------------------------------------------------

    def assigned(self, targets: Sequence[ir.Expr], node: ir.Expr, frame: Frame) -> None:
        """Note an assignment of the value of an expression."""
        sources = self.once.get(id(node), ())
        for target in targets:
            for name in target.items if isinstance(target, ir.Display) else (target,):
                if isinstance(name, ir.Name):
                    self._bind((frame.address, name.id), sources)
        if len(targets) == 1 and counts(node, targets[0]):
            self.t.component(Effects).note_count(
                self.t, targets[0], Place(frame.source, targets[0].start, node.end), frame
            )

    def _bind(self, cell: Cell, sources: Sources) -> None:
        if sources:
            self.variables[cell] = sources
        else:
            self.variables.pop(cell, None)

    def augmented(self, node: ir.Augmented, frame: Frame, before: Value, result: Value) -> None:
        """Note `target op= value`."""
        sources = (*self.once.get(id(node.target), ()), *self.once.get(id(node.value), ()))
        if is_symbolic(self.t, result):
            self.report(sources)
        elif isinstance(node.target, ir.Name):
            self._bind((frame.address, node.target.id), sources)
        if is_number(before) and is_number(result):
            self.t.component(Effects).note_count(self.t, node.target, Place(frame.source, node.start, node.end), frame)

    def appended(self, owner: Ref, given: Arguments) -> None:
        """Note items that are added to a list."""
        self.t.component(Effects).note_append(self.t, owner, given)

    def branched(self, node: ir.If, first_step: int) -> None:
        """Note a test whose result decided about the operations of the graph."""
        sources = self.once.get(id(node.test), ())
        if not sources:
            return
        steps = (step for step in self.t.graph.steps[first_step:] if step.kind == "op")
        chooses = any(is_symbolic(self.t, tensor) for step in steps for _, tensor in step.operands())
        is_known = any(source.is_known for source in sources)
        deciding = (ir.Return, ir.Assign, ir.Augmented) if is_known else (ir.Return,)
        if chooses or any(isinstance(part, deciding) for part in nodes_in((node.body, node.orelse))):
            self.report(sources)

    def returned(self, node: ir.Expr | None) -> None:
        """Note the result of the function."""
        if len(self.t.call_stack.functions) == self.depth + 1:
            self.report(self.once.get(id(node), ()))

    # --- effects -------------------------------------------------------------------------------------------------

    def _written(self, node: ir.Call, frame: Frame) -> None:
        """Note output that is written once."""
        func = node.func
        owner = self.seen.get(id(func.value)) if isinstance(func, ir.Attribute) else None
        if is_output(func, self.seen.get(id(func)), owner):
            self.t.component(Effects).note_output(self.t, node, frame, self.symbolic)


def terms(node: ir.Expr) -> Iterator[ir.Expr]:
    """Yield the operands of a chain of operators, which is evaluated as one expression."""
    while isinstance(node, ir.Binary):
        yield node.right
        node = node.left
    yield node


def is_shuffle(callee: Value | None) -> bool:
    """Return whether a function puts the items of its argument in another order."""
    name = callee.name if isinstance(callee, (Library, BoundLibraryMethod)) else ""
    return name.rpartition(".")[2] == "shuffle"


def is_number(value: Value | None) -> bool:
    """Return whether a value is a number of Python."""
    match value:
        case Const(value=number):
            return isinstance(number, (int, float)) and not isinstance(number, bool)
        case Int() | Scalar(kind="int" | "float" | "number"):
            return True
    return False


def _carries(value: Value) -> bool:
    """Return whether a value may be a number, or numbers."""
    match value:
        case Const(value=constant):
            return isinstance(constant, (bool, int, float))
        case Scalar(kind=kind):
            return kind != "str"
        case Tensor(role=role, trace=trace):
            return role != "variable" and not trace
        case Ref(cls=cls):
            return cls == "list" or cls.startswith("datetime.")
        case Choice(options=options):
            return any(_carries(option) for _, option in options)
    return isinstance(value, (Int, Lost, Seq, HomogeneousSeq, BoundLibraryMethod))


# --- calls -----------------------------------------------------------------------------------------------------------


def numbers(t: Tracer, value: Value | None) -> Value | None:
    """Return a number, or the contents of a list of numbers; None for anything else."""
    if isinstance(value, Const) and isinstance(value.value, bool):
        return value
    if is_number(value):
        return value
    if isinstance(value, Ref) and value.cls == "list":
        value = t.freeze(value)
    match value:
        case Seq(items=items) if all(map(is_number, items)):
            return value
        case HomogeneousSeq(element=element) if is_number(element):
            return value
    return None


def has_changed(before: Value, now: Value | None) -> bool:
    """Return whether a variable certainly has another value."""
    return now is not None and now != before and isinstance(before, (Const, Seq))


@dataclass(slots=True)
class Calls:
    """What the first of several like calls of a traced function read."""

    first: dict[tuple[int, TraceKey], dict[Cell, Value]] = field(default_factory=dict)


def watch_library_call(t: Tracer, *, is_built: bool) -> TraceWatch:
    """Return the watch over a function that a library calls often, or that is part of a model that `is_built`."""
    t.component(Effects).is_built = is_built
    return TraceWatch(t, next_serial(), len(t.call_stack.functions), {})


def watch_call(t: Tracer, function: Function, given: Arguments) -> TraceWatch | None:
    """Return the watch over a call of a traced function for which there is a trace; None for a first call."""
    known = key_of(t, function, given)
    if known is None:
        return None
    calls = t.component(Calls).first
    key = (function.graph, known)
    before = calls.get(key)
    if before is None:
        calls[key] = before = _read_by(t, function, given.args)
        if not any(loop.is_summary for loop in t.component(RunningLoops).loops):
            return None
    t.component(Effects).is_built = False
    return TraceWatch(t, next_serial(), len(t.call_stack.functions), before)


def unwatched(t: Tracer) -> EffectReader | None:
    """Return the watch over code outside of traced functions, if those had effects that are to be read."""
    effects = t.component(Effects)
    return EffectReader(t, effects) if effects.pending else None


def _read_by(t: Tracer, function: Function, args: Sequence[Value]) -> dict[Cell, Value]:
    """Return the numbers that a function may read: variables of its module, and attributes of its first argument."""
    definition = t.functions[function.key]
    receiver = args[0] if args and definition.owner is not None else None
    found: dict[Cell, Value] = {}
    for name, is_attribute in _names_read(definition.node):
        cell: Cell | None = (receiver.address, name) if is_attribute and isinstance(receiver, Ref) else None
        cell = scope_cell(definition.frame, name) if not is_attribute else cell
        value = None if cell is None else numbers(t, t.heap.get(cell))
        if cell is not None and value is not None:
            found[cell] = value
    return found


def _names_read(node: ir.FunctionDef | ir.Lambda) -> Iterator[tuple[str, bool]]:
    """Yield the outer names that a function reads and does not change, and the attributes of its first parameter."""
    receiver = node.params[0].name if node.params else ""
    parts = list(nodes_in(node.body))
    targets = [target for part in parts for target in assigned_targets(part)]
    changed = {target.id if isinstance(target, ir.Name) else target.name for target in targets if is_path(target)}  # type: ignore[union-attr]
    for part in parts:
        match part:
            case ir.Name(id=name) if name not in node.bound and name not in changed:
                yield name, False
            case ir.Attribute(value=ir.Name(id=owner), name=name) if owner == receiver and name not in changed:
                yield name, True
