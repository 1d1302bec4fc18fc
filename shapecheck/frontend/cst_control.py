"""Lowers the statements that hold others: branches, loops, handlers, `match`, functions and classes.

It knows nothing of what they compute.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import libcst as cst

from shapecheck import ir
from shapecheck.frontend.ast_stmt import docstring
from shapecheck.frontend.cst_expr import args, params
from shapecheck.frontend.cst_walk import LowerStmt, Walk


def if_(walk: Walk, node: cst.If) -> ir.Stmt:
    """Lower `if`; an `elif` is an `If` alone in `orelse`, and long chains are built from the last one up."""
    rungs = [node]
    while isinstance(rungs[-1].orelse, cst.If):
        rungs.append(rungs[-1].orelse)
    arms = [(rung, walk.expr(rung.test), walk.block(rung.body)) for rung in rungs]
    last = rungs[-1].orelse
    orelse = walk.block(last) if isinstance(last, cst.Else) else ()
    for rung, test, body in reversed(arms):
        start, end = walk.spans[id(rung)]
        lowered = ir.If(start, end, test, body, orelse)
        orelse = (lowered,)
    return lowered


def while_(walk: Walk, node: cst.While) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    return ir.While(start, end, walk.expr(node.test), walk.block(node.body), walk.block(node.orelse))


def for_(walk: Walk, node: cst.For) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    target, source = walk.target(node.target), walk.expr(node.iter)
    body, orelse = walk.block(node.body), walk.block(node.orelse)
    return ir.For(start, end, target, source, body, orelse, node.asynchronous is not None)


def _handler(walk: Walk, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ir.Handler:
    start, end = walk.spans[id(node)]
    name = None
    if node.name is not None and isinstance(node.name.name, cst.Name):
        name = node.name.name.value
        walk.frames.bind(name)
    return ir.Handler(start, end, walk.optional(node.type), name, walk.block(node.body))


def try_(walk: Walk, node: cst.Try | cst.TryStar) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    body = walk.block(node.body)
    handlers = tuple(_handler(walk, handler) for handler in node.handlers)
    return ir.Try(start, end, body, handlers, walk.block(node.orelse), walk.block(node.finalbody))


def with_(walk: Walk, node: cst.With) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    items = []
    for item in node.items:
        value = walk.expr(item.item)
        items.append((value, None if item.asname is None else walk.target(item.asname.name)))
    return ir.With(start, end, tuple(items), walk.block(node.body), node.asynchronous is not None)


def function(walk: Walk, node: cst.FunctionDef) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    name = node.name.value
    walk.frames.bind(name)
    decorators = tuple(walk.expr(decorator.decorator) for decorator in node.decorators)
    parameters = params(walk, node.params)
    returns = None if node.returns is None else walk.expr(node.returns.annotation)
    walk.frames.enter({parameter.name for parameter in parameters})
    body = walk.block(node.body)
    frame = walk.frames.leave()
    return ir.FunctionDef(
        start,
        end,
        name,
        walk.spans[id(node.name)][0],
        parameters,
        body,
        decorators,
        returns,
        frame.local,
        node.asynchronous is not None,
        frame.is_generator,
        docstring(body),
    )


def class_(walk: Walk, node: cst.ClassDef) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    name = node.name.value
    walk.frames.bind(name)
    decorators = tuple(walk.expr(decorator.decorator) for decorator in node.decorators)
    bases = args(walk, (*node.bases, *node.keywords))
    walk.frames.enter(set())
    body = walk.block(node.body)
    walk.frames.leave()
    name_start = walk.spans[id(node.name)][0]
    return ir.ClassDef(start, end, name, name_start, bases, body, decorators, docstring(body))


def _captures(pattern: cst.CSTNode | None) -> list[str]:
    """Return the names that a pattern binds, in order, each once."""
    found = [name for part in _parts(pattern) for name in _captures(part)]
    match pattern:
        case cst.MatchAs(name=cst.Name(value=name)) | cst.MatchStar(name=cst.Name(value=name)):
            found.append(name)
        case cst.MatchMapping(rest=cst.Name(value=name)):
            found.append(name)
    return list(dict.fromkeys(found))


def _parts(pattern: cst.CSTNode | None) -> list[cst.CSTNode | None]:
    """The patterns inside a pattern."""
    match pattern:
        case cst.MatchAs(pattern=inner) | cst.MatchSequenceElement(value=inner):
            return [inner]
        case cst.MatchSequence(patterns=parts):
            return [*parts]
        case cst.MatchMapping(elements=elements):
            return [element.pattern for element in elements]
        case cst.MatchClass(patterns=parts, kwds=keywords):
            return [*parts, *(keyword.pattern for keyword in keywords)]
        case cst.MatchOr(patterns=options):
            return [option.pattern for option in options]
    return []


def _irrefutable(pattern: cst.MatchPattern) -> bool:
    match pattern:
        case cst.MatchAs(pattern=None):
            return True
        case cst.MatchAs(pattern=cst.MatchPattern() as inner):
            return _irrefutable(inner)
        case cst.MatchOr(patterns=options):
            return any(_irrefutable(option.pattern) for option in options)
    return False


def _literals(walk: Walk, pattern: cst.MatchPattern) -> tuple[ir.Expr, ...]:
    """Return the values that a pattern compares with, if it does nothing else."""
    match pattern:
        case cst.MatchValue(value=value) | cst.MatchSingleton(value=value):
            return (walk.expr(value),)
        case cst.MatchAs(pattern=cst.MatchPattern() as inner):
            return _literals(walk, inner)
        case cst.MatchOr(patterns=options):
            found = [_literals(walk, option.pattern) for option in options]
            return tuple(value for values in found for value in values) if all(found) else ()
    return ()


def _sequence(walk: Walk, pattern: cst.MatchPattern) -> tuple[ir.Display | None, tuple[tuple[int, ir.Expr], ...]]:
    """Return the targets and the values of the items of a sequence pattern, if it states nothing else."""
    if not isinstance(pattern, (cst.MatchList, cst.MatchTuple)):
        return None, ()
    targets: list[ir.Expr] = []
    values: list[tuple[int, ir.Expr]] = []
    for part in pattern.patterns:
        match part:
            case cst.MatchStar(name=name):
                targets.append(ir.Starred(*_extent(walk, part), _target(walk, part, name)))
            case cst.MatchSequenceElement(value=cst.MatchAs(pattern=None, name=name)):
                targets.append(_target(walk, part, name))
            case cst.MatchSequenceElement(value=cst.MatchValue(value=value) | cst.MatchSingleton(value=value)):
                values.append((len(targets), walk.expr(value)))
                targets.append(_target(walk, part, None))
            case _:
                return None, ()
    start, end = (targets[0].start, targets[-1].end) if targets else walk.spans[id(pattern)]
    return ir.Display(start, end, "tuple", tuple(targets)), tuple(values)


def _extent(walk: Walk, part: cst.CSTNode) -> tuple[int, int]:
    """Return the range of an item, without the comma that libcst includes."""
    start, end = walk.spans[id(part)]
    return start, start + len(walk.text[start:end].rstrip(", \n"))


def _target(walk: Walk, part: cst.CSTNode, name: cst.Name | None) -> ir.Expr:
    """Return the target that an item is bound to, if any."""
    if name is None:
        return ir.Opaque(*_extent(walk, part), "wildcard")
    return ir.Name(*walk.spans[id(name)], name.value)


def _case(walk: Walk, node: cst.MatchCase) -> ir.Case:
    start, end = walk.spans[id(node)]
    binds = tuple(_captures(node.pattern))
    for name in binds:
        walk.frames.bind(name)
    literals, (parts, values) = _literals(walk, node.pattern), _sequence(walk, node.pattern)
    guard, body = walk.optional(node.guard), walk.block(node.body)
    return ir.Case(start, end, binds, _irrefutable(node.pattern), literals, guard, body, parts, values)


def match(walk: Walk, node: cst.Match) -> ir.Stmt:
    start, end = walk.spans[id(node)]
    subject = walk.expr(node.subject)
    return ir.Match(start, end, subject, tuple(_case(walk, case) for case in node.cases))


CONTROL: Final[Mapping[type[cst.CSTNode], LowerStmt]] = {
    cst.If: if_,
    cst.While: while_,
    cst.For: for_,
    cst.Try: try_,
    cst.TryStar: try_,
    cst.With: with_,
    cst.FunctionDef: function,
    cst.ClassDef: class_,
    cst.Match: match,
}
