"""Repairs of loops of a graph, whose variables keep their shapes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.repairs.situation import Candidate, Situation

_CHANGED = re.compile(r"(\w+) has shape \((.*?),?\) before the loop, and \((.*?),?\) after one iteration")
_SCANNED = re.compile(r"is of shape \(\), and of shape \(([\d, ]+?),?\) after one iteration")


def variable_left_open(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop is told which axes of a variable change."""
    loop, found = _loop(s), _CHANGED.search(s.call.clash.message)
    if loop is None or found is None or not s.tensorflow or any(_sets_options(s, each) for each in loop.body):
        return
    before, after = found[2].split(", "), found[3].split(", ")
    start = s.text.span(loop.body[0])[0]
    indent = s.text.indentation(start)
    if indent is not None and before != [""] and len(before) == len(after):
        sizes = (a if a == b and a.isdigit() else "None" for a, b in zip(before, after, strict=True))
        shape = f"{s.tensorflow}.TensorShape([{', '.join(sizes)}])"
        call = f"{s.tensorflow}.autograph.experimental.set_loop_options"
        yield s.inserted(0, start, f"{call}(shape_invariants=[({found[1]}, {shape})])\n{indent}")


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


def initial_value_shaped(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a scan over rows starts with a row of zeros."""
    found = _SCANNED.search(s.call.clash.message)
    for given in s.node.keywords if isinstance(s.node, ast.Call) and found and s.tensorflow else ():
        if given.arg == "initializer" and _is_zero(given.value) and found:
            yield s.candidate(0, given.value, f"{s.tensorflow}.zeros([{found[1]}])")


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
            case ast.For(iter=over) | ast.While(test=over) if any(each is s.node for each in s.text.parts(over)):
                return node
    return None


def _sets_options(s: Situation, statement: ast.stmt) -> bool:
    return "set_loop_options" in s.text.source.code[slice(*s.text.span(statement))]
