"""Fixes that rewrite a call or operator: an argument is set, wrapped or moved.

They know text only. If the text is not what it seems, or would not parse afterwards, there is no fix.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from shapecheck.findings import Edit, Fix
from shapecheck.python_syntax import expression_of
from shapecheck.rules.call import Call
from shapecheck.rules.expression_text import shortened
from shapecheck.source import Place, replaced

_LONGEST_TITLE = 60
_IMPORTS = {
    "tf": r"import tensorflow(?:\.compat\.v[12])? as tf\b",
    "np": r"import numpy as np\b",
    "keras": r"(?:from tensorflow )?import keras\s*$",
}


def with_argument(call: Call, names: Iterable[str], position: int, value: str) -> Fix | None:
    """Set an argument, known by names or its position; a new one gets the first name."""
    layout = _layout(call)
    if layout is None or not isinstance(node := layout.node, ast.Call) or _spreads(node):
        return None
    wanted = tuple(names)
    named = next((keyword for keyword in node.keywords if keyword.arg in wanted), None)
    if named is not None:
        return layout.fix([layout.edit(named.value, value)])
    if position < len(node.args):
        return layout.fix([layout.edit(node.args[position], value)])
    return layout.fix([layout.appended(node, f"{wanted[0]}={value}")]) if layout.ends_plainly(node) else None


def with_sizes_in_list(call: Call) -> Fix | None:
    """Put the positional arguments into a list."""
    layout = _layout(call)
    if layout is None or not isinstance(node := layout.node, ast.Call) or _spreads(node) or len(node.args) < 2:
        return None
    first, last = layout.span(node.args[0])[0], layout.span(node.args[-1])[1]
    inside = layout.place.text[first:last]
    return layout.fix([layout.edit_at(first, last, f"[{inside}]")], is_safe=True)


def with_arguments_swapped(call: Call) -> Fix | None:
    """Swap the only two arguments."""
    layout = _layout(call)
    if layout is None or not isinstance(node := layout.node, ast.Call) or _spreads(node):
        return None
    if len(node.args) != 2 or node.keywords:
        return None
    first, second = node.args
    return layout.fix([layout.edit(first, layout.text(second)), layout.edit(second, layout.text(first))])


def with_function(call: Call, old: str, new: str) -> Fix | None:
    """Call another function of the same module."""
    layout = _layout(call)
    if layout is None or not isinstance(node := layout.node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr != old or not isinstance(node.func.value, ast.Name):
        return None
    return layout.fix([layout.edit(node.func, f"{node.func.value.id}.{new}")])


def with_operand(call: Call, operand: str, text: str) -> Fix | None:
    """Replace an operand; the root names `np`, `tf` or `keras` of its new text must be imported."""
    layout = _layout(call)
    if layout is None or not operand or not _is_imported(text, call.step.place):
        return None
    found = [part for part in layout.parts() if layout.flat(part) == operand]
    return layout.fix([layout.edit(found[0], text)]) if len(found) == 1 else None


def _is_imported(text: str, place: Place) -> bool:
    pattern = _IMPORTS.get(text.partition(".")[0]) if "." in text.partition("(")[0] and "(" in text else ""
    return not pattern or re.search(rf"^\s*{pattern}", place.source.text, re.MULTILINE) is not None


def _spreads(node: ast.Call) -> bool:
    """Return whether there are starred arguments."""
    stars = any(isinstance(arg, (ast.Starred, ast.GeneratorExp)) for arg in node.args)
    return stars or any(keyword.arg is None for keyword in node.keywords)


def _layout(call: Call) -> _Layout | None:
    place = call.step.place
    node = None if call.is_inner else expression_of(place.text)
    return None if node is None else _Layout(place, node)


class _Layout:
    """Positions of the parts of an expression in the text of its place."""

    def __init__(self, place: Place, node: ast.expr) -> None:
        self.place, self.node = place, node
        self._lines = [f"{line}\n" for line in f"({place.text}".split("\n")]

    def parts(self) -> list[ast.expr]:
        """Yield the operands: arguments, and the items of displays among them."""
        match self.node:
            case ast.Call(args=args, keywords=keywords):
                given = [*args, *(keyword.value for keyword in keywords)]
            case ast.BinOp(left=left, right=right):
                given = [left, right]
            case ast.Compare(left=left, comparators=[right]):
                given = [left, right]
            case _:
                given = []
        return [part for item in given for part in (item.elts if isinstance(item, (ast.List, ast.Tuple)) else [item])]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return start and end of a part, in characters of the place."""
        assert isinstance(node, ast.expr) and node.end_lineno is not None and node.end_col_offset is not None
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, row: int, column: int) -> int:
        before = sum(map(len, self._lines[: row - 1]))
        return before + len(self._lines[row - 1].encode()[:column].decode()) - 1

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.place.text[start:end]

    def flat(self, node: ast.AST) -> str:
        return " ".join(self.text(node).split())

    def edit(self, node: ast.AST, text: str) -> Edit:
        return self.edit_at(*self.span(node), text)

    def edit_at(self, start: int, end: int, text: str) -> Edit:
        base = self.place.start
        return Edit(Place(self.place.source, base + start, base + end), text)

    def ends_plainly(self, node: ast.Call) -> bool:
        """Return whether no comment follows the last argument of a call."""
        last = max(self.span(part)[1] for part in (node.func, *node.args, *(k.value for k in node.keywords)))
        return "#" not in self.place.text[last:]

    def appended(self, node: ast.Call, argument: str) -> Edit:
        """Return the edit that appends an argument to a call."""
        end = len(self.place.text.rstrip()[:-1].rstrip().removesuffix(",").rstrip())
        return self.edit_at(end, end, f", {argument}" if node.args or node.keywords else argument)

    def fix(self, edits: list[Edit], *, is_safe: bool = False) -> Fix | None:
        """Return the fix, if the edited place parses and its other parts are unchanged."""
        base = self.place.start
        text = replaced(self.place.text, [(e.place.start - base, e.place.end - base, e.text) for e in edits])
        if type(expression_of(text)) is not type(self.node):
            return None
        return Fix(f"write {shortened(text, _LONGEST_TITLE)}", tuple(edits), is_safe)
