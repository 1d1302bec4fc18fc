"""Lowers expressions: one small function for each class of libcst's expression nodes.

It knows nothing of statements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import libcst as cst

from shapecheck import ir
from shapecheck.frontend.cst_literal import LITERALS
from shapecheck.frontend.cst_walk import LowerExpr, Walk

_SINGLETONS: Final[dict[str, object]] = {"True": True, "False": False, "None": None}

_UNARY: Final[dict[type[cst.CSTNode], str]] = {cst.Plus: "+", cst.Minus: "-", cst.BitInvert: "~", cst.Not: "not"}

_BINARY: Final[dict[type[cst.CSTNode], str]] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.MatrixMultiply: "@",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
    cst.BitAnd: "&",
    cst.BitOr: "|",
    cst.BitXor: "^",
}

_COMPARE: Final[dict[type[cst.CSTNode], str]] = {
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.Is: "is",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.NotIn: "not in",
}


def name(walk: Walk, node: cst.Name) -> ir.Expr:
    start, end = walk.spans[id(node)]
    if node.value in _SINGLETONS:
        return ir.Const(start, end, _SINGLETONS[node.value])
    return ir.Name(start, end, node.value)


def attribute(walk: Walk, node: cst.Attribute) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Attribute(start, end, walk.expr(node.value), node.attr.value)


def args(walk: Walk, nodes: Sequence[cst.Arg]) -> tuple[ir.Arg, ...]:
    spans, expr = walk.spans, walk.expr
    lowered = []
    for node in nodes:
        value, keyword = expr(node.value), node.keyword
        star: Literal["", "*", "**"] = node.star
        start = spans[id(node)][0] if star or keyword else value.start
        lowered.append(ir.Arg(start, value.end, value, None if keyword is None else keyword.value, star))
    return tuple(lowered)


def call(walk: Walk, node: cst.Call) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Call(start, end, walk.expr(node.func), args(walk, node.args))


def subscript(walk: Walk, node: cst.Subscript) -> ir.Expr:
    start, end = walk.spans[id(node)]
    value = walk.expr(node.value)
    elements = node.slice
    first = elements[0]
    if len(elements) == 1 and not isinstance(first.comma, cst.Comma) and not getattr(first.slice, "star", None):
        return ir.Subscript(start, end, value, subscript_item(walk, first))
    items = tuple(subscript_item(walk, element) for element in elements)
    index = ir.Display(*_trimmed(walk, walk.spans[id(first)][0], walk.spans[id(elements[-1])][1]), "tuple", items)
    return ir.Subscript(start, end, value, index)


def _trimmed(walk: Walk, start: int, end: int) -> tuple[int, int]:
    """Return a range without the space after a slice, which libcst includes."""
    return start, start + len(walk.text[start:end].rstrip())


def subscript_item(walk: Walk, element: cst.SubscriptElement) -> ir.Expr:
    inner = element.slice
    if isinstance(inner, cst.Slice):
        start, end = _trimmed(walk, *walk.spans[id(inner)])
        return ir.Slice(start, end, walk.optional(inner.lower), walk.optional(inner.upper), walk.optional(inner.step))
    assert isinstance(inner, cst.Index)
    value = walk.expr(inner.value)
    if inner.star:
        start, end = walk.spans[id(element)]
        return ir.Starred(start, end, value)
    return value


def unary(walk: Walk, node: cst.UnaryOperation) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Unary(start, end, _UNARY[type(node.operator)], walk.expr(node.expression))


def binary(walk: Walk, node: cst.BinaryOperation) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Binary(start, end, _BINARY[type(node.operator)], walk.expr(node.left), walk.expr(node.right))


def logical(walk: Walk, node: cst.BooleanOperation) -> ir.Expr:
    start, end = walk.spans[id(node)]
    kind = type(node.operator)
    values: list[ir.Expr] = []
    pending: list[cst.BaseExpression] = [node.right, node.left]
    while pending:
        operand = pending.pop()
        if isinstance(operand, cst.BooleanOperation) and type(operand.operator) is kind and not operand.lpar:
            pending += (operand.right, operand.left)
        else:
            values.append(walk.expr(operand))
    return ir.Logical(start, end, "and" if kind is cst.And else "or", tuple(values))


def compare(walk: Walk, node: cst.Comparison) -> ir.Expr:
    start, end = walk.spans[id(node)]
    left = walk.expr(node.left)
    ops = tuple(_COMPARE[type(part.operator)] for part in node.comparisons)
    return ir.Compare(start, end, left, ops, tuple(walk.expr(part.comparator) for part in node.comparisons))


def conditional(walk: Walk, node: cst.IfExp) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Conditional(start, end, walk.expr(node.test), walk.expr(node.body), walk.expr(node.orelse))


def items(walk: Walk, elements: Sequence[cst.BaseElement]) -> tuple[ir.Expr, ...]:
    return tuple(walk.expr(e.value) if type(e) is cst.Element else walk.expr(e) for e in elements)


def sequence(walk: Walk, node: cst.List | cst.Tuple | cst.Set) -> ir.Expr:
    start, end = walk.spans[id(node)]
    if start in walk.blanked:
        return ir.Opaque(start, end, "a very large literal")
    kind: Literal["list", "tuple", "set"] = (
        "list" if type(node) is cst.List else "tuple" if type(node) is cst.Tuple else "set"
    )
    return ir.Display(start, end, kind, items(walk, node.elements))


def starred(walk: Walk, node: cst.StarredElement) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Starred(start, end, walk.expr(node.value))


def dictionary(walk: Walk, node: cst.Dict) -> ir.Expr:
    start, end = walk.spans[id(node)]
    if start in walk.blanked:
        return ir.Opaque(start, end, "a very large literal")
    pairs = []
    for element in node.elements:
        key = walk.expr(element.key) if isinstance(element, cst.DictElement) else None
        pairs.append((key, walk.expr(element.value)))
    return ir.DictDisplay(start, end, tuple(pairs))


def clauses(walk: Walk, first: cst.CompFor) -> tuple[ir.Clause, ...]:
    lowered = []
    node: cst.CompFor | None = first
    while node is not None:
        target, source = walk.expr(node.target), walk.expr(node.iter)
        conditions = tuple(walk.expr(condition.test) for condition in node.ifs)
        end = conditions[-1].end if conditions else source.end
        lowered.append(ir.Clause(target.start, end, target, source, conditions, node.asynchronous is not None))
        node = node.inner_for_in
    return tuple(lowered)


def comprehension(walk: Walk, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> ir.Expr:
    start, end = walk.spans[id(node)]
    kind: Literal["list", "set", "generator"] = (
        "list" if type(node) is cst.ListComp else "set" if type(node) is cst.SetComp else "generator"
    )
    return ir.Comprehension(start, end, kind, walk.expr(node.elt), None, clauses(walk, node.for_in))


def dict_comprehension(walk: Walk, node: cst.DictComp) -> ir.Expr:
    start, end = walk.spans[id(node)]
    key, value = walk.expr(node.key), walk.expr(node.value)
    return ir.Comprehension(start, end, "dict", value, key, clauses(walk, node.for_in))


def params(walk: Walk, node: cst.Parameters) -> tuple[ir.Param, ...]:
    """Return formal parameters in order; defaults and annotations belong to the scope around the function."""
    lowered: list[ir.Param] = []

    def add(parameter: cst.Param, kind: Literal["positional", "plain", "keyword", "*", "**"]) -> None:
        start, end = walk.spans[id(parameter.name)]
        annotation = None if parameter.annotation is None else walk.expr(parameter.annotation.annotation)
        default = walk.optional(parameter.default)
        last = default or annotation
        lowered.append(
            ir.Param(start, end if last is None else last.end, parameter.name.value, kind, default, annotation)
        )

    for parameter in node.posonly_params:
        add(parameter, "positional")
    for parameter in node.params:
        add(parameter, "plain")
    if isinstance(node.star_arg, cst.Param):
        add(node.star_arg, "*")
    for parameter in node.kwonly_params:
        add(parameter, "keyword")
    if node.star_kwarg is not None:
        add(node.star_kwarg, "**")
    return tuple(lowered)


def lambda_(walk: Walk, node: cst.Lambda) -> ir.Expr:
    start, end = walk.spans[id(node)]
    parameters = params(walk, node.params)
    walk.frames.enter({parameter.name for parameter in parameters})
    body = walk.expr(node.body)
    return ir.Lambda(start, end, parameters, body, walk.frames.leave().local)


def walrus(walk: Walk, node: cst.NamedExpr) -> ir.Expr:
    start, end = walk.spans[id(node)]
    assert isinstance(node.target, cst.Name)
    walk.frames.bind(node.target.value)
    return ir.Walrus(start, end, node.target.value, walk.expr(node.value))


def await_(walk: Walk, node: cst.Await) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Await(start, end, walk.expr(node.expression))


def yield_(walk: Walk, node: cst.Yield) -> ir.Expr:
    start, end = walk.spans[id(node)]
    walk.frames.innermost.is_generator = True
    if isinstance(node.value, cst.From):
        return ir.Yield(start, end, walk.expr(node.value.item), True)
    return ir.Yield(start, end, walk.optional(node.value))


EXPRESSIONS: Final[Mapping[type[cst.CSTNode], LowerExpr]] = {
    **LITERALS,
    cst.Name: name,
    cst.Attribute: attribute,
    cst.Call: call,
    cst.Subscript: subscript,
    cst.UnaryOperation: unary,
    cst.BinaryOperation: binary,
    cst.BooleanOperation: logical,
    cst.Comparison: compare,
    cst.IfExp: conditional,
    cst.List: sequence,
    cst.Tuple: sequence,
    cst.Set: sequence,
    cst.StarredElement: starred,
    cst.Dict: dictionary,
    cst.ListComp: comprehension,
    cst.SetComp: comprehension,
    cst.GeneratorExp: comprehension,
    cst.DictComp: dict_comprehension,
    cst.Lambda: lambda_,
    cst.NamedExpr: walrus,
    cst.Await: await_,
    cst.Yield: yield_,
}
