"""A summary of a call, and whether a later call is like it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from shapecheck.dataflow.calls.path_likeness import tell_the_same
from shapecheck.dataflow.calls.reads import Reads
from shapecheck.dataflow.paths.conditions import Conditions
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.heap import Cell, step_of, symbol_of
from shapecheck.dataflow.state.path import PathState
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.domain.correspondence import Correspondence, Unlike
from shapecheck.domain.values import Scalar, Value
from shapecheck.findings import Frame as CallFrame
from shapecheck.models.lang.packs import JAX_ARRAYS, KERAS_TENSORS, NUMPY_ARRAYS, TENSORS, TORCH_TENSORS
from shapecheck.shapes.claims import Claim
from shapecheck.shapes.size import Symbol

if TYPE_CHECKING:
    from shapecheck.dataflow.graph.steps import Step
    from shapecheck.dataflow.tracer import Tracer

ARRAYS = frozenset(kind.name for kind in (NUMPY_ARRAYS, TENSORS, KERAS_TENSORS, TORCH_TENSORS, JAX_ARRAYS))
"""The libraries whose arrays of one call may stand for those of another."""


class Callee(Protocol):
    """What is called: a function of the program, or a part of the graph. Equal ones do the same with like arguments.

    `held` are values that all its calls share.
    """

    @property
    def key(self) -> Hashable: ...

    @property
    def name(self) -> str: ...

    @property
    def held(self) -> tuple[Value, ...]: ...


@dataclass(frozen=True, slots=True)
class Start:
    """The newest address, step, unknown value and symbol before a call, and the changes of the heap until then."""

    address: int
    step: int
    unknown: int
    symbol: int
    changes: int

    def owns(self, cell: Cell) -> bool:
        """Return whether a cell is of something that the call made, or about it."""
        symbol = symbol_of(cell)
        if symbol is not None:
            return symbol.serial > self.symbol
        return cell[0] > self.address or step_of(cell) > self.step


@dataclass(slots=True, eq=False)
class Summary:
    """What a call read, what it changed, the claims that hold since, its result, its steps, its call path, the path on
    which it was, the functions whose recursion it did not follow to its end, with how often they were running, how many
    other limits it met, and how many operations failed in it.

    Its `operations`, those behind the tensors that it gives, are made again in each call. Some of them `ran_layers`. Of
    symbols in it, some were `known_sizes` of the trace that it was part of. Its steps may have been removed from the
    graph.
    """

    callee: Callee
    given: Arguments
    start: Start
    reads: list[Reads]
    changes: dict[Cell, Value | None]
    facts: tuple[Claim, ...]
    result: Value
    steps: int
    frames: tuple[CallFrame, ...]
    path: PathState
    cut: tuple[tuple[int, int], ...]
    limits: int
    failures: int
    operations: Sequence[Step]
    ran_layers: bool
    known_sizes: frozenset[Symbol]
    is_removed: bool = False


def new_relation(t: Tracer, is_loose: bool = False) -> Correspondence:
    """Return an empty correspondence of calls."""
    loops = t.component(RunningLoops)

    def is_free(value: Value | Symbol) -> bool:
        if isinstance(value, Symbol):
            return not any(value in loop.counters for loop in loops.loops)
        return not isinstance(value, Scalar) or not loops.varies(value)

    return Correspondence(is_free, t.component(Conditions).meanings.get, ARRAYS, is_loose)


def match_call(summary: Summary, relation: Correspondence, callee: Callee, given: Arguments) -> None:
    """Extend a relation by the arguments of a call; raises Unlike if the call is not like the one of the summary."""
    if callee != summary.callee:
        raise Unlike
    for value in callee.held:
        relation.match(value, value)
    for old, new in zip(summary.given.values, given.values, strict=True):
        relation.match(old, new)


def fits(t: Tracer, summary: Summary, relation: Correspondence, callee: Callee, given: Arguments) -> bool:
    """Extend a relation by a call and all that it would read; return whether it is like the one of the summary."""
    if any(t.call_stack.functions.count(key) != count for key, count in summary.cut):
        return False
    if summary.limits and not t.budget.is_repetitive:
        return False  # more of the call may be followed now
    try:
        match_call(summary, relation, callee, given)
        for reads in summary.reads:
            reads.match(t, relation)
    except Unlike:
        return False
    if (summary.known_sizes or t.stage.known_sizes) and not _are_known_alike(t, summary, relation):
        return False
    return tell_the_same(t, summary.path, t.path, relation)


def _are_known_alike(t: Tracer, summary: Summary, relation: Correspondence) -> bool:
    """Return whether the same sizes are numbers while a graph is built."""
    now = t.stage.known_sizes
    return all((old in summary.known_sizes) is (new in now) for old, new in relation.symbols.items())
