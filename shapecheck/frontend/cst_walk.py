"""State of the lowering of libcst's trees: spans, open scopes, and the tables from node classes to functions.

It knows no construct of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import libcst as cst

from shapecheck import ir
from shapecheck.frontend.names import Frames
from shapecheck.frontend.spans import Spans

LowerExpr: TypeAlias = Callable[["Walk", Any], ir.Expr]
LowerStmt: TypeAlias = Callable[["Walk", Any], ir.Stmt]


class Walk:
    """Lowers nodes by dispatch on their class."""

    __slots__ = ("blanked", "expressions", "frames", "spans", "statements", "text")

    def __init__(
        self,
        text: str,
        spans: Spans,
        expressions: Mapping[type[cst.CSTNode], LowerExpr],
        statements: Mapping[type[cst.CSTNode], LowerStmt],
        blanked: frozenset[int] = frozenset(),
    ) -> None:
        self.text = text
        self.spans = spans
        self.expressions = expressions
        self.statements = statements
        self.blanked = blanked
        self.frames = Frames()

    def expr(self, node: cst.CSTNode) -> ir.Expr:
        lower = self.expressions.get(type(node))
        return self.opaque(node, type(node).__name__) if lower is None else lower(self, node)

    def optional(self, node: cst.CSTNode | None) -> ir.Expr | None:
        return None if node is None else self.expr(node)

    def opaque(self, node: cst.CSTNode, reason: str) -> ir.Opaque:
        start, end = self.spans[id(node)]
        return ir.Opaque(start, end, reason)

    def target(self, node: cst.CSTNode) -> ir.Expr:
        """Lower an assignment target and bind its names."""
        lowered = self.expr(node)
        self.frames.bind_target(lowered)
        return lowered

    def stmt(self, node: cst.CSTNode) -> ir.Stmt:
        lower = self.statements.get(type(node))
        if lower is not None:
            return lower(self, node)
        start, end = self.spans[id(node)]
        return ir.Evaluate(start, end, ir.Opaque(start, end, type(node).__name__))

    def stmts(self, nodes: Sequence[cst.CSTNode]) -> tuple[ir.Stmt, ...]:
        """Lower the statements of a block; lines with several small statements are flattened."""
        lowered: list[ir.Stmt] = []
        for node in nodes:
            if type(node) is cst.SimpleStatementLine:
                lowered += [self.stmt(small) for small in node.body]
            else:
                lowered.append(self.stmt(node))
        return tuple(lowered)

    def block(self, node: cst.BaseSuite | cst.Else | cst.Finally | None) -> tuple[ir.Stmt, ...]:
        if node is None:
            return ()
        suite = node.body if isinstance(node, (cst.Else, cst.Finally)) else node
        return self.stmts(suite.body)
