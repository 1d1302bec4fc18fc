"""Arguments of calls, and how they meet parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.frame import Frame
from shapecheck.shapes.size import Kind, fresh
from shapecheck.values import Dict, Many, Seq, Value, as_str

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def evaluate_arguments(t: Tracer, nodes: Sequence[ir.Arg], frame: Frame) -> tuple[list[Value], dict[str, Value], bool]:
    """Positional and keyword arguments, and whether all of them are known (no `*args` of unknown length)."""
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    complete = True
    for node in nodes:
        value = t.evaluate(node.value, frame)
        if node.star == "*":
            items = t.context.elements(value)
            complete = complete and items is not None
            args.extend(items or ())
        elif node.star == "**":
            complete = _splice(t, value, keywords) and complete
        elif node.keyword is not None:
            keywords[node.keyword] = value
        else:
            args.append(value)
    return args, keywords, complete


def _splice(t: Tracer, value: Value, keywords: dict[str, Value]) -> bool:
    """Adds `**value`; False if its keys are not all known."""
    mapping = t.context.freeze(value, deep=False)
    if not isinstance(mapping, Dict):
        return False
    names = [(as_str(key), item) for key, item in mapping.items]
    keywords.update({name: item for name, item in names if name is not None})
    return mapping.rest is None and all(name is not None for name, _ in names)


def bind_parameters(
    t: Tracer,
    params: Sequence[ir.Param],
    defaults: Mapping[str, Value],
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    frame: Frame,
    complete: bool,
) -> None:
    """Sets the parameters of a function in its frame; what is missing is lost."""
    rest = list(args)
    named = dict(keywords)
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
        t.store.set((frame.address, param.name), value)


def _entries(named: Mapping[str, Value]) -> tuple[tuple[Value, Value], ...]:
    from shapecheck.values import Const

    return tuple((Const(name), value) for name, value in named.items())


def _star(t: Tracer, rest: list[Value], complete: bool) -> Value:
    if complete:
        return Seq("tuple", tuple(rest))
    element: Value = t.lost("arguments of unknown number")
    return Many("tuple", element, fresh("n", Kind.LOST, why="number of arguments"))
