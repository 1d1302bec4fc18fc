"""Ends of strings, found without parsing: enough to distinguish code from text.

It knows quotes, f-strings (nested ones too) and comments, and nothing else of Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

CODE: Final = re.compile(
    r"[()\[\]{}\n]"
    r"|#[^\n]*"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
    r"|\\\n",
    re.DOTALL,
)
"""The tokens that matter for finding statements: brackets, line ends, comments, strings and continued lines."""

_IN_RAW_TEXT: Final = re.compile(r"\\[^{}]|\{\{|\}\}|[{}\n]|\"\"\"|'''|[\"']", re.DOTALL)
_IN_TEXT: Final = re.compile(r"\\N\{[^{}]*\}|" + _IN_RAW_TEXT.pattern, re.DOTALL)
_AFTER_EXPRESSION: Final = re.compile(r"[()\[\]{}:]|[=!<>]=|[=!]|#[^\n]*|\"\"\"|'''|[\"']")
_IN_EXPRESSION: Final = re.compile(r"[()\[\]{}:\n]|!=|#[^\n]*|\"\"\"|'''|[\"']")


def string_end(text: str, token: re.Match[str]) -> int:
    """Return the end of the string that `token` (a match of `CODE`) begins: the match's end, unless an f-string
    nests."""
    start, end = token.span()
    if not _is_formatted(text, start) or text.count("{", start, end) == text.count("}", start, end):
        return end
    nested = _formatted_end(text, start, 0)
    return end if nested is None else nested


def statement_end(text: str, at: int) -> int:
    """Return the offset after the end of the logical line that a statement at `at` begins."""
    depth = 0
    while (token := CODE.search(text, at)) is not None:
        first, at = token[0][0], token.end()
        if first in "([{":
            depth += 1
        elif first in ")]}":
            depth = max(depth - 1, 0)
        elif first == "\n" and depth == 0:
            return at
        elif first in "'\"":
            at = string_end(text, token)
    return len(text)


def _is_formatted(text: str, quote: int) -> bool:
    prefix = text[max(quote - 2, 0) : quote].lower()
    return prefix[-1:] in ("f", "t") or prefix in ("fr", "tr")


def _marks(text: str, quote: int) -> re.Pattern[str]:
    return _IN_RAW_TEXT if "r" in text[max(quote - 2, 0) : quote].lower() else _IN_TEXT


def _formatted_end(text: str, start: int, level: int) -> int | None:
    """Return the end of the f-string whose quotes open at `start`; None if it does not end."""
    quote = text[start] * 3 if text.startswith(text[start] * 3, start) else text[start]
    at = start + len(quote)
    while (found := _marks(text, start).search(text, at)) is not None:
        at = found.end()
        if text.startswith(quote, found.start()) and found[0][0] in "'\"":
            return found.start() + len(quote)
        if found[0] == "\n" and len(quote) == 1:
            return None
        if found[0] == "{":
            end = _replacement_end(text, at, level)
            if end is None:
                return None
            at = end
    return None


def fields(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the expressions in the f-strings of a range of the text, which is strings and comments."""
    at = start
    while at < end and (token := CODE.search(text, at, end)) is not None:
        at = token.end()
        if token[0][0] in "'\"":
            at = string_end(text, token)
            if _is_formatted(text, token.start()):
                yield from _fields_in(text, token.start())


def _fields_in(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the expressions in the f-string whose quotes open at `start`."""
    quote = text[start] * 3 if text.startswith(text[start] * 3, start) else text[start]
    at = start + len(quote)
    while (found := _marks(text, start).search(text, at)) is not None:
        at = found.end()
        if text.startswith(quote, found.start()) and found[0][0] in "'\"":
            return
        if found[0] == "{":
            expression, end = _expression_end(text, at), _replacement_end(text, at, 0)
            if expression is None or end is None:
                return
            yield at, expression
            at = end


def _expression_end(text: str, at: int) -> int | None:
    """Return the end of the expression of a replacement field: its `=`, `!`, `:` or `}`."""
    depth = 0
    while (found := _AFTER_EXPRESSION.search(text, at)) is not None:
        at = found.end()
        mark = found[0]
        if mark in ("'", '"', "'''", '"""'):
            end = _inner_string_end(text, found.start(), 1)
            if end is None:
                return None
            at = end
        elif mark in "([{":
            depth += 1
        elif depth > 0:
            depth -= mark in ")]}"
        elif mark in "=!:}":
            return found.start()
    return None


def _replacement_end(text: str, at: int, level: int) -> int | None:
    """Return the end of a replacement field whose `{` stands before `at`."""
    depth = 0
    while (found := _IN_EXPRESSION.search(text, at)) is not None:
        at = found.end()
        mark = found[0]
        if mark in ("'", '"', "'''", '"""'):
            end = _inner_string_end(text, found.start(), level + 1)
            if end is None:
                return None
            at = end
        elif mark in "([{":
            depth += 1
        elif mark == "}" and depth == 0:
            return at
        elif mark in ")]}":
            depth -= 1
        elif mark == ":" and depth == 0:
            return _spec_end(text, at, level)
    return None


def _spec_end(text: str, at: int, level: int) -> int | None:
    """Return the end of a replacement field from its format spec on."""
    while (found := re.compile(r"[{}]").search(text, at)) is not None:
        at = found.end()
        if found[0] == "}":
            return at
        end = _replacement_end(text, at, level)
        if end is None:
            return None
        at = end
    return None


def _inner_string_end(text: str, start: int, level: int) -> int | None:
    if level > 100:
        return None
    if _is_formatted(text, start):
        return _formatted_end(text, start, level)
    token = CODE.match(text, start)
    return None if token is None else token.end()
