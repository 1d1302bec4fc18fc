"""Comprehensions, and displays with starred items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.dict_update import updated
from shapecheck.dataflow.operators.sets import as_container
from shapecheck.dataflow.paths.truth import truth
from shapecheck.dataflow.stages.checks import require_iterable, require_value
from shapecheck.dataflow.stages.unrolling import unrolled
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.running_loops import RunningLoop, RunningLoops
from shapecheck.domain.join import NOTHING, generalise
from shapecheck.domain.values import Dict, HomogeneousSeq, Lost, Seq, Value
from shapecheck.shapes.size import Kind, Size, fresh, is_lost
from shapecheck.shapes.symbol import next_serial
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_ITEMS = 256


def expand(t: Tracer, nodes: Sequence[ir.Expr], frame: Frame) -> Seq | HomogeneousSeq:
    """Return the items of a display with `*items` expanded; a homogeneous sequence if their number is unknown."""
    items: list[Value] = []
    for position, node in enumerate(nodes):
        value = t.evaluate(node, frame)
        if not isinstance(node, ir.Starred):
            items.append(value)
            continue
        require_iterable(t, [value], Place(frame.source, node.start, node.end), "*")
        more = iteration.elements(t, value)
        if more is None:
            return _unknown_items(t, items, value, nodes[position + 1 :], frame)
        items.extend(more)
    return Seq("list", tuple(items))


def _unknown_items(t: Tracer, items: list[Value], star: Value, rest: Sequence[ir.Expr], frame: Frame) -> HomogeneousSeq:
    """Return a sequence of known items and the items of a starred value of unknown length."""
    element = iteration.element(t, star)
    others = [*items, *(t.evaluate(node, frame) for node in rest)]
    for other in others:
        element = generalise(element, other)
    return HomogeneousSeq("list", element, fresh("n", Kind.LOST, why="length of a starred value"))


def comprehension(t: Tracer, node: ir.Comprehension, frame: Frame) -> Value:
    """Return the value of a list, set or dict comprehension or of a generator expression."""
    bound = frozenset(name for clause in node.clauses for name in target_names(clause.target))
    scope = Frame(
        t.heap.address(), frame.source, frame.module, frame.name, frame, bound, kind="comprehension", owner=frame.owner
    )
    scope.first_argument = frame.first_argument
    t.frames[scope.address] = scope
    items: list[tuple[Value | None, Value]] = []
    since = next_serial()
    length = _generate_here(t, node, scope, items)
    if node.kind == "dict":
        return t.new_container("dict", _dict(t, items, length))
    kind = "list" if node.kind == "generator" else node.kind
    if isinstance(length, int) and length == len(items):
        result: Value = as_container(Seq("list", tuple(value for _, value in items)), kind)
    else:
        element: Value = NOTHING
        for _, value in items:
            element = value if element == NOTHING else generalise(element, value)
        t.mark_summary(element)
        result = HomogeneousSeq(kind, element, length, since=since)
    return result if node.kind == "generator" else t.new_container(kind, result)


def _dict(t: Tracer, items: list[tuple[Value | None, Value]], length: Size) -> Value:
    """Return the dict of the entries of a comprehension."""
    entries = [(key, value) for key, value in items if key is not None]
    if isinstance(length, int) and length == len(items):
        return updated(t, entries)
    rest = next((value for _, value in entries), NOTHING)
    for _, value in entries:
        rest = generalise(rest, value)
    t.mark_summary(rest)
    return Dict((), rest)


def _generate_here(t: Tracer, node: ir.Comprehension, scope: Frame, out: list[tuple[Value | None, Value]]) -> Size:
    """Evaluate the element for every combination of items; return the number of results."""
    clauses = list(node.clauses)
    if t.stage.is_eager:
        return _generate(t, node, clauses, scope, out)
    place = Place(scope.source, clauses[0].target.start, clauses[0].iter.end)
    with unrolled(t, (node.element,), tuple(clause.target for clause in clauses), scope, place) as copies:
        copies.total = _generate(t, node, clauses, scope, out)
        return copies.total


def _generate(
    t: Tracer, node: ir.Comprehension, clauses: list[ir.Clause], scope: Frame, out: list[tuple[Value | None, Value]]
) -> Size:
    """Evaluate the element for every combination of items; return the number of results."""
    if not clauses:
        key = None if node.key is None else t.evaluate(node.key, scope)
        out.append((key, t.evaluate(node.element, scope)))
        return 1
    clause = clauses[0]
    iterable = t.evaluate(clause.iter, scope)
    require_iterable(t, [iterable], Place(scope.source, clause.iter.start, clause.iter.end), "a comprehension")
    elements = iteration.elements(t, iterable)
    if elements is not None and len(elements) <= MAX_ITEMS and len(out) <= MAX_ITEMS:
        return _each(t, node, clauses, scope, out, elements)
    length = iteration.length(t, iterable)
    if iteration.is_empty(t, iterable, length):
        return 0
    item = iteration.element(t, iterable)
    t.assign(clause.target, item, scope)
    since = Lost("start of a comprehension").serial
    summary = RunningLoop(t.heap.address(), since, len(t.graph.steps), is_summary=True)
    summary.note_item(item)
    with t.component(RunningLoops).running(summary):
        filtered = _filtered(t, clause, scope)
        inner = _generate(t, node, clauses[1:], scope, out)
    if filtered is not False:
        return fresh("n", Kind.LOST, why="number of items that pass the condition")
    if is_lost(inner):
        return fresh("n", Kind.LOST, why="items of nested iterations")  # whose lengths may or may not be equal
    return length * inner


def _each(
    t: Tracer,
    node: ir.Comprehension,
    clauses: list[ir.Clause],
    scope: Frame,
    out: list[tuple[Value | None, Value]],
    elements: Sequence[Value],
) -> Size:
    """Evaluate the element for each known item of a clause; return the number of results."""
    total: Size = 0
    with t.component(RunningLoops).running(RunningLoop(t.heap.address())):
        for element in elements:
            t.assign(clauses[0].target, element, scope)
            filtered = _filtered(t, clauses[0], scope)
            if filtered is True:
                continue
            count = _generate(t, node, clauses[1:], scope, out)
            is_known = filtered is False
            total = total + count if is_known else fresh("n", Kind.LOST, why="number of items that pass the condition")
    return total


def _filtered(t: Tracer, clause: ir.Clause, scope: Frame) -> bool | None:
    """Return whether the conditions of the clause exclude the item, or None if they may."""
    verdict: bool | None = False
    for test in clause.conditions:
        value = t.evaluate(test, scope)
        require_value(t, value, Place(scope.source, test.start, test.end), "the condition of a comprehension")
        known = truth(t, value)
        if known is False:
            return True
        if known is None:
            verdict = None
    return verdict


def target_names(target: ir.Expr) -> tuple[str, ...]:
    """Return the names that an assignment target binds."""
    match target:
        case ir.Name():
            return (target.id,)
        case ir.Starred():
            return target_names(target.value)
        case ir.Display():
            return tuple(name for item in target.items for name in target_names(item))
    return ()
