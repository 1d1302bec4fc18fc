"""Switches with which an instrumented program skips its recorder where there have never been tensors.

Each expression that is evaluated as a whole (the right side of an assignment, a test, the element of a comprehension)
becomes `recorded if ON[3] else plain`: the expression with its recorder calls, and the original. The recorder turns a
switch off when every place behind it has had plain values only, often enough. This works on Python's own syntax tree,
in which code may be duplicated without moving a line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

from shapecheck.runtime.recording.instrument import RECORD

ON: Final = "__shapecheck_on__"


def put_in(tree: ast.Module, first: int) -> list[list[int]]:
    """Insert switches into the tree of an instrumented program, numbered from `first`; return the places behind
    each."""
    switches: list[list[int]] = []
    _below(tree, first, switches)
    return switches


def _below(node: ast.AST, first: int, switches: list[list[int]]) -> None:
    """Insert switches before the outermost expressions within a node."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            setattr(node, name, _switched(value, first, switches))
        elif isinstance(value, ast.AST):
            _below(value, first, switches)
        elif isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, ast.expr):
                    value[at] = _switched(item, first, switches)
                elif isinstance(item, ast.AST):
                    _below(item, first, switches)


def _switched(node: ast.expr, first: int, switches: list[list[int]]) -> ast.expr:
    places = list(_places(node))
    if not places:
        return node
    number = first + len(switches)
    switches.append(places)
    plain = _plain(node)
    _inside(node, first, switches)
    on = ast.Subscript(ast.Name(ON, ast.Load()), ast.Constant(number), ast.Load())
    made = ast.copy_location(ast.IfExp(on, node, plain), node)
    return ast.fix_missing_locations(made)


def _inside(node: ast.AST, first: int, switches: list[list[int]]) -> None:
    """Insert switches before the parts that an expression may evaluate many times."""
    match node:
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            node.elt = _switched(node.elt, first, switches)
        case ast.DictComp():
            node.key, node.value = _switched(node.key, first, switches), _switched(node.value, first, switches)
        case ast.Lambda():
            node.body = _switched(node.body, first, switches)
        case ast.comprehension():
            node.ifs = [_switched(test, first, switches) for test in node.ifs]
            _inside(node.iter, first, switches)
        case _:
            for part in ast.iter_child_nodes(node):
                _inside(part, first, switches)
            return
    for part in getattr(node, "generators", ()):
        _inside(part, first, switches)


def _places(node: ast.AST) -> Iterator[int]:
    """Return the numbers of the recorder calls in an expression."""
    for part in ast.walk(node):
        if _is_record(part):
            yield part.args[0].value  # type: ignore[attr-defined]


def _plain(node: Any) -> Any:
    """Return a copy without the recorder calls."""
    if _is_record(node):
        return _plain(node.args[1])
    copied = ast.copy_location(type(node)(), node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            value = [_plain(item) if isinstance(item, ast.AST) else item for item in value]
        elif isinstance(value, ast.AST):
            value = _plain(value)
        setattr(copied, name, value)
    return copied


def _is_record(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == RECORD
