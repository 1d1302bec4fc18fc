"""Calls: of the program's functions, classes and instances, of library names, and of Python's builtins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow import objects
from shapecheck.dataflow.arguments import bind_parameters, evaluate_arguments
from shapecheck.dataflow.builtins import BUILTINS, declared
from shapecheck.dataflow.builtins.registry import Builtin
from shapecheck.dataflow.effects import IDLE, TOO_DEEP
from shapecheck.dataflow.frame import Frame, PathEnds
from shapecheck.dataflow.handed import hand_over
from shapecheck.dataflow.interest import follows
from shapecheck.dataflow.store import AMBIENT, Delta
from shapecheck.dataflow.transposed import is_transposition, transposed
from shapecheck.findings import Frame as CallFrame
from shapecheck.models.lang.op import Model, lookup, lookup_method
from shapecheck.shapes.size import Kind, fresh
from shapecheck.shapes.symbol import now
from shapecheck.source import Place
from shapecheck.values import (
    NONE,
    Bound,
    Choice,
    Class,
    Code,
    Const,
    Dict,
    Library,
    Lost,
    Many,
    Method,
    Partial,
    Ref,
    Seq,
    SliceValue,
    Tensor,
    Value,
    as_str,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

LOCALS = Library("builtins.locals")
MAX_DEPTH = 30
MAX_RECURSION = 3
MOST_YIELDS = 64


def call_expression(t: Tracer, node: ir.Call, frame: Frame) -> Value:
    if isinstance(node.func, ir.Attribute) and node.func.name == "update" and _updates_attributes(t, node, frame):
        return NONE
    function = t.evaluate(node.func, frame)
    place = Place(frame.source, node.start, node.end)
    if function == objects.SUPER and not node.args:
        return _super(t, frame)
    if function == LOCALS and not node.args and frame.kind == "function":
        pairs = [(Const(name), value) for name, value in t.store.at(frame.address) if isinstance(name, str)]
        return t.new_container("dict", Dict(tuple(pairs)))
    if is_transposition(function, node):
        return transposed(t, node, frame)
    args, keywords, complete = evaluate_arguments(t, node.args, frame)
    names = list(keywords)

    def run(values: Sequence[Value]) -> Value:
        positional = list(values[1 : 1 + len(args)])
        named = dict(zip(names, values[1 + len(args) :], strict=True))
        return call(t, values[0], positional, named, place, complete)

    return t.spread([function, *args, *keywords.values()], run)


def _updates_attributes(t: Tracer, node: ir.Call, frame: Frame) -> bool:
    """`self.__dict__.update(…)` sets attributes, where their names are known."""
    inner = node.func.value if isinstance(node.func, ir.Attribute) else None
    if not isinstance(inner, ir.Attribute) or inner.name != "__dict__" or not isinstance(inner.value, ir.Name):
        return False
    owner = t.evaluate(inner.value, frame)
    args, keywords, complete = evaluate_arguments(t, node.args, frame)
    given = t.context.freeze(args[0], deep=False) if args else Dict(())
    if not isinstance(owner, Ref) or not isinstance(given, Dict) or given.rest is not None or not complete:
        return False
    names = {as_str(key): value for key, value in given.items} | keywords
    for name, value in names.items():
        if name is not None:
            objects.set_attribute(t, owner, name, value)
    return None not in names


def _super(t: Tracer, frame: Frame) -> Value:
    scope: Frame | None = frame
    while scope is not None and scope.owner is None:
        scope = scope.parent
    if scope is None or scope.first_argument is None or scope.owner is None:
        return t.lost("super outside a method")
    cls = t.store.get((scope.owner, "__self__"))
    return Partial(objects.SUPER, (cls, scope.first_argument)) if isinstance(cls, Class) else t.lost("super")


def call(
    t: Tracer,
    function: Value,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    place: Place,
    complete: bool = True,
) -> Value:
    """Calls any value.  `complete` is False where starred arguments of unknown number were left out."""
    match function:
        case Code():
            return call_code(t, function, args, keywords, place, complete)
        case Method(owner=owner, function=code):
            return call_code(t, code, [owner, *args], keywords, place, complete)
        case Library(name=name):
            return call_library(t, name, args, keywords, place, complete)
        case Bound(owner=owner, name=name):
            return call_method(t, owner, name, args, keywords, place, complete)
        case Class():
            return instantiate(t, function, args, keywords, place, complete)
        case Ref():
            method = objects.instance_attribute(t, function, "__call__", place)
            if method is None:
                return t.lost("call of an object")
            return call(t, method, args, keywords, place, complete)
        case Partial(function=inner, args=first, keywords=named):
            if inner == objects.SUPER:
                return t.lost("call of super")
            return call(t, inner, [*first, *args], {**dict(named), **keywords}, place, complete)
        case Choice():
            return t.spread([function], lambda values: call(t, values[0], args, keywords, place, complete))
    return _not_followed(t, function.reason if isinstance(function, Lost) else "call of a value", args, keywords)


def _not_followed(t: Tracer, reason: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Lost:
    """What a call gives that nothing is known of."""
    given = (*args, *keywords.values())
    hand_over(t, given)
    answer = t.lost(reason)
    t.asked[answer] = tuple(value for value in given if isinstance(value, Tensor))
    return answer


def call_library(
    t: Tracer, name: str, args: Sequence[Value], keywords: Mapping[str, Value], place: Place, complete: bool
) -> Value:
    function = BUILTINS.get(name.removeprefix("builtins."))
    if function is not None or name.startswith("builtins."):
        if not complete:
            unknown = t.lost("starred arguments of unknown number")
            return SliceValue(unknown, unknown, unknown) if name == "builtins.slice" else unknown
        if function is None:
            return t.lost(f"no model of {name[9:]}")
        return _builtin(t, function, list(args), dict(keywords), place)
    if name.startswith("method "):
        return _base_method(t, name[7:], args, keywords, place)
    model = lookup(name)
    if model is None:
        t.unmodelled[name] += 1
        return _not_followed(t, f"no model of {name}", args, keywords)
    if not complete:
        return t.lost("starred arguments of unknown number")
    return t.context.run(model, name, args, keywords, place)


def _builtin(t: Tracer, function: Builtin, args: list[Value], named: dict[str, Value], place: Place) -> Value:
    """Calls a builtin, once for each of the contents that a container among its arguments may have."""
    for arg in args:
        if isinstance(arg, Ref) and arg.cls in objects.CONTAINERS and isinstance(t.contents(arg), Choice):
            return t.with_contents(arg, lambda: _builtin(t, function, args, named, place))
    return function(t, args, named, place)


def _base_method(t: Tracer, cls: str, args: Sequence[Value], keywords: Mapping[str, Value], place: Place) -> Value:
    """`super().name(…)` where the next class is a library's: arguments are the instance, the name, then the call's."""
    owner, name = args[0], as_str(args[1]) or ""
    model = lookup_method(cls, name)
    if model is None:
        return t.lost(f"no model of {cls}.{name}")
    return t.context.run(model, f"{cls}.{name}", [owner, *args[2:]], keywords, place)


def find_method(t: Tracer, owner: Value, name: str) -> tuple[Model | None, str]:
    """The library model of a method, and the name it is called by."""
    if isinstance(owner, Tensor):
        cls = objects.tensor_class(owner)
        return lookup_method(cls, name), f"{cls}.{name}"
    if isinstance(owner, (Code, Method)):
        return lookup_method("types.FunctionType", name), f"types.FunctionType.{name}"
    if isinstance(owner, Seq) and owner.kind == "shape":
        return lookup_method("tf.TensorShape", name), f"tf.TensorShape.{name}"
    if isinstance(owner, Ref) and owner.cls not in objects.CONTAINERS:
        cls_value = t.store.get((owner.address, "__class__"))
        bases = objects.mro(t, cls_value) if isinstance(cls_value, Class) else [Library(owner.cls)]
        for base in bases:
            if isinstance(base, Library):
                model = lookup_method(base.name, name)
                if model is not None:
                    return model, f"{base.name}.{name}"
        return None, f"{owner.cls}.{name}"
    return None, name


def call_method(
    t: Tracer,
    owner: Value,
    name: str,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    place: Place,
    complete: bool = True,
) -> Value:
    """A method, by name, of a value that is not an instance of a class of the program (or only through its base)."""
    if isinstance(owner, Lost):
        return _not_followed(t, owner.reason, args, keywords)
    model, label = find_method(t, owner, name)
    if model is not None:
        if not complete:
            return t.lost("starred arguments of unknown number")
        return t.context.run(model, label, [owner, *args], keywords, place)
    if isinstance(owner, (Tensor, Ref)) and not (isinstance(owner, Ref) and owner.cls in objects.CONTAINERS):
        t.unmodelled[label] += 1
        return _not_followed(t, f"no model of {label}", args, keywords)
    from shapecheck.dataflow.methods import call_builtin_method

    return call_builtin_method(t, owner, name, list(args), dict(keywords), place)


def call_code(
    t: Tracer, code: Code, args: Sequence[Value], keywords: Mapping[str, Value], place: Place, complete: bool = True
) -> Value:
    """Traces a function of the program with these arguments."""
    adapter = t.store.get((-1 - code.key, "__adapt__"))
    if adapter is not None and complete:
        args = _adapted(t, code, adapter, args, place)
    completer = t.store.get((-1 - code.key, "__complete__"))
    if completer is not None and complete:
        keywords = _completed(t, code, completer, args, keywords, place)
    if len(t.stack) >= MAX_DEPTH or t.stack.count(code.key) >= MAX_RECURSION:
        t.budgets += 1
        t.effects.forget(t, code, [*args, *keywords.values()])
        return t.lost(TOO_DEEP)
    definition = t.definitions[code.key]
    receiver = definition.owner is not None and definition.kind != "static"
    if not follows(t, [*args[receiver:], *keywords.values()]):
        t.effects.forget(t, code, [*args, *keywords.values()])
        return t.lost(IDLE)
    key = t.traces.key(t, code, args, keywords) if complete else None
    if key is not None and key in t.traces.outcomes:
        t.traces.hits += 1
        return t.traces.outcomes[key]
    mark = t.store.mark()
    result = _traced(t, code, args, keywords, place, complete)
    finisher = t.store.get((-1 - code.key, "__finish__"))
    if finisher is not None:
        result = call(t, finisher, [result], {}, place)
    t.add_step("call", code.name, args, keywords, place).result = result
    if key is not None and not t.store.since(mark):
        t.traces.remember(key, result)
    return result


def _traced(
    t: Tracer, code: Code, args: Sequence[Value], keywords: Mapping[str, Value], place: Place, complete: bool
) -> Value:
    """What the body of a function gives for these arguments."""
    definition = t.definitions[code.key]
    node = definition.node
    outer = definition.frame
    frame = Frame(t.store.address(), outer.source, outer.module, code.name, outer, node.bound, owner=definition.owner)
    frame.first_argument = args[0] if args else None
    t.frames[frame.address] = frame
    t.traced.add(id(node))
    t.stack.append(code.key)
    t.calls.append(CallFrame(place, code.name))
    frame.mark = t.store.mark()
    facts, guards = t.facts, t.guards
    before, ambient, t.callers_guards = (t.place, t.callers_guards), t.store.get(AMBIENT), guards
    try:
        bind_parameters(t, node.params, dict(code.defaults), args, keywords, frame, complete)
        if isinstance(node, ir.Lambda):
            return t.evaluate(node.body, frame)
        return _run_body(t, node, frame, guards)
    finally:
        t.guards = guards
        if len(t.facts) < len(facts):
            t.facts = facts
        t.place, t.callers_guards = before
        t.store.restore(AMBIENT, ambient)
        t.stack.pop()
        t.calls.pop()


def _adapted(t: Tracer, code: Code, adapter: Value, args: Sequence[Value], place: Place) -> Sequence[Value]:
    """The arguments as a decorator lets the function see them."""
    first = 1 if t.definitions[code.key].owner is not None else 0
    adapted = call(t, adapter, args[first:], {}, place)
    return [*args[:first], *adapted.items] if isinstance(adapted, Seq) else args


def _completed(
    t: Tracer, code: Code, completer: Value, args: Sequence[Value], keywords: Mapping[str, Value], place: Place
) -> Mapping[str, Value]:
    """The keywords with those that a decorator adds where the call does not give them."""
    more = call(t, completer, [], {}, place)
    params = t.definitions[code.key].node.params
    taken = {param.name for param in params[: len(args)]}
    pairs = t.context.freeze(more, deep=False)
    added = {as_str(name): value for name, value in pairs.items} if isinstance(pairs, Dict) else {}
    return {**{name: value for name, value in added.items() if name and name not in taken}, **keywords}


def _run_body(t: Tracer, node: ir.FunctionDef, frame: Frame, guards: dict[Value, bool]) -> Value:
    from shapecheck.dataflow.statements import execute

    since = now()
    alive = execute(t, node.body, frame)
    exits = frame.returns
    if alive or (node.is_generator and not exits):
        exits = [*exits, t.exit(frame.mark, NONE)]
    if not exits:
        if not frame.is_abstract:
            raise PathEnds
        return t.lost("function that is not implemented")
    if len(exits) == 1 and alive:
        value = exits[0].value
        if not frame.captured:
            t.store.drop(frame.address, frame.mark)
    else:
        t.store.rollback(frame.mark)
        if not frame.captured:
            for way in exits:
                way.delta = _outlasting(way.delta, frame)
        value = t.join_exits(exits, t.facts, guards)
    t.guards = guards
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
        element = value if position == 0 else t.generalise(element, value)
    length = fresh("n", Kind.LOST, why="number of values a generator gives")
    is_whole = frame.yields_all and not frame.returns and 0 < len(frame.yields) <= MOST_YIELDS
    odd = None if frame.returns else frame.odd
    return Many("generator", element, length, tuple(frame.yields) if is_whole else None, odd=odd, since=since)


def instantiate(
    t: Tracer, cls: Class, args: Sequence[Value], keywords: Mapping[str, Value], place: Place, complete: bool = True
) -> Value:
    """A new instance of a class of the program."""
    known = declared.members(t, cls)
    if known is not None:
        return declared.member_of_value(t, known, args[0]) if args else t.lost("member of an enumeration")
    address = t.store.address()
    ref = Ref(address, "user")
    t.store.set((address, "__class__"), cls)
    t.instantiated.add(cls.address)
    made = _constructor(t, cls)
    if isinstance(made, Code):
        call_code(t, made, [ref, *args], keywords, place, complete)
    elif isinstance(made, Seq):
        declared.bind_fields(t, ref, cls, made, args, dict(keywords))
    else:
        model, label = find_method(t, ref, "__init__")
        if model is not None and complete:
            t.context.run(model, label, [ref, *args], keywords, place)
    post = objects.class_attribute(t, cls, "__post_init__")
    if isinstance(post, Code) and follows(t, [*args, *keywords.values()]):
        call_code(t, post, [ref], {}, place)
    elif isinstance(post, Code):
        t.effects.forget(t, post, [ref])
    return ref


def _constructor(t: Tracer, cls: Class) -> Value | None:
    """What makes an instance: the nearest `__init__`, or the fields of a data class."""
    for base in objects.mro(t, cls):
        if isinstance(base, Lost):
            return None
        if isinstance(base, Class):
            own = t.store.get((base.address, "__init__")) or t.store.get((base.address, declared.FIELDS))
            if own is not None:
                return own
    return None


__all__ = ["Const", "call", "call_code", "call_expression", "call_library", "call_method", "instantiate"]
