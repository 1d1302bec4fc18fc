"""Repairs of loops of a graph, whose variables keep their shapes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.repairs.situation import Candidate, Situation
from shapecheck.shapes.size import is_open

_CHANGED = re.compile(r"(\w+) has shape \(.*\) before the loop, and \((.*?),?\) after one iteration")


def variable_left_open(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop is told which axis of a variable changes."""
    loop, name = _loop(s), _variable(s)
    shapes = [argument.shape for argument in s.call.arguments]
    if loop is None or not name or not s.tensorflow or len(shapes) != 1 or not shapes[0].is_ranked:
        return
    start = s.text.span(loop.body[0])[0]
    indent, sizes = s.text.indentation(start), shapes[0].sizes
    rest = ["None" if is_open(size) or not isinstance(size, int) else str(size) for size in sizes[1:]]
    if indent is not None and sizes and not any(_sets_options(s, each) for each in loop.body):
        shape = f"{s.tensorflow}.TensorShape([{', '.join(['None', *rest])}])"
        call = f"{s.tensorflow}.autograph.experimental.set_loop_options"
        yield s.inserted(0, start, f"{call}(shape_invariants=[({name}, {shape})])\n{indent}")


def start_shaped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a variable of a loop starts with the shape that it has after an iteration."""
    name, shapes = _variable(s), [argument.shape for argument in s.call.arguments]
    if not name or not s.tensorflow or len(shapes) != 1 or not shapes[0].is_ranked:
        return
    sizes = shapes[0].sizes
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                if _is_zero(value) and sizes and all(isinstance(size, int) for size in sizes):
                    yield s.candidate(1, value, f"{s.tensorflow}.zeros([{', '.join(map(str, sizes))}])")


def _is_zero(value: ast.expr) -> bool:
    """Return whether an expression is the float 0, or a tensor of it."""
    match value:
        case ast.Constant(value=float(number)):
            return number == 0
        case ast.Call(func=ast.Attribute(attr="constant"), args=[inner], keywords=[]):
            return _is_zero(inner)
    return False


def _variable(s: Situation) -> str:
    """Return the name of the variable whose shape changes."""
    found = _CHANGED.search(s.call.clash.message)
    return found[1] if found else ""


def _loop(s: Situation) -> ast.For | ast.While | None:
    """Return the loop that is over the failing expression."""
    for node in s.text.nodes:
        match node:
            case ast.For(iter=over) | ast.While(test=over) if over is s.node:
                return node
    return None


def _sets_options(s: Situation, statement: ast.stmt) -> bool:
    return "set_loop_options" in s.text.source.code[slice(*s.text.span(statement))]
