"""Arguments of calls, and how they are bound to parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.mappings import mapping
from shapecheck.dataflow.objects.aliases import among
from shapecheck.dataflow.objects.attributes import instance_attribute
from shapecheck.dataflow.objects.mro import bases, class_attribute
from shapecheck.dataflow.paths.case_split import of_none, without
from shapecheck.dataflow.paths.feasibility import NOT_GIVEN
from shapecheck.dataflow.stages.checks import require_iterable
from shapecheck.dataflow.stages.signatures import has_signature
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import (
    Class,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Library,
    Method,
    Ref,
    Seq,
    Value,
    as_str,
)
from shapecheck.shapes.size import Kind, fresh
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def evaluate_arguments(t: Tracer, node: ir.Call, frame: Frame) -> Arguments:
    """Return the arguments of a call, in the order in which they are evaluated.

    The position of an argument after starred ones of unknown number is not known.
    """
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    is_complete = is_placed = True
    for argument in node.args:
        value = t.evaluate(argument.value, frame)
        if argument.star == "*":
            value = without(t, value, of_none)
            require_iterable(t, [value], Place(frame.source, argument.value.start, argument.value.end), "*")
            items = iteration.elements(t, value)
            is_placed = is_placed and items is not None
            args.extend(items or ())
        elif argument.star == "**":
            is_complete = _add_keywords(t, value, keywords) and is_complete
        elif argument.keyword is not None:
            keywords[argument.keyword] = value
        else:
            args.append(value if is_placed else among(t, t.lost("argument at an unknown position"), [value]))
    return Arguments(Place(frame.source, node.start, node.end), args, keywords, is_complete and is_placed)


def _add_keywords(t: Tracer, value: Value, keywords: dict[str, Value]) -> bool:
    """Add the entries of `**value`; return whether all its keys are known."""
    entries = mapping(t, value)
    if not isinstance(entries, Dict):
        return False
    names = [(as_str(key), item) for key, item in entries.items]
    keywords.update({name: item for name, item in names if name is not None})
    return entries.rest is None and all(name is not None for name, _ in names)


def check_arguments(t: Tracer, callee: Value, given: Arguments) -> None:
    """End the path if a function of the program does not accept these arguments."""
    if isinstance(callee, Class) and bases(t, callee) in ((), (Library("builtins.object"),)):
        made = class_attribute(t, callee, "__init__")
        is_plain = class_attribute(t, callee, "__new__") is None
        callee = Method(callee, made) if isinstance(made, Function) and is_plain else callee
    elif isinstance(callee, Ref) and callee.cls == "user":
        callee = instance_attribute(t, callee, "__call__", given.place) or callee
    count = len(given.args)
    if isinstance(callee, Method):
        callee, count = callee.function, count + 1
    if not isinstance(callee, Function) or not given.is_complete:
        return
    changed = t.heap.get((-1 - callee.key, "__complete__")) is not None
    if (
        not changed
        and not has_signature(t, callee)
        and not _accepts(t.functions[callee.key].node.params, dict(callee.defaults), count, given.keywords)
    ):
        endings = t.component(Endings)
        endings.note("a call does not fit its function", given.place)
        endings.has_unfit_call = True
        raise PathEnds


def _accepts(
    params: Sequence[ir.Param], defaults: Mapping[str, Value], count: int, keywords: Mapping[str, Value]
) -> bool:
    """Return whether parameters accept a number of positional arguments and these keywords."""
    kinds = {param.kind for param in params}
    plain = [param for param in params if param.kind in ("plain", "positional")]
    named = {param.name for param in params if param.kind in ("plain", "keyword")}
    if (count > len(plain) and "*" not in kinds) or (not keywords.keys() <= named and "**" not in kinds):
        return False
    if any(param.name in keywords for param in plain[:count] if param.kind == "plain"):
        return False
    later = plain[count:] + [param for param in params if param.kind == "keyword"]
    return all(param.name in keywords or param.name in defaults or param.default is not None for param in later)


def bind_parameters(
    t: Tracer, params: Sequence[ir.Param], defaults: Mapping[str, Value], given: Arguments, frame: Frame
) -> None:
    """Set the parameters of a function in its frame; a missing argument is lost."""
    positional = list(given.args)
    named = dict(given.keywords)
    complete = given.is_complete
    for param in params:
        if param.kind == "*":
            value: Value = _star_parameter(t, positional, complete)
            positional = []
        elif param.kind == "**":
            value = t.new_container("dict", Dict(_entries(named), None if complete else t.lost("keyword arguments")))
            named = {}
        elif param.kind != "keyword" and positional:
            value = positional.pop(0)
            if param.kind != "positional":
                named.pop(param.name, None)
        elif param.name in named and param.kind != "positional":
            value = named.pop(param.name)
        elif param.name in defaults and complete:
            value = defaults[param.name]
        else:
            value = t.lost(NOT_GIVEN if param.name in defaults else "unknown argument")
        t.heap.set((frame.address, param.name), value)


def _entries(named: Mapping[str, Value]) -> tuple[tuple[Value, Value], ...]:
    """Return keyword arguments as the entries of a dict."""
    return tuple((Const(name), value) for name, value in named.items())


def _star_parameter(t: Tracer, positional: list[Value], complete: bool) -> Value:
    """Return the value of a parameter `*args`."""
    if complete:
        return Seq("tuple", tuple(positional))
    element: Value = t.lost("unknown number of arguments")
    return HomogeneousSeq("tuple", element, fresh("n", Kind.LOST, why="number of arguments"))
