"""Lowers `match`, from Python's own trees.

It knows patterns, and nothing of what is matched.
"""

from __future__ import annotations

import ast

from shapecheck import ir
from shapecheck.frontend.ast_walk import Walk


def match(walk: Walk, node: ast.Match) -> ir.Stmt:
    start, end = walk.span(node)
    return ir.Match(start, end, walk.expr(node.subject), tuple(_case(walk, case) for case in node.cases))


def _case(walk: Walk, node: ast.match_case) -> ir.Case:
    start = walk.text.rfind("case", 0, walk.span(node.pattern)[0])
    binds = tuple(dict.fromkeys(_captures(node.pattern)))
    for name in binds:
        walk.frames.bind(name)
    literals, (parts, values) = _literals(walk, node.pattern), _sequence(walk, node.pattern)
    guard, body = walk.optional(node.guard), walk.stmts(node.body)
    irrefutable = _irrefutable(node.pattern)
    return ir.Case(start, body[-1].end, binds, irrefutable, literals, guard, body, parts, values)


def _captures(pattern: ast.pattern | None) -> list[str]:
    """Return the names that a pattern binds, in order."""
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            return _captures(inner) + ([] if name is None else [name])
        case ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchSequence(patterns=parts) | ast.MatchOr(patterns=parts):
            return [name for part in parts for name in _captures(part)]
        case ast.MatchMapping(patterns=parts, rest=rest):
            return [name for part in parts for name in _captures(part)] + ([] if rest is None else [rest])
        case ast.MatchClass(patterns=parts, kwd_patterns=keywords):
            return [name for part in (*parts, *keywords) for name in _captures(part)]
    return []


def _irrefutable(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchAs(pattern=inner):
            return inner is None or _irrefutable(inner)
        case ast.MatchOr(patterns=options):
            return any(map(_irrefutable, options))
    return False


def _literals(walk: Walk, pattern: ast.pattern) -> tuple[ir.Expr, ...]:
    """Return the values that a pattern compares with, if it does nothing else."""
    match pattern:
        case ast.MatchValue(value=value):
            return (walk.expr(value),)
        case ast.MatchSingleton(value=value):
            return (ir.Const(*walk.span(pattern), value),)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _literals(walk, inner)
        case ast.MatchOr(patterns=options):
            found = [_literals(walk, option) for option in options]
            return tuple(value for values in found for value in values) if all(found) else ()
    return ()


def _sequence(walk: Walk, pattern: ast.pattern) -> tuple[ir.Display | None, tuple[tuple[int, ir.Expr], ...]]:
    """Return the targets and the values of the items of a sequence pattern, if it states nothing else."""
    if not isinstance(pattern, ast.MatchSequence):
        return None, ()
    targets: list[ir.Expr] = []
    values: list[tuple[int, ir.Expr]] = []
    for part in pattern.patterns:
        start, end = walk.span(part)
        match part:
            case ast.MatchStar(name=name):
                begin = start if name is None else end - len(name)
                targets.append(ir.Starred(start, end, _target(begin, end, name)))
            case ast.MatchAs(pattern=None, name=name):
                targets.append(_target(start, end, name))
            case ast.MatchValue() | ast.MatchSingleton():
                values += [(len(targets), value) for value in _literals(walk, part)]
                targets.append(_target(start, end, None))
            case _:
                return None, ()
    start, end = (targets[0].start, targets[-1].end) if targets else walk.span(pattern)
    return ir.Display(start, end, "tuple", tuple(targets)), tuple(values)


def _target(start: int, end: int, name: str | None) -> ir.Expr:
    """Return the target that an item is bound to, if any."""
    return ir.Opaque(start, end, "wildcard") if name is None else ir.Name(start, end, name)
