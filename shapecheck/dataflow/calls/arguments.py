"""Arguments of calls, and how they meet parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.stages.checks import require_iterable
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Const, Dict, HomogeneousSeq, Seq, Value, as_str
from shapecheck.shapes.size import Kind, fresh
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def evaluate_arguments(t: Tracer, node: ir.Call, frame: Frame) -> Arguments:
    """Return the arguments of a call, in the order in which they are evaluated."""
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    is_complete = True
    for argument in node.args:
        value = t.evaluate(argument.value, frame)
        if argument.star == "*":
            require_iterable(t, [value], Place(frame.source, argument.value.start, argument.value.end), "*")
            items = iteration.elements(t, value)
            is_complete = is_complete and items is not None
            args.extend(items or ())
        elif argument.star == "**":
            is_complete = _splice(t, value, keywords) and is_complete
        elif argument.keyword is not None:
            keywords[argument.keyword] = value
        else:
            args.append(value)
    return Arguments(Place(frame.source, node.start, node.end), args, keywords, is_complete)


def _splice(t: Tracer, value: Value, keywords: dict[str, Value]) -> bool:
    """Adds `**value`; False if its keys are not all known."""
    mapping = t.freeze(value, deep=False)
    if not isinstance(mapping, Dict):
        return False
    names = [(as_str(key), item) for key, item in mapping.items]
    keywords.update({name: item for name, item in names if name is not None})
    return mapping.rest is None and all(name is not None for name, _ in names)


def bind_parameters(
    t: Tracer, params: Sequence[ir.Param], defaults: Mapping[str, Value], given: Arguments, frame: Frame
) -> None:
    """Set the parameters of a function in its frame; what is missing is lost."""
    rest = list(given.args)
    named = dict(given.keywords)
    complete = given.is_complete
    for param in params:
        if param.kind == "*":
            value: Value = _star(t, rest, complete)
            rest = []
        elif param.kind == "**":
            value = t.new_container("dict", Dict(_entries(named), None if complete else t.lost("keyword arguments")))
            named = {}
        elif param.kind != "keyword" and rest:
            value = rest.pop(0)
            if param.kind != "positional":
                named.pop(param.name, None)
        elif param.name in named and param.kind != "positional":
            value = named.pop(param.name)
        elif param.name in defaults and complete:
            value = defaults[param.name]
        else:
            value = t.lost("argument that is not known")
        t.heap.set((frame.address, param.name), value)


def _entries(named: Mapping[str, Value]) -> tuple[tuple[Value, Value], ...]:
    return tuple((Const(name), value) for name, value in named.items())


def _star(t: Tracer, rest: list[Value], complete: bool) -> Value:
    if complete:
        return Seq("tuple", tuple(rest))
    element: Value = t.lost("arguments of unknown number")
    return HomogeneousSeq("tuple", element, fresh("n", Kind.LOST, why="number of arguments"))
