"""Where sizes in a program's text come from: the axes of arrays that they are computed from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from shapecheck.python_syntax import module_of
from shapecheck.source import Place

Axis: TypeAlias = tuple[str, int]
"""An array as it is written, and the number of an axis of its shape."""

_ROUNDING = frozenset(("int", "round", "ceil", "floor", "rint", "float"))
_TURNING = re.compile(r"transpose|swapaxes|moveaxis|rollaxis|permute|rot90|rotate|\.T\b|surfarray|rearrange")
_DEEPEST = 8


class Scope:
    """The statements of a function, or of a module, around a place; those of functions inside it are not its own."""

    def __init__(self, place: Place) -> None:
        self.row = place.source.position(place.start)[0]
        module = _module(place.source.code)
        self.root: ast.AST | None = module and max(
            (node for node in ast.walk(module) if self._is_around(node)), key=_first_row, default=module
        )
        self.nodes = [] if self.root is None else list(_own(self.root))

    def _is_around(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return False
        return node.lineno <= self.row <= (node.end_lineno or 0)

    def pair_of_axes(self, text: str) -> tuple[Axis, Axis] | None:
        """Return the axes that two sizes are computed from, each from one axis of one array alone; None if unknown."""
        found = self._pair(_expression(text), _DEEPEST)
        sides = [self._axes(each, _DEEPEST) if isinstance(each, ast.expr) else {each} for each in found or ()]
        if len(sides) != 2 or any(len(side) != 1 for side in sides):
            return None
        return min(sides[0]), min(sides[1])

    def is_turned(self, array: str) -> bool:
        """Return whether the statement at the place, or one that makes an array, exchanges axes."""
        here = [node for node in self.nodes if isinstance(node, ast.stmt) and _is_at(node, self.row)]
        texts = [array, *map(ast.unparse, here), *(ast.unparse(value) for value, _ in self._bound(array))]
        return any(map(_TURNING.search, texts))

    def _pair(self, node: ast.expr | None, depth: int) -> tuple[ast.expr | Axis, ast.expr | Axis] | None:
        """Return two sizes as they are written, or as axes of a shape."""
        match node:
            case ast.Tuple(elts=[first, second]) | ast.List(elts=[first, second]):
                return first, second
            case ast.Call(func=ast.Name(id="tuple" | "list"), args=[inner], keywords=[]):
                return self._pair(inner, depth)
            case ast.Subscript(value=ast.Attribute(value=array, attr="shape"), slice=ast.Slice(lower, upper, None)):
                begin, end = _number(lower, 0), _number(upper, None)
                return _axes_from(array, begin) if begin is not None and end == begin + 2 else None
            case ast.Name(id=name) if depth:
                bound = [value for value, at in self._bound(name) if at is None]
                return self._pair(bound[0], depth - 1) if len(bound) == 1 == len(self._bound(name)) else None
        return None

    def _axes(self, node: ast.expr, depth: int) -> set[Axis]:
        """Return the axes that a size is computed from."""
        match node:
            case ast.Subscript(value=ast.Attribute(value=array, attr="shape"), slice=ast.Constant(value=int(axis))):
                return {(ast.unparse(array), axis)}
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.FloorDiv(), right=right):
                return self._axes(left, depth) | self._axes(right, depth)
            case ast.Call(args=[inner, *_]) if _last_name(node.func) in _ROUNDING:
                return self._axes(inner, depth)
            case ast.Name(id=name) if depth:
                return set().union(*(self._axes_bound(value, at, depth - 1) for value, at in self._bound(name)))
        return set()

    def _axes_bound(self, value: ast.expr, at: int | None, depth: int) -> set[Axis]:
        """Return the axes of a name that is bound to a value, or to an item of it."""
        match value:
            case _ if at is None:
                return self._axes(value, depth)
            case ast.Tuple(elts=items) if at < len(items):
                return self._axes(items[at], depth)
            case ast.Attribute(value=array, attr="shape"):
                return {(ast.unparse(array), at)}
            case ast.Subscript(value=ast.Attribute(value=shaped, attr="shape"), slice=ast.Slice(lower, _, None)):
                begin = _number(lower, 0)
                return set() if begin is None else {(ast.unparse(shaped), begin + at)}
        return {(ast.unparse(value), -1 - at)}  # something else that is unpacked

    def _bound(self, name: str) -> list[tuple[ast.expr, int | None]]:
        """Return what a name is bound to by assignments, with the item of it that it is."""
        found: list[tuple[ast.expr, int | None]] = []
        made = [(node.value, target) for node in self.nodes if isinstance(node, ast.Assign) for target in node.targets]
        for value, target in made:
            if isinstance(target, ast.Name) and target.id == name:
                found.append((value, None))
            elif isinstance(target, ast.Tuple | ast.List):
                names = [ast.unparse(each) for each in target.elts]
                found += [(value, names.index(name))] if name in names else []
        return found


@lru_cache(maxsize=8)
def _module(code: str) -> ast.Module | None:
    return module_of(code)


def _expression(text: str) -> ast.expr | None:
    module = module_of(f"({text}\n)")
    first = module.body[0] if module is not None and len(module.body) == 1 else None
    return first.value if isinstance(first, ast.Expr) else None


def _own(root: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(root):
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _own(node)


def _first_row(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _is_at(node: ast.stmt, row: int) -> bool:
    is_simple = isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return)
    return is_simple and node.lineno <= row <= (node.end_lineno or 0)


def _axes_from(array: ast.expr, begin: int) -> tuple[Axis, Axis]:
    name = ast.unparse(array)
    return (name, begin), (name, begin + 1)


def _number(node: ast.expr | None, default: int | None) -> int | None:
    if node is None:
        return default
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _last_name(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]
