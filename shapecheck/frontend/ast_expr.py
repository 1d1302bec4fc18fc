"""Lowers expressions: one small function for each class of Python's own expression nodes.

It knows nothing of statements.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Final, Literal

from shapecheck import ir
from shapecheck.frontend.ast_walk import LowerExpr, Misread, Walk
from shapecheck.frontend.pieces import Pieces
from shapecheck.frontend.quotes import fields

UNARY: Final[dict[type[ast.AST], str]] = {ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not"}

BINARY: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}

_COMPARE: Final[dict[type[ast.AST], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def constant(walk: Walk, node: ast.Constant) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Const(start, end, node.value)


def name(walk: Walk, node: ast.Name) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Name(start, end, node.id)


def attribute(walk: Walk, node: ast.Attribute) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Attribute(start, end, walk.expr(node.value), node.attr)


def args(walk: Walk, positional: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> tuple[ir.Arg, ...]:
    """Return arguments in the order in which they are written."""
    lowered = []
    for node in positional:
        if type(node) is ast.Starred:
            value = walk.expr(node.value)
            lowered.append(ir.Arg(walk.span(node)[0], value.end, value, None, "*"))
        else:
            value = walk.expr(node)
            lowered.append(ir.Arg(value.start, value.end, value))
    for keyword in keywords:
        value = walk.expr(keyword.value)
        start = walk.span(keyword)[0]
        lowered.append(ir.Arg(start, value.end, value, keyword.arg, "**" if keyword.arg is None else ""))
    if keywords and any(argument.star for argument in lowered):
        lowered.sort(key=lambda argument: argument.start)
    return tuple(lowered)


def call(walk: Walk, node: ast.Call) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Call(start, end, walk.expr(node.func), args(walk, node.args, node.keywords))


def subscript(walk: Walk, node: ast.Subscript) -> ir.Expr:
    start, end = walk.span(node)
    value, index = walk.expr(node.value), walk.expr(node.slice)
    if type(node.slice) is ast.Tuple and walk.text[index.end - 1] == "," and index.end == walk.span(node.slice)[1]:
        index.end = walk.closing(walk.span(node.slice.elts[-1])[1], end, ")")
    return ir.Subscript(start, end, value, index)


def slice_(walk: Walk, node: ast.Slice) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Slice(start, end, walk.optional(node.lower), walk.optional(node.upper), walk.optional(node.step))


def unary(walk: Walk, node: ast.UnaryOp) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Unary(start, end, UNARY[type(node.op)], walk.expr(node.operand))


def binary(walk: Walk, node: ast.BinOp) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Binary(start, end, BINARY[type(node.op)], walk.expr(node.left), walk.expr(node.right))


def logical(walk: Walk, node: ast.BoolOp) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Logical(start, end, "and" if type(node.op) is ast.And else "or", walk.exprs(node.values))


def compare(walk: Walk, node: ast.Compare) -> ir.Expr:
    start, end = walk.span(node)
    ops = tuple(_COMPARE[type(op)] for op in node.ops)
    return ir.Compare(start, end, walk.expr(node.left), ops, walk.exprs(node.comparators))


def conditional(walk: Walk, node: ast.IfExp) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Conditional(start, end, walk.expr(node.test), walk.expr(node.body), walk.expr(node.orelse))


def sequence(walk: Walk, node: ast.List | ast.Set) -> ir.Expr:
    start, end = walk.span(node)
    if start in walk.blanked:
        return ir.Opaque(start, end, "a very large literal")
    return ir.Display(start, end, "list" if type(node) is ast.List else "set", walk.exprs(node.elts))


def tuple_(walk: Walk, node: ast.Tuple) -> ir.Expr:
    """Lower a tuple, whose node excludes its parentheses."""
    start, end = walk.span(node)
    if start in walk.blanked:
        return ir.Opaque(start, end, "a very large literal")
    if walk.text[start] == "(" and walk.text[end - 1] == ")":
        start, end = _inside(walk, node, start, end)
    return ir.Display(start, end, "tuple", walk.exprs(node.elts))


def _inside(walk: Walk, node: ast.Tuple, start: int, end: int) -> tuple[int, int]:
    if not node.elts:
        return start + 1, end - 1
    first_start, first_end = walk.span(node.elts[0])
    opened, at = 0, start
    while at < first_start:
        opened, at = opened + 1, walk.after_blank(at + 1)
    if opened == walk.closings(first_end) and len(node.elts) > 1:
        return start, end  # `(a), (b)`
    return walk.after_blank(start + 1), walk.closing(walk.span(node.elts[-1])[1], end - 1)


def dictionary(walk: Walk, node: ast.Dict) -> ir.Expr:
    start, end = walk.span(node)
    if start in walk.blanked:
        return ir.Opaque(start, end, "a very large literal")
    pairs = zip(node.keys, node.values, strict=True)
    return ir.DictDisplay(start, end, tuple((walk.optional(key), walk.expr(value)) for key, value in pairs))


def clauses(walk: Walk, nodes: Sequence[ast.comprehension]) -> tuple[ir.Clause, ...]:
    lowered = []
    for node in nodes:
        target, source, conditions = walk.expr(node.target), walk.expr(node.iter), walk.exprs(node.ifs)
        end = conditions[-1].end if conditions else source.end
        lowered.append(ir.Clause(target.start, end, target, source, conditions, bool(node.is_async)))
    return tuple(lowered)


def comprehension(walk: Walk, node: ast.ListComp | ast.SetComp) -> ir.Expr:
    start, end = walk.span(node)
    kind: Literal["list", "set"] = "list" if type(node) is ast.ListComp else "set"
    return ir.Comprehension(start, end, kind, walk.expr(node.elt), None, clauses(walk, node.generators))


def generator(walk: Walk, node: ast.GeneratorExp) -> ir.Expr:
    """Lower a generator, whose node excludes its parentheses."""
    start, end = walk.span(node)
    element, parts = walk.expr(node.elt), clauses(walk, node.generators)
    last = node.generators[-1]
    end = walk.closing(walk.span(last.ifs[-1] if last.ifs else last.iter)[1], end - 1)
    return ir.Comprehension(walk.after_blank(start + 1), end, "generator", element, None, parts)


def dict_comprehension(walk: Walk, node: ast.DictComp) -> ir.Expr:
    start, end = walk.span(node)
    key, value = walk.expr(node.key), walk.expr(node.value)
    return ir.Comprehension(start, end, "dict", value, key, clauses(walk, node.generators))


def params(walk: Walk, node: ast.arguments) -> tuple[ir.Param, ...]:
    """Return formal parameters in order; defaults and annotations belong to the scope around the function."""
    lowered: list[ir.Param] = []

    def add(arg: ast.arg, kind: Literal["positional", "plain", "keyword", "*", "**"], value: ast.expr | None) -> None:
        start = walk.span(arg)[0]
        annotation, default = walk.optional(arg.annotation), walk.optional(value)
        last = default or annotation
        end = start + len(arg.arg) if last is None else last.end
        lowered.append(ir.Param(start, end, arg.arg, kind, default, annotation))

    plain = [*node.posonlyargs, *node.args]
    defaults = [None] * (len(plain) - len(node.defaults)) + list(node.defaults)
    for position, (arg, value) in enumerate(zip(plain, defaults, strict=True)):
        add(arg, "positional" if position < len(node.posonlyargs) else "plain", value)
    if node.vararg is not None:
        add(node.vararg, "*", None)
    for arg, value in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        add(arg, "keyword", value)
    if node.kwarg is not None:
        add(node.kwarg, "**", None)
    return tuple(lowered)


def lambda_(walk: Walk, node: ast.Lambda) -> ir.Expr:
    start, end = walk.span(node)
    parameters = params(walk, node.args)
    walk.frames.enter({parameter.name for parameter in parameters})
    body = walk.expr(node.body)
    return ir.Lambda(start, end, parameters, body, walk.frames.leave().local)


def formatted(walk: Walk, node: ast.JoinedStr) -> ir.Expr:
    """Lower an f-string."""
    start, end = walk.span(node)
    values = [part for part in node.values if isinstance(part, ast.FormattedValue)]
    inside = iter(_format_values(walk, values, start, end))
    pieces = Pieces()
    for part in node.values:
        if isinstance(part, ast.Constant):
            pieces.add(str(part.value))
        elif isinstance(part, ast.FormattedValue):
            pieces.add(next(inside))
            spec = part.format_spec.values if isinstance(part.format_spec, ast.JoinedStr) else ()
            pieces.plain = pieces.plain and part.conversion == -1 and not spec
            if part.conversion == -1 and spec:
                pieces.specify()
    return ir.Format(start, end, tuple(pieces.parts), pieces.plain, frozenset(pieces.specified))


def _format_values(walk: Walk, values: Sequence[ast.FormattedValue], start: int, end: int) -> list[ir.Expr]:
    """Lower the expressions in an f-string; before Python 3.12, trees lack their positions, and the text has them."""
    if sys.version_info >= (3, 12):
        return [walk.expr(part.value) for part in values]
    places = list(fields(walk.text, start, end))
    if len(places) != len(values):
        raise Misread
    return [walk.within(*place) for place in places]


def template(walk: Walk, node: ast.AST) -> ir.Expr:
    return walk.opaque(node, "a template string")


def starred(walk: Walk, node: ast.Starred) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Starred(start, end, walk.expr(node.value))


def walrus(walk: Walk, node: ast.NamedExpr) -> ir.Expr:
    start, end = walk.span(node)
    walk.frames.bind(node.target.id)
    return ir.Walrus(start, end, node.target.id, walk.expr(node.value))


def await_(walk: Walk, node: ast.Await) -> ir.Expr:
    start, end = walk.span(node)
    return ir.Await(start, end, walk.expr(node.value))


def yield_(walk: Walk, node: ast.Yield | ast.YieldFrom) -> ir.Expr:
    start, end = walk.span(node)
    walk.frames.innermost.is_generator = True
    return ir.Yield(start, end, walk.optional(node.value), type(node) is ast.YieldFrom)


EXPRESSIONS: Final[dict[type[ast.AST], LowerExpr]] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Call: call,
    ast.Subscript: subscript,
    ast.Slice: slice_,
    ast.UnaryOp: unary,
    ast.BinOp: binary,
    ast.BoolOp: logical,
    ast.Compare: compare,
    ast.IfExp: conditional,
    ast.List: sequence,
    ast.Set: sequence,
    ast.Tuple: tuple_,
    ast.Dict: dictionary,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.GeneratorExp: generator,
    ast.DictComp: dict_comprehension,
    ast.Lambda: lambda_,
    ast.JoinedStr: formatted,
    ast.Starred: starred,
    ast.NamedExpr: walrus,
    ast.Await: await_,
    ast.Yield: yield_,
    ast.YieldFrom: yield_,
}
if hasattr(ast, "TemplateStr"):
    EXPRESSIONS[ast.TemplateStr] = template
