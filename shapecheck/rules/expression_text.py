"""The text of an operation as the user wrote it: its callee and its arguments.

It knows text only, neither values nor shapes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from shapecheck.python_syntax import module_of

LONGEST = 40
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
}


@dataclass(frozen=True, slots=True)
class ExpressionText:
    """`operation` is the callee, the operator, or the whole text of any other expression; `name` the last part of a
    callee; `sign` an operator; `owner` the object of a method; `arguments` the positional ones, up to a starred one;
    `index` that of a subscript."""

    operation: str
    name: str = ""
    sign: str = ""
    owner: str = ""
    arguments: tuple[str, ...] = ()
    keywords: Mapping[str, str] = field(default_factory=dict)
    index: str = ""

    @property
    def is_call(self) -> bool:
        return bool(self.name)


@lru_cache(maxsize=512)
def parse(text: str) -> ExpressionText:
    """Return the parts of an expression or assignment."""
    node, said = _parsed(text)
    match node:
        case ast.Call(func=func):
            return _call(node, func, said)
        case ast.BinOp(left=left, op=op, right=right):
            return _operator(said(node), _SIGNS[type(op)], said(left), said(right))
        case ast.AugAssign(target=left, op=op, value=right):
            return _operator(said(node), f"{_SIGNS[type(op)]}=", said(left), said(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _operator(said(node), _SIGNS.get(type(op), "comparison"), said(left), said(right))
        case ast.UnaryOp(op=op, operand=operand):
            return _operator(said(node), _SIGNS.get(type(op), "not"), said(operand))
        case ast.Subscript(value=value, slice=index):
            shown = said(node) if len(said(node)) <= LONGEST else f"{_outline(value)}[…]"
            return ExpressionText(shown, arguments=(said(value), said(index)), index=said(index))
        case ast.Attribute(value=value):
            return ExpressionText(_callee(node, said), arguments=(said(value),))
    return ExpressionText(shortened(text.strip().removesuffix(",")))


def items(text: str) -> tuple[str, ...]:
    """Return the items of a list or tuple display, or alternating keys and values of a dict display; none of anything
    else."""
    node, said = _parsed(text)
    if isinstance(node, ast.Dict):
        pairs = [pair for pair in zip(node.keys, node.values, strict=True) if pair[0] is not None]
        return tuple(said(part) for pair in pairs for part in pair if part is not None)
    if isinstance(node, (ast.List, ast.Tuple)) and not any(isinstance(item, ast.Starred) for item in node.elts):
        return tuple(map(said, node.elts))
    return ()


def shortened(text: str, limit: int = LONGEST) -> str:
    """Return the text on one line, cut at its end."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def _operator(whole: str, sign: str, *operands: str) -> ExpressionText:
    return ExpressionText(whole if len(whole) <= LONGEST else sign, sign=sign, arguments=operands)


def _call(node: ast.Call, func: ast.expr, said: Callable[[ast.AST], str]) -> ExpressionText:
    name, owner = "()", func
    if isinstance(func, ast.Name):
        name = func.id
    elif isinstance(func, ast.Attribute):
        name, owner = func.attr, func.value
    stars = (at for at, arg in enumerate(node.args) if isinstance(arg, ast.Starred))
    plain = node.args[: next(stars, None)]
    return ExpressionText(
        _callee(func, said),
        name=name,
        owner=said(owner),
        arguments=tuple(map(said, plain)),
        keywords={keyword.arg: said(keyword.value) for keyword in node.keywords if keyword.arg},
    )


def _callee(func: ast.expr, said: Callable[[ast.AST], str]) -> str:
    """Return the callee: as written if it is short, in outline otherwise."""
    if len(said(func)) <= LONGEST:
        return said(func)
    outline = _outline(func)
    return outline if len(outline) <= LONGEST else f"….{outline.rsplit('.', 1)[-1]}"


def _outline(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_outline(value)}.{name}"
        case ast.Call(func=func, args=args, keywords=keywords):
            return f"{_outline(func)}({'…' if args or keywords else ''})"
        case ast.Subscript(value=value):
            return f"{_outline(value)}[…]"
    return "…"


def _parsed(text: str) -> tuple[ast.AST | None, Callable[[ast.AST], str]]:
    """Return the syntax tree of the text, and a function that quotes parts of it; None if it is not Python 3."""
    for form in (f"({text}\n)", text):
        module = module_of(form)
        if module is not None and len(module.body) == 1:
            found: ast.AST = module.body[0]
            return found.value if isinstance(found, ast.Expr) else found, _quoter(form)
    return None, _quoter(text)


def _quoter(form: str) -> Callable[[ast.AST], str]:
    return lambda node: " ".join((ast.get_source_segment(form, node) or "").split())
