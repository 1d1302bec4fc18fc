"""State of the lowering of Python's own syntax trees: row offsets, open scopes, and the tables from node classes to
functions.

It knows no construct of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from shapecheck import ir
from shapecheck.frontend.names import Frames

LowerExpr: TypeAlias = Callable[["Walk", Any], ir.Expr]
LowerStmt: TypeAlias = Callable[["Walk", Any], ir.Stmt]
Span: TypeAlias = Callable[[Any], tuple[int, int]]

_BLANK: Final = re.compile(r"(?:\s|\\\n|#[^\n]*)*")


class Misread(Exception):
    """A mismatch of the tree and the text."""


class Walk:
    """Lowers nodes by dispatch on their class; `rows` are the offsets at which the tree's rows begin."""

    __slots__ = ("blanked", "expressions", "frames", "span", "statements", "text")

    def __init__(
        self,
        text: str,
        rows: Sequence[int],
        expressions: Mapping[type[ast.AST], LowerExpr],
        statements: Mapping[type[ast.AST], LowerStmt],
        blanked: frozenset[int] = frozenset(),
        frames: Frames | None = None,
    ) -> None:
        self.text = text
        self.span = _spans(text, rows)
        self.expressions = expressions
        self.statements = statements
        self.blanked = blanked
        self.frames = frames or Frames()

    def expr(self, node: ast.AST) -> ir.Expr:
        lower = self.expressions.get(type(node))
        return self.opaque(node, type(node).__name__) if lower is None else lower(self, node)

    def optional(self, node: ast.AST | None) -> ir.Expr | None:
        return None if node is None else self.expr(node)

    def exprs(self, nodes: Sequence[ast.AST]) -> tuple[ir.Expr, ...]:
        return tuple(map(self.expr, nodes))

    def opaque(self, node: ast.AST, reason: str) -> ir.Opaque:
        start, end = self.span(node)
        return ir.Opaque(start, end, reason)

    def target(self, node: ast.AST) -> ir.Expr:
        """Lower an assignment target and bind its names."""
        lowered = self.expr(node)
        self.frames.bind_target(lowered)
        return lowered

    def stmts(self, nodes: Sequence[ast.stmt]) -> tuple[ir.Stmt, ...]:
        return tuple(map(self.stmt, nodes))

    def stmt(self, node: ast.stmt) -> ir.Stmt:
        lower = self.statements.get(type(node))
        if lower is not None:
            return lower(self, node)
        start, end = self.span(node)
        return ir.Evaluate(start, end, ir.Opaque(start, end, type(node).__name__))

    def within(self, start: int, end: int) -> ir.Expr:
        """Lower an expression at some place of the text, parsed on its own."""
        inside = self.text[start:end]
        try:
            tree = ast.parse(f"({inside}\n)", mode="eval")
        except (SyntaxError, ValueError):
            raise Misread from None
        rows = [start - 1, *(start + found.end() for found in re.finditer("\n", inside)), end]
        walk = Walk(self.text, rows, self.expressions, self.statements, self.blanked, self.frames)
        lowered = walk.expr(tree.body)
        if lowered.start < start:  # the brackets were put there to read it
            lowered.start, lowered.end = self.after_blank(start), start + len(inside.rstrip())
        return lowered

    # --- what stands between nodes -----------------------------------------------------------------------------------

    def after_blank(self, at: int) -> int:
        """Return the offset after spaces, comments and line continuations."""
        found = _BLANK.match(self.text, at)
        assert found is not None
        return found.end()

    def closing(self, at: int, limit: int, marks: str = "),") -> int:
        """Return the end of the last of these consecutive characters from an offset on, before the limit."""
        while (following := self.after_blank(at)) < limit and self.text[following] in marks:
            at = following + 1
        return at

    def closings(self, at: int) -> int:
        """Return the number of brackets that close from an offset on."""
        count = 0
        while self.text.startswith(")", at := self.after_blank(at)):
            count, at = count + 1, at + 1
        return count


def _spans(text: str, rows: Sequence[int]) -> Span:
    """Return a function from a node to its range of the text; trees count in bytes, and the first row is 1."""

    def plain(node: Any) -> tuple[int, int]:
        return rows[node.lineno - 1] + node.col_offset, rows[node.end_lineno - 1] + node.end_col_offset

    def wide(node: Any) -> tuple[int, int]:
        return offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)

    def offset(row: int, column: int) -> int:
        start = rows[row - 1]
        before = text[start : start + column]
        return start + (column if before.isascii() else len(before.encode()[:column].decode()))

    return plain if text.isascii() else wide
