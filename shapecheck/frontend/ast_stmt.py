"""Lowers statements: one small function for each class of Python's own statement nodes.

It knows nothing of what they compute.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from shapecheck import ir
from shapecheck.frontend.ast_expr import BINARY, args, params
from shapecheck.frontend.ast_match import match
from shapecheck.frontend.ast_walk import LowerStmt, Walk

_BEFORE_NAME: Final = re.compile(r"(?:async(?:\s|\\\n)+)?(?:def|class)(?:\s|\\\n)+")


def expression(walk: Walk, node: ast.Expr) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.Evaluate(start, end, walk.expr(node.value))


def assign(walk: Walk, node: ast.Assign) -> ir.Stmt:
    start, end = walk.span(node)
    targets = tuple(walk.target(each) for each in node.targets)
    return ir.Assign(start, end, targets, walk.expr(node.value))


def annotated(walk: Walk, node: ast.AnnAssign) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.Annotated(start, end, walk.target(node.target), walk.expr(node.annotation), walk.optional(node.value))


def augmented(walk: Walk, node: ast.AugAssign) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.Augmented(start, end, walk.target(node.target), BINARY[type(node.op)], walk.expr(node.value))


def return_(walk: Walk, node: ast.Return) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.Return(start, end, walk.optional(node.value))


def raise_(walk: Walk, node: ast.Raise) -> ir.Stmt:
    start, end = walk.span(node)
    cause = walk.optional(node.cause)
    return ir.Raise(start, end, walk.optional(node.exc), cause)


def assert_(walk: Walk, node: ast.Assert) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.Assert(start, end, walk.expr(node.test), walk.optional(node.msg))


def delete(walk: Walk, node: ast.Delete) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.Delete(start, end, tuple(walk.target(each) for each in node.targets))


def jump(walk: Walk, node: ast.Pass | ast.Break | ast.Continue) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.Jump(start, end, "pass" if type(node) is ast.Pass else "break" if type(node) is ast.Break else "continue")


def scope(walk: Walk, node: ast.Global | ast.Nonlocal) -> ir.Stmt:
    start, end = walk.span(node)
    names = tuple(node.names)
    walk.frames.declare(names)
    return ir.Scope(start, end, "global" if type(node) is ast.Global else "nonlocal", names)


def type_alias(walk: Walk, node: Any) -> ir.Stmt:
    """Lower `type X = …`, which binds a name to an unknown value."""
    start, end = walk.span(node)
    return ir.Assign(start, end, (walk.target(node.name),), ir.Opaque(start, end, "a type alias"))


def _aliases(nodes: Sequence[ast.alias]) -> tuple[tuple[str, str | None], ...]:
    return tuple((node.name, node.asname) for node in nodes)


def import_(walk: Walk, node: ast.Import) -> ir.Stmt:
    start, end = walk.span(node)
    names = _aliases(node.names)
    for path, alias in names:
        walk.frames.bind(alias or path.partition(".")[0])
    return ir.Import(start, end, names)


def import_from(walk: Walk, node: ast.ImportFrom) -> ir.Stmt:
    start, end = walk.span(node)
    names = None if node.names[0].name == "*" else _aliases(node.names)
    for name, alias in names or ():
        walk.frames.bind(alias or name)
    return ir.ImportFrom(start, end, node.module or "", node.level, names)


# --- statements that hold others -------------------------------------------------------------------------------------


def if_(walk: Walk, node: ast.If) -> ir.Stmt:
    """Lower `if`; long chains of `elif` are built from the last one up."""
    rungs = [node]
    while len(rungs[-1].orelse) == 1 and type(rungs[-1].orelse[0]) is ast.If:
        rungs.append(rungs[-1].orelse[0])
    arms = [(rung, walk.expr(rung.test), walk.stmts(rung.body)) for rung in rungs]
    orelse = walk.stmts(rungs[-1].orelse)
    for rung, test, body in reversed(arms):
        start, end = walk.span(rung)
        orelse = (ir.If(start, end, test, body, orelse),)
    return orelse[0]


def while_(walk: Walk, node: ast.While) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.While(start, end, walk.expr(node.test), walk.stmts(node.body), walk.stmts(node.orelse))


def for_(walk: Walk, node: ast.For | ast.AsyncFor) -> ir.Stmt:
    start, end = walk.span(node)
    target, source = walk.target(node.target), walk.expr(node.iter)
    body, orelse = walk.stmts(node.body), walk.stmts(node.orelse)
    return ir.For(start, end, target, source, body, orelse, type(node) is ast.AsyncFor)


def _handler(walk: Walk, node: ast.ExceptHandler) -> ir.Handler:
    start, end = walk.span(node)
    if node.name is not None:
        walk.frames.bind(node.name)
    return ir.Handler(start, end, walk.optional(node.type), node.name, walk.stmts(node.body))


def try_(walk: Walk, node: Any) -> ir.Stmt:
    start, end = walk.span(node)
    body = walk.stmts(node.body)
    handlers = tuple(_handler(walk, handler) for handler in node.handlers)
    return ir.Try(start, end, body, handlers, walk.stmts(node.orelse), walk.stmts(node.finalbody))


def with_(walk: Walk, node: ast.With | ast.AsyncWith) -> ir.Stmt:
    start, end = walk.span(node)
    items = []
    for item in node.items:
        value = walk.expr(item.context_expr)
        items.append((value, None if item.optional_vars is None else walk.target(item.optional_vars)))
    return ir.With(start, end, tuple(items), walk.stmts(node.body), type(node) is ast.AsyncWith)


def docstring(body: Sequence[ir.Stmt]) -> str | None:
    first = body[0] if body else None
    if isinstance(first, ir.Evaluate) and isinstance(first.value, ir.Const) and isinstance(first.value.value, str):
        return first.value.value
    return None


def _name_start(walk: Walk, start: int) -> int:
    found = _BEFORE_NAME.match(walk.text, start)
    return start if found is None else found.end()


def function(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.Stmt:
    start, end = walk.span(node)
    walk.frames.bind(node.name)
    decorators = walk.exprs(node.decorator_list)
    parameters = params(walk, node.args)
    returns = walk.optional(node.returns)
    walk.frames.enter({parameter.name for parameter in parameters})
    body = walk.stmts(node.body)
    frame = walk.frames.leave()
    return ir.FunctionDef(
        start,
        end,
        node.name,
        _name_start(walk, start),
        parameters,
        body,
        decorators,
        returns,
        frame.local,
        type(node) is ast.AsyncFunctionDef,
        frame.is_generator,
        docstring(body),
    )


def class_(walk: Walk, node: ast.ClassDef) -> ir.Stmt:
    start, end = walk.span(node)
    walk.frames.bind(node.name)
    decorators = walk.exprs(node.decorator_list)
    bases = args(walk, node.bases, node.keywords)
    walk.frames.enter(set())
    body = walk.stmts(node.body)
    walk.frames.leave()
    return ir.ClassDef(start, end, node.name, _name_start(walk, start), bases, body, decorators, docstring(body))


_STATEMENTS: Final[dict[type[ast.AST], LowerStmt]] = {
    ast.Expr: expression,
    ast.Assign: assign,
    ast.AnnAssign: annotated,
    ast.AugAssign: augmented,
    ast.Return: return_,
    ast.Raise: raise_,
    ast.Assert: assert_,
    ast.Delete: delete,
    ast.Pass: jump,
    ast.Break: jump,
    ast.Continue: jump,
    ast.Global: scope,
    ast.Nonlocal: scope,
    ast.Import: import_,
    ast.ImportFrom: import_from,
    ast.If: if_,
    ast.While: while_,
    ast.For: for_,
    ast.AsyncFor: for_,
    ast.Try: try_,
    ast.With: with_,
    ast.AsyncWith: with_,
    ast.FunctionDef: function,
    ast.AsyncFunctionDef: function,
    ast.ClassDef: class_,
    ast.Match: match,
}
_NEWER: Final = {"TryStar": try_, "TypeAlias": type_alias}  # than the oldest Python that this runs on

STATEMENTS: Final[Mapping[type[ast.AST], LowerStmt]] = _STATEMENTS | {
    getattr(ast, name): lower for name, lower in _NEWER.items() if hasattr(ast, name)
}
