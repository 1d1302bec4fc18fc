"""Constraints: the demands of an operation are decided under the facts of the path, and become clashes or facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.clash import Assumption, Clash
from shapecheck.dataflow.graph.steps import ANNOTATED_SIZE, ANNOTATION, ASSUMED_AXIS, Step
from shapecheck.dataflow.paths.feasibility import Feasibility, depends_on_test, depends_on_unknown_path
from shapecheck.dataflow.paths.truncated_slices import TruncatedSlices
from shapecheck.dataflow.state.endings import Endings
from shapecheck.domain.values import ANNOTATED, Const, Scalar, Seq, Tensor, Value, as_size, walk
from shapecheck.models.lang.packs import arrays
from shapecheck.shapes import solve
from shapecheck.shapes.facts import Claim, Verdict, claim_symbols
from shapecheck.shapes.size import symbols

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer
    from shapecheck.source import Place

MAX_LOST = 2
EMPTY_LIST = Seq("list", ())
_OTHERS = ("tf.", "keras.")
OF_VERSIONS = frozenset({ClashKind.FEED, ClashKind.LAYER_INPUT})
"""What the versions of Keras check differently: data for the inputs of models, and for layers that are called again."""


def require(t: Tracer, kind: ClashKind, claim: Claim, message: str, *operands: Value) -> Verdict:
    """State a demand of the present step: NEVER is recorded as a clash, a claim that may hold becomes a fact."""
    verdict = solve.refute(t.path.facts, claim)
    if verdict is Verdict.NEVER and (depends_on_test(t.path.facts, claim) or any(map(_is_only_declared, operands))):
        return Verdict.MAYBE
    if verdict is Verdict.NEVER:
        _record(t, kind, message, operands, claim)
    elif verdict is Verdict.MAYBE:
        suppose(t, kind, claim)
    return verdict


def _is_only_declared(operand: Value) -> bool:
    """Return whether only an annotation says that an operand is a number: it may well be an array."""
    return isinstance(operand, Tensor) and isinstance(operand.content, Scalar) and operand.content.why == ANNOTATED


def end_if_tolerated(t: Tracer, operation: str, place: Place) -> None:
    """End the path at an operation that failed, if the program may go on elsewhere."""
    endings = t.component(Endings)
    if t.tolerance and not endings.goes_on:
        raise endings.failed(operation, place)


def suppose(t: Tracer, kind: ClashKind, claim: Claim) -> None:
    """Go on as if a demand that may hold, and may not, holds."""
    if _is_worth_learning(claim):
        t.learn(claim)
    if kind is ClashKind.INDEX_RANGE and len(only := claim_symbols(claim)) == 1:
        t.component(TruncatedSlices).symbols |= only


def notice(t: Tracer, kind: ClashKind, message: str, *operands: Value) -> None:
    """Record a legal but suspicious pattern at the present step."""
    _record(t, kind, message, operands, None)


def _record(t: Tracer, kind: ClashKind, message: str, operands: tuple[Value, ...], claim: Claim | None) -> None:
    """Record a clash or a notice at the present step."""
    assert t.step is not None
    verdict = None if claim is None else Verdict.NEVER
    guards = tuple(t.path.guards.items())
    tolerated = _is_tolerated(t, kind)
    if verdict is Verdict.NEVER and not tolerated:
        t.component(Endings).note(f"{t.step.name} fails", t.step.place)
    assumed = None if verdict is None else _assumption(t, kind, claim)
    clash = Clash(
        kind,
        message,
        t.step,
        operands,
        claim,
        t.path.facts,
        verdict,
        guards,
        tolerated,
        assumed,
        t.stage.trace,
        bool(t.stage.known_sizes),
    )
    t.clashes.append(clash)
    if t.on_clash is not None:
        t.on_clash(clash)


def _assumption(t: Tracer, kind: ClashKind, claim: Claim | None) -> Assumption | None:
    """Return what the failure of the present step depends on that may not hold."""
    if _rests_on_annotations(t, claim):
        return Assumption.ANNOTATION
    assert t.step is not None
    if kind is ClashKind.NOT_INTEGER and t.program.is_python2(t.step.place) and not t.step.name.startswith(_OTHERS):
        return Assumption.OLD_NUMPY
    if kind is ClashKind.INDEX_RANGE and _had_an_axis(t, t.step):
        return Assumption.NEW_TORCH
    if t.is_standalone and any(_has_assumed_axis(step) for step in t.graph.ancestors([t.step.id])):
        return Assumption.BATCHES
    is_old = t.target.dated and t.target.keras is None and t.step.name.startswith("keras.")
    return Assumption.OLD_KERAS if is_old and kind in OF_VERSIONS else None


def _has_assumed_axis(step: Step) -> bool:
    """Return whether the rank of a result is that of a batch that is taken for granted."""
    parts = walk(step.result) if step.result is not None else ()
    shapes = (part.shape for part in parts if isinstance(part, Tensor) and part.step == step.id)
    return any(symbol.why == ASSUMED_AXIS for shape in shapes for symbol in shape.symbols())


def _had_an_axis(t: Tracer, step: Step) -> bool:
    """Return whether what is indexed is a number, or made of one, that had an axis when the program was written."""
    indexed = step.args[0] if step.args else None
    if not isinstance(indexed, Tensor) or indexed.shape.rank != 0:
        return False
    sources = [indexed, *t.graph[indexed.step].args] if indexed.step else [indexed]
    patterns = [arrays(source.library).numbers_as_rows for source in sources if isinstance(source, Tensor)]
    return any(pattern is not None and step.place.source.mentions(pattern) for pattern in patterns)


def _rests_on_annotations(t: Tracer, claim: Claim | None) -> bool:
    """Return whether the present step fails because of what only annotations say."""
    assert t.step is not None
    if not t.graph.has_annotations:
        return False
    sizes = [size for arg in t.step.args for part in walk(arg) if (size := as_size(part)) is not None]
    named = frozenset().union(*map(symbols, sizes), claim_symbols(claim) if claim is not None else ())
    if any(symbol.why == ANNOTATED_SIZE for symbol in named):
        return True
    return any(_is_annotated(step) for step in t.graph.ancestors([t.step.id]))


def _is_annotated(step: Step) -> bool:
    return step.kind == "input" and step.name == ANNOTATION and not step.keywords


def _is_tolerated(t: Tracer, kind: ClashKind) -> bool:
    """Return whether a clash on this path need not fail: the program handles it, or may never take the path."""
    assert t.step is not None
    # With free parameters, a branch of a caller under an unknown condition may never be taken with these arguments:
    # only a failure that does not depend on the branch is certain. Nor may a recursion get deeper under one.
    stack = t.call_stack
    is_recursive = len(set(stack.functions)) < len(stack.functions)
    is_uncertain = (
        (t.is_standalone and len(stack.frames) > 1) or is_recursive
    ) and not stack.guards_at_call.keys() <= t.component(Feasibility).decided
    # A failure of an empty container is not certain either, since other code may fill it first.
    is_unfilled = t.component(Endings).has_unfit_call and (
        kind is ClashKind.NOTHING
        or (kind is ClashKind.NEGATIVE_SIZE and Const(0) in t.step.args)  # the length of what is empty
        or any(map(_takes_nothing, t.graph.ancestors([t.step.id])))
    )
    may_be_filled = is_unfilled or (kind is ClashKind.NOTHING and t.is_standalone)
    is_handled = t.tolerance > 0 or (kind is ClashKind.COLUMN and stack.key_handlers > 0)
    return is_handled or is_uncertain or may_be_filled or depends_on_unknown_path(t, kind, t.step)


def _takes_nothing(step: Step) -> bool:
    """Return whether an operand has no elements."""
    return any(arg == EMPTY_LIST or (isinstance(arg, Tensor) and 0 in arg.shape.known) for arg in step.args)


def _is_worth_learning(claim: Claim) -> bool:
    """Return whether a claim is worth keeping: one about many lost sizes slows every later query down."""
    return sum(symbol.kind.is_lost for symbol in claim_symbols(claim)) <= MAX_LOST
