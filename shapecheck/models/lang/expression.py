"""Arithmetic in signatures: a whitelisted parser from text to frozen trees, and their evaluation over sizes."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, ceildiv, maximum, minimum, product

Bindings: TypeAlias = Mapping[str, "Size | Shape | tuple[Size, ...]"]
Arithmetic = Callable[[Size, Size], Size]

ALLOWED = (ast.BinOp, ast.Compare, ast.Call, ast.Name, ast.Constant, ast.UnaryOp, ast.Load)
ALLOWED += (ast.operator, ast.cmpop, ast.USub)  # type: ignore[assignment]
BINARY: dict[type[ast.operator], Arithmetic] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARISONS: dict[type[ast.cmpop], str] = {ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">", ast.LtE: "<=", ast.Lt: "<"}
FUNCTIONS: dict[str, Arithmetic] = {
    "ceildiv": ceildiv,
    "min": lambda a, b: minimum(a, b),
    "max": lambda a, b: maximum(a, b),
}


_REMEMBERED = "remembered__"  # replaces the @ of an axis that a layer remembers, which is no name in Python


class Unknown(Exception):
    """An expression depends on something that is not known."""


@cache
def parse(text: str) -> ast.expr:
    """Return the tree of an expression: arithmetic, `prod`, `rank`, `min`, `max` and `ceildiv`, and nothing else."""
    tree = ast.parse(text.strip().replace("@", _REMEMBERED), mode="eval").body
    for node in ast.walk(tree):
        if not isinstance(node, ALLOWED):
            raise ValueError(f"{type(node).__name__} is not in the language of signatures: {text!r}")
        if isinstance(node, ast.Name):
            node.id = node.id.replace(_REMEMBERED, "@")
    return tree


def evaluate(tree: ast.expr, bindings: Bindings) -> Size:
    """Return the size of an expression; raise Unknown where an axis it needs is not known."""
    match tree:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return size_of(name, bindings)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return 0 - evaluate(operand, bindings)
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(type(op), evaluate(left, bindings), evaluate(right, bindings))
        case ast.Call(func=ast.Name(id="prod"), args=[ast.Name(id=name)]):
            return product(_ranked(name, bindings))
        case ast.Call(func=ast.Name(id="rank"), args=[ast.Name(id=name)]):
            return len(_ranked(name, bindings))
        case ast.Call(func=ast.Name(id=name), args=[left, right]) if name in FUNCTIONS:
            return FUNCTIONS[name](evaluate(left, bindings), evaluate(right, bindings))
    raise ValueError(f"not in the language of signatures: {ast.unparse(tree)}")


def _combined(op: type[ast.operator], left: Size, right: Size) -> Size:
    if right == 0 and op in (ast.FloorDiv, ast.Mod):
        raise Unknown("a division by zero")
    return BINARY[op](left, right)


def comparison(text: str) -> tuple[ast.expr, str, ast.expr]:
    """Return the two sides of a constraint such as "c % d == 0"."""
    tree = parse(text)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        raise ValueError(f"a constraint is one comparison: {text!r}")
    return tree.left, COMPARISONS[type(tree.ops[0])], tree.comparators[0]


def size_of(name: str, bindings: Bindings) -> Size:
    """Return the size of an axis; raise Unknown where it is not known."""
    value = bindings.get(name)
    if value is None:
        raise Unknown(name)
    if isinstance(value, (Shape, tuple)):
        raise ValueError(f"{name} is several sizes, not one")
    return value


def _ranked(name: str, bindings: Bindings) -> tuple[Size, ...]:
    value = bindings.get(name)
    if isinstance(value, tuple):
        return value
    if isinstance(value, Shape) and value.tail is None:
        return value.head
    raise Unknown(name)
