"""Calls of functions of the program: their bodies are traced with the arguments of each call."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.calls.arguments import bind_parameters
from shapecheck.dataflow.calls.call_cache import CallCache
from shapecheck.dataflow.calls.inlining_policy import is_accessor, is_worth_inlining
from shapecheck.dataflow.calls.summaries import Summaries, is_summarised
from shapecheck.dataflow.havoc.escape import escape_tapes
from shapecheck.dataflow.havoc.havoc import Havoc
from shapecheck.dataflow.paths.feasibility import IDLE, TOO_DEEP, demands
from shapecheck.dataflow.paths.joins import join_exits
from shapecheck.dataflow.stages import array_tracing
from shapecheck.dataflow.stages.autograph import check_returns
from shapecheck.dataflow.stages.entering import as_results, call_in_stage, stage_of
from shapecheck.dataflow.stages.kept_results import keep_result, kept_result
from shapecheck.dataflow.stages.retracing import is_new_trace, note_call
from shapecheck.dataflow.stages.signatures import as_specified, sizes_given, with_sizes
from shapecheck.dataflow.stages.static_sizes import symbols_in
from shapecheck.dataflow.stages.trace_reuse import with_reuse
from shapecheck.dataflow.stages.trace_time import watch_call
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Definition, Frame
from shapecheck.dataflow.state.heap import AMBIENT, Delta
from shapecheck.dataflow.state.instantiated import Instantiated
from shapecheck.dataflow.state.path import PathEnds, PathState
from shapecheck.dataflow.state.stage import LATER_TRACES, Stage
from shapecheck.dataflow.words.declarations import declared_result, enter
from shapecheck.dataflow.words.unpacked_shapes import give_ranks
from shapecheck.domain.join import ambiguous, generalise
from shapecheck.domain.values import NONE, Class, Const, Dict, Function, HomogeneousSeq, Ref, Value, as_str
from shapecheck.findings import Frame as CallFrame
from shapecheck.ir.walk import nodes_in
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.symbol import next_serial

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_DEPTH = 30
MAX_RECURSION = 3
MAX_COUNTED_RECURSION = 16
MAX_YIELDS = 64


def call_function(t: Tracer, function: Function, given: Arguments) -> Value:
    """Return the result of a function of the program for these arguments."""
    asked = given
    if given.is_complete:
        decorated = _decorated_arguments(t, function, given)
        if decorated is None:
            _skip_call(t, function, given, IDLE)
            return t.failed()
        given = decorated
    functions, definition = t.call_stack.functions, t.functions[function.key]
    calls = functions.count(function.key)
    is_deep = calls >= MAX_RECURSION and calls >= _most_calls(t, function, given)
    is_more = _is_more_of_the_same(t, definition, calls) and not _is_known(t, function, given)
    if is_deep or len(functions) >= MAX_DEPTH or is_more:
        t.budget.exhausted += 1
        if is_deep and len(functions) < MAX_DEPTH:
            t.call_stack.cut.append(function.key)
        return _skip_call(t, function, given, TOO_DEEP)
    receiver = definition.owner is not None and definition.kind != "static"
    values = [*given.args[receiver:], *given.keywords.values()]
    owner = given.args[0] if receiver and given.args and t.functions.is_traced(definition.node) else None
    if not is_accessor(definition.node) and not is_worth_inlining(t, values, owner):
        return _skip_call(t, function, given, IDLE)
    traced = array_tracing.traced_stage(t, function)
    if traced is not None:
        return _array_traced(t, traced, function, given)
    stage = stage_of(t, function)
    if stage is not None and t.stage.is_eager:
        note_call(t, function, given)
        stage = replace(stage, known_sizes=symbols_in(asked.values))
        if is_new_trace(t, function, given):
            stage = replace(stage, is_retrace=True, trace=LATER_TRACES - t.heap.address())
    if stage is not None:
        watch = watch_call(t, function, given) if t.stage.is_eager else None
        run = with_reuse(t, function, given, lambda symbolic: _cached_result(t, function, symbolic))
        result = as_results(t, call_in_stage(t, stage, given, run, watch))
        return with_sizes(result, sizes_given(map(t.freeze, given.values), map(t.freeze, asked.values)))
    outer = t.stage
    if not function.is_convertible and not function.graph:
        t.stage = replace(outer, is_converted=False)
    try:
        return _cached_result(t, function, given)
    finally:
        t.stage = outer


def _is_more_of_the_same(t: Tracer, definition: Definition, calls: int) -> bool:
    """Return whether a call that is running so often already, or was traced before, is only a repetition."""
    if t.budget.is_stuck:
        return t.functions.is_traced(definition.node)
    return calls > 0 and t.budget.is_repetitive and definition.frame.kind != "function"


def _array_traced(t: Tracer, stage: Stage, function: Function, given: Arguments) -> Value:
    """Return the result of a function that is traced with arrays of its library."""
    fixed = array_tracing.fixed_positions(t, function, given)
    if fixed is None:
        return _cached_result(t, function, given)
    array_tracing.check_arguments(t, function, given, fixed)
    return array_tracing.call_traced(t, stage, given, lambda symbolic: _cached_result(t, function, symbolic), fixed)


def _most_calls(t: Tracer, function: Function, given: Arguments) -> int:
    """Return how deep a recursion is followed: deeper where it is a loop that counts."""
    node = t.functions[function.key].node
    if not given.values or not all(isinstance(value, Const) for value in given.values):
        return MAX_RECURSION
    calls = (inner.func for inner in nodes_in(node.body) if isinstance(inner, ir.Call))
    own = [func for func in calls if isinstance(func, ir.Name) and func.id == function.name]
    return MAX_COUNTED_RECURSION if len(own) == 1 else MAX_RECURSION


def _cached_result(t: Tracer, function: Function, given: Arguments) -> Value:
    """Return the result of the body of a function, from the call cache if it depends on the arguments alone."""
    kept = kept_result(t, function, given)
    if kept is not None:
        return kept
    cache = t.component(CallCache)
    key = cache.key(t, function, given) if given.is_complete else None
    if key is not None and key in cache.results:
        t.observe_again(given.place, cache.frames[key])
        return cache.results[key]
    mark, exhausted = t.heap.mark(), t.budget.exhausted
    result = _summarised_result(t, function, given)
    t.add_step("call", function.name, given.args, given.keywords, given.place).result = result
    if key is not None and t.budget.exhausted == exhausted and not t.heap.since(mark):
        cache.remember(key, result, (*t.call_stack.frames, CallFrame(given.place, function.name)))
    keep_result(t, function, given, result)
    return result


def _is_known(t: Tracer, function: Function, given: Arguments) -> bool:
    """Return whether there is a summary for a call."""
    return is_summarised(t, function) and t.component(Summaries).knows(t, function, given)


def _summarised_result(t: Tracer, function: Function, given: Arguments) -> Value:
    """Return the result of the body of a function, by a summary if there is one that fits."""
    if not is_summarised(t, function):
        return _body_result(t, function, given)
    return t.component(Summaries).result(t, function, given, lambda asked: _body_result(t, function, asked))


def _body_result(t: Tracer, function: Function, given: Arguments) -> Value:
    """Return the result of tracing a function, and what its decorators make of it."""
    result = _trace_body(t, function, given)
    finish = t.heap.get((-1 - function.key, "__finish__"))
    return result if finish is None else t.call(finish, Arguments(given.place, [result, *given.args]))


def _skip_call(t: Tracer, function: Function, given: Arguments, reason: str) -> Value:
    """Return the result of a call that is not traced, after havoc of its effects."""
    t.observe_skipped(given.place, reason)
    t.component(Havoc).havoc_call(t, function, given.values)
    escape_tapes(t, [function, *given.values])
    return declared_result(t, function.key) or t.lost(reason)


def _trace_body(t: Tracer, function: Function, given: Arguments) -> Value:
    """Return the result of tracing the body of a function with these arguments."""
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
    saved, ambient, stack.guards_at_call = (t.place, stack.guards_at_call), t.heap.get(AMBIENT), path.guards
    guards = path.guards
    try:
        with t.budget.charging((outer.source, node.start, function.name)):
            bind_parameters(t, node.params, dict(function.defaults), given, frame)
            enter(t, function.key, frame, given.place)
            give_ranks(t, function.key, frame)
            if isinstance(node, ir.Lambda):
                return t.evaluate(node.body, frame)
            value = _execute_body(t, node, frame, path, given)
            guards = t.path.guards
            return value
    finally:
        facts = path.facts if len(t.path.facts) < len(path.facts) else t.path.facts
        t.path = PathState(facts, guards)
        t.place, stack.guards_at_call = saved
        t.heap.restore(AMBIENT, ambient)
        stack.functions.pop()
        stack.frames.pop()


def _decorated_arguments(t: Tracer, function: Function, given: Arguments) -> Arguments | None:
    """Return the arguments as the decorators of a function change them; None if they refuse them."""
    specified = as_specified(t, function, given) if function.graph else given
    if specified is None:
        return None
    given = specified
    completer = t.heap.get((-1 - function.key, "__complete__"))
    return given if completer is None else _completed_arguments(t, function, completer, given)


def _completed_arguments(t: Tracer, function: Function, completer: Value, given: Arguments) -> Arguments:
    """Return the arguments with the keywords that a decorator adds if the call does not give them."""
    more = t.call(completer, Arguments(given.place))
    params = t.functions[function.key].node.params
    taken = {param.name for param in params[: len(given.args)]}
    pairs = t.freeze(more, deep=False)
    added = {as_str(name): value for name, value in pairs.items} if isinstance(pairs, Dict) else {}
    kept = {name: value for name, value in added.items() if name and name not in taken}
    return replace(given, keywords={**kept, **given.keywords})


def _execute_body(t: Tracer, node: ir.FunctionDef, frame: Frame, path: PathState, given: Arguments) -> Value:
    """Trace the body of a function; return the join of its return values."""
    since, found = next_serial(), len(t.clashes)
    alive = t.execute(node.body, frame)
    exits = frame.returns
    if alive or (node.is_generator and not exits):
        exits = [*exits, t.exit(frame.mark, NONE)]
    if not exits:
        if not frame.is_abstract:
            raise PathEnds
        return t.lost("function that only raises NotImplementedError")
    if _is_left_open(t, node, frame):
        return t.lost("method that a derived class writes")
    check_returns(t, exits, path, reaches_end=alive)
    guards = path.guards
    if len(exits) == 1 and not node.is_generator and len(t.clashes) == found:
        guards = {**guards, **demands(t, exits[0].path.guards, given.values)}
    if len(exits) == 1 and alive:
        value = exits[0].value
        if not frame.captured:
            t.heap.drop(frame.address, frame.mark)
    else:
        t.heap.rollback(frame.mark)
        if not frame.captured:
            for exit_ in exits:
                exit_.delta = _without_locals(exit_.delta, frame)
        value = join_exits(t, exits, path.guards)
    t.path = PathState(t.path.facts, guards)
    if node.is_generator:
        return _generator_value(t, frame, since)
    return value


def _is_left_open(t: Tracer, node: ir.FunctionDef, frame: Frame) -> bool:
    """Return whether a method does nothing, and the program makes no instances of the class it is called for."""
    if frame.owner is None or not all(_is_nothing(each) for each in node.body):
        return False
    receiver = frame.first_argument
    cls = t.heap.get((receiver.address, "__class__")) if isinstance(receiver, Ref) else None
    return isinstance(cls, Class) and cls.address not in t.component(Instantiated).addresses


def _is_nothing(node: ir.Stmt) -> bool:
    """Return whether a statement is `pass`, `...`, a text or a `return` without a value."""
    if isinstance(node, ir.Evaluate):
        return isinstance(node.value, ir.Const)
    return (isinstance(node, ir.Return) and node.value is None) or isinstance(node, ir.Jump)


def _without_locals(delta: Delta, frame: Frame) -> Delta:
    """Return a delta without the variables of a function, which nothing can read any more."""
    address = frame.address
    return {cell: value for cell, value in delta.items() if cell[0] != address}


def _generator_value(t: Tracer, frame: Frame, since: int) -> Value:
    """Return the iterable of the values that a generator yields, later than its body is traced."""
    element: Value = t.lost("generator that yields nothing")
    for position, value in enumerate(frame.yields):
        element = value if position == 0 else generalise(element, value)
    length = fresh("n", Kind.LOST, why="number of values that a generator yields")
    is_complete_list = frame.yields_all and not frame.returns and 0 < len(frame.yields) <= MAX_YIELDS
    distinct = None if frame.returns else frame.distinct_item
    items = tuple(frame.yields) if is_complete_list else None
    return ambiguous(HomogeneousSeq("generator", element, length, items, distinct_item=distinct, since=since))
