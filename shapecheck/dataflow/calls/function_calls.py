"""Calls of functions of the program: their bodies traced with these arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.calls.arguments import bind_parameters
from shapecheck.dataflow.calls.call_cache import CallCache
from shapecheck.dataflow.calls.inlining_policy import is_worth_inlining
from shapecheck.dataflow.havoc.havoc import Havoc
from shapecheck.dataflow.paths.feasibility import IDLE, TOO_DEEP
from shapecheck.dataflow.paths.joins import join_exits
from shapecheck.dataflow.stages.autograph import check_returns
from shapecheck.dataflow.stages.entering import call_in_stage, stage_of
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.heap import AMBIENT, Delta
from shapecheck.dataflow.state.path import PathEnds, PathState
from shapecheck.domain.join import generalise
from shapecheck.domain.values import NONE, Dict, Function, HomogeneousSeq, Seq, Value, as_str
from shapecheck.findings import Frame as CallFrame
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.symbol import now

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_DEPTH = 30
MAX_RECURSION = 3
MOST_YIELDS = 64


def call_function(t: Tracer, function: Function, given: Arguments) -> Value:
    """Return what a function of the program gives for these arguments."""
    if given.is_complete:
        given = _decorated(t, function, given)
    functions = t.call_stack.functions
    if len(functions) >= MAX_DEPTH or functions.count(function.key) >= MAX_RECURSION:
        t.budget.exhausted += 1
        return _skipped(t, function, given, TOO_DEEP)
    definition = t.functions[function.key]
    receiver = definition.owner is not None and definition.kind != "static"
    if not is_worth_inlining(t, [*given.args[receiver:], *given.keywords.values()]):
        return _skipped(t, function, given, IDLE)
    stage = stage_of(t, function)
    if stage is not None and t.stage.nested(stage) != t.stage:
        return call_in_stage(t, stage, given, lambda symbolic: _remembered(t, function, symbolic))
    return _remembered(t, function, given)


def _remembered(t: Tracer, function: Function, given: Arguments) -> Value:
    """Return what the body of a function gives, from the cache where the call depends on its arguments alone."""
    cache = t.component(CallCache)
    key = cache.key(t, function, given) if given.is_complete else None
    if key is not None and key in cache.results:
        return cache.results[key]
    mark = t.heap.mark()
    result = _traced(t, function, given)
    finisher = t.heap.get((-1 - function.key, "__finish__"))
    if finisher is not None:
        result = t.call(finisher, Arguments(given.place, [result]))
    t.add_step("call", function.name, given.args, given.keywords, given.place).result = result
    if key is not None and not t.heap.since(mark):
        cache.remember(key, result)
    return result


def _skipped(t: Tracer, function: Function, given: Arguments, reason: str) -> Value:
    """Return the result of a call that is not traced, after forgetting what it may change."""
    t.component(Havoc).forget(t, function, given.values)
    return t.lost(reason)


def _traced(t: Tracer, function: Function, given: Arguments) -> Value:
    """Return what the body of a function gives for these arguments."""
    definition = t.functions[function.key]
    node = definition.node
    outer = definition.frame
    frame = Frame(
        t.heap.address(), outer.source, outer.module, function.name, outer, node.bound, owner=definition.owner
    )
    frame.first_argument = given.args[0] if given.args else None
    t.frames[frame.address] = frame
    t.functions.traced.add(id(node))
    stack, path = t.call_stack, t.path
    stack.functions.append(function.key)
    stack.frames.append(CallFrame(given.place, function.name))
    frame.mark = t.heap.mark()
    before, ambient, stack.guards_at_call = (t.place, stack.guards_at_call), t.heap.get(AMBIENT), path.guards
    try:
        bind_parameters(t, node.params, dict(function.defaults), given, frame)
        if isinstance(node, ir.Lambda):
            return t.evaluate(node.body, frame)
        return _run_body(t, node, frame, path)
    finally:
        facts = path.facts if len(t.path.facts) < len(path.facts) else t.path.facts
        t.path = PathState(facts, path.guards)
        t.place, stack.guards_at_call = before
        t.heap.restore(AMBIENT, ambient)
        stack.functions.pop()
        stack.frames.pop()


def _decorated(t: Tracer, function: Function, given: Arguments) -> Arguments:
    """Return the arguments as decorators that models know let a function see them."""
    adapter = t.heap.get((-1 - function.key, "__adapt__"))
    if adapter is not None:
        given = _adapted(t, function, adapter, given)
    completer = t.heap.get((-1 - function.key, "__complete__"))
    return given if completer is None else _completed(t, function, completer, given)


def _adapted(t: Tracer, function: Function, adapter: Value, given: Arguments) -> Arguments:
    """Return the arguments as a decorator lets the function see them."""
    first = 1 if t.functions[function.key].owner is not None else 0
    adapted = t.call(adapter, Arguments(given.place, given.args[first:]))
    return replace(given, args=(*given.args[:first], *adapted.items)) if isinstance(adapted, Seq) else given


def _completed(t: Tracer, function: Function, completer: Value, given: Arguments) -> Arguments:
    """Return the arguments with the keywords that a decorator adds where the call does not give them."""
    more = t.call(completer, Arguments(given.place))
    params = t.functions[function.key].node.params
    taken = {param.name for param in params[: len(given.args)]}
    pairs = t.freeze(more, deep=False)
    added = {as_str(name): value for name, value in pairs.items} if isinstance(pairs, Dict) else {}
    kept = {name: value for name, value in added.items() if name and name not in taken}
    return replace(given, keywords={**kept, **given.keywords})


def _run_body(t: Tracer, node: ir.FunctionDef, frame: Frame, path: PathState) -> Value:
    since = now()
    alive = t.execute(node.body, frame)
    exits = frame.returns
    if alive or (node.is_generator and not exits):
        exits = [*exits, t.exit(frame.mark, NONE)]
    if not exits:
        if not frame.is_abstract:
            raise PathEnds
        return t.lost("function that is not implemented")
    check_returns(t, exits, path)
    if len(exits) == 1 and alive:
        value = exits[0].value
        if not frame.captured:
            t.heap.drop(frame.address, frame.mark)
    else:
        t.heap.rollback(frame.mark)
        if not frame.captured:
            for way in exits:
                way.delta = _outlasting(way.delta, frame)
        value = join_exits(t, exits, path.guards)
    t.path = PathState(t.path.facts, path.guards)
    if node.is_generator:
        return _generated(t, frame, since)
    return value


def _outlasting(delta: Delta, frame: Frame) -> Delta:
    """What a function changed, without its own variables, which nothing can read any more."""
    address = frame.address
    return {cell: value for cell, value in delta.items() if cell[0] != address}


def _generated(t: Tracer, frame: Frame, since: int) -> Value:
    element: Value = t.lost("generator without values")
    for position, value in enumerate(frame.yields):
        element = value if position == 0 else generalise(element, value)
    length = fresh("n", Kind.LOST, why="number of values a generator gives")
    is_whole = frame.yields_all and not frame.returns and 0 < len(frame.yields) <= MOST_YIELDS
    distinct = None if frame.returns else frame.distinct_item
    return HomogeneousSeq(
        "generator", element, length, tuple(frame.yields) if is_whole else None, distinct_item=distinct, since=since
    )
