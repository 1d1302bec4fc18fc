"""Lowers literals: numbers, strings, joined strings and f-strings.

It knows nothing of statements, nor of other expressions than those inside f-strings.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from typing import Final

import libcst as cst

from shapecheck import ir
from shapecheck.frontend.cst_walk import LowerExpr, Walk
from shapecheck.frontend.pieces import Pieces

_TO_QUOTE = re.compile(r'\\(?:\r\n|.)|\r\n|[\r\n"]', re.DOTALL)
_SPACES = re.compile(r"(?:\s|\\\n|#[^\n]*)*")


def _evaluate(text: str) -> str | bytes | None:
    """Return the value of a string literal; None if its escapes are invalid."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            return None
    return value if isinstance(value, (str, bytes)) else None


def _string_value(text: str) -> str | bytes | None:
    quote = text[0]
    if quote not in "'\"" or "\\" in text:
        return _evaluate(text)
    width = 3 if text[:3] == quote * 3 and len(text) >= 6 else 1
    return text[width:-width]


def integer(walk: Walk, node: cst.Integer) -> ir.Expr:
    start, end = walk.spans[id(node)]
    try:
        return ir.Const(start, end, int(node.value, 0))
    except ValueError:
        return ir.Opaque(start, end, "a number that cannot be read")


def real(walk: Walk, node: cst.Float) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Const(start, end, float(node.value))


def imaginary(walk: Walk, node: cst.Imaginary) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Const(start, end, complex(0.0, float(node.value[:-1])))


def ellipsis(walk: Walk, node: cst.Ellipsis) -> ir.Expr:
    start, end = walk.spans[id(node)]
    return ir.Const(start, end, ...)


def string(walk: Walk, node: cst.SimpleString) -> ir.Expr:
    start, end = walk.spans[id(node)]
    value = _string_value(node.value)
    if value is None:
        return ir.Opaque(start, end, "a string with wrong escapes")
    return ir.Const(start, end, value)


def _text_piece(raw: str, is_raw: bool) -> str:
    text = raw.replace("{{", "{").replace("}}", "}")
    if is_raw or "\\" not in text:
        return text
    value = _evaluate(f'"{_TO_QUOTE.sub(_quoted, text)}"')
    return value if isinstance(value, str) else text


def _quoted(found: re.Match[str]) -> str:
    """Return a part of a text as it stands in double quotes, with continued lines joined."""
    match found[0]:
        case "\\\n" | "\\\r\n" | "\\\r":
            return ""
        case "\n" | "\r\n" | "\r":
            return "\\n"
        case '"':
            return '\\"'
    return found[0]


def _add_formatted(walk: Walk, node: cst.FormattedString, pieces: Pieces) -> None:
    is_raw = "r" in node.prefix
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            pieces.add(_text_piece(part.value, is_raw))
            continue
        assert isinstance(part, cst.FormattedStringExpression)
        value = walk.expr(part.expression)
        if part.equal is not None:
            start = walk.spans[id(part)][0] + 1
            equal = walk.text.find("=", value.end)
            spaces = _SPACES.match(walk.text, equal + 1)
            pieces.add(walk.text[start : spaces.end() if spaces else equal + 1])
        pieces.add(value)
        if part.conversion or part.format_spec or (part.equal is not None and part.format_spec is None):
            pieces.plain = False
        if part.format_spec and not part.conversion:
            pieces.specify()


def formatted(walk: Walk, node: cst.FormattedString) -> ir.Expr:
    start, end = walk.spans[id(node)]
    pieces = Pieces()
    _add_formatted(walk, node, pieces)
    return ir.Format(start, end, tuple(pieces.parts), pieces.plain, frozenset(pieces.specified))


def concatenated(walk: Walk, node: cst.ConcatenatedString) -> ir.Expr:
    start, end = walk.spans[id(node)]
    links: list[cst.BaseString] = []
    rest: cst.BaseString = node
    while isinstance(rest, cst.ConcatenatedString):
        links.append(rest.left)
        rest = rest.right
    links.append(rest)
    if all(isinstance(link, cst.SimpleString) for link in links):
        values = [_string_value(link.value) for link in links if isinstance(link, cst.SimpleString)]
        return _joined(start, end, values)
    pieces = Pieces()
    for link in links:
        if isinstance(link, cst.FormattedString):
            _add_formatted(walk, link, pieces)
            continue
        value = _string_value(link.value) if isinstance(link, cst.SimpleString) else None
        if not isinstance(value, str):
            return ir.Opaque(start, end, "a string that cannot be joined")
        pieces.add(value)
    return ir.Format(start, end, tuple(pieces.parts), pieces.plain, frozenset(pieces.specified))


def _joined(start: int, end: int, values: list[str | bytes | None]) -> ir.Expr:
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        return ir.Const(start, end, "".join(texts))
    binaries = [value for value in values if isinstance(value, bytes)]
    if len(binaries) == len(values):
        return ir.Const(start, end, b"".join(binaries))
    return ir.Opaque(start, end, "a string that cannot be joined")


def template(walk: Walk, node: cst.CSTNode) -> ir.Expr:
    return walk.opaque(node, "a template string")


LITERALS: Final[Mapping[type[cst.CSTNode], LowerExpr]] = {
    cst.Integer: integer,
    cst.Float: real,
    cst.Imaginary: imaginary,
    cst.Ellipsis: ellipsis,
    cst.SimpleString: string,
    cst.FormattedString: formatted,
    cst.ConcatenatedString: concatenated,
    cst.TemplatedString: template,
}
