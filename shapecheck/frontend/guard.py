"""Checks of the input to libcst, whose parser crashes, or takes forever, on a few kinds of extreme input.

It knows brackets, strings and comments, and just enough operators to bound the parser's recursion; nothing of the IR.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shapecheck.frontend.quotes import CODE, string_end

# Measured with libcst 1.9 on a 256 MB stack; ordinary code stays far below every one of them.
MAX_CHARACTERS: Final = 5_000_000
MAX_DEPTH: Final = 200
MAX_CASE_DEPTH: Final = 14
MAX_LINKS: Final = 400
MAX_TERMS: Final = 1_500
MAX_ELIFS: Final = 3_000
LARGE_LITERAL: Final = 100_000

_SUSPICIOUS: Final = 2 * MAX_LINKS

_TOKEN: Final = re.compile(
    r"#[^\n]*"
    r'|"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|\.?\d[\w.]*"
    r"|[^\W\d]\w*"
    r"|[-+*/%@&|^<>=!~]+|[.,;()\[\]{}]",
    re.DOTALL,
)
_WORD_OPERATORS: Final = frozenset(
    ("and", "or", "not", "if", "else", "for", "in", "is", "lambda", "await", "yield", "from", "async")
)
_CASE: Final = re.compile(r"\s*case(?:\s+[^\s=]|[\[({])")
_ELIF_LINE: Final = re.compile(r"^([ \t\f]*)(elif\b|else\b|[^\s#])", re.MULTILINE)


class Unsuitable(Exception):
    """Text that the parser must not get: a one-line reason, and its offset."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class _Statement:
    """A logical line: its range, the length of its code without strings and comments, and whether it is a `case`."""

    start: int
    end: int
    code: int


@dataclass(frozen=True, slots=True)
class Checked:
    """Text that is safe to parse, with its very large literals blanked out, where those start, and its comments."""

    text: str
    blanked: frozenset[int]
    comments: list[tuple[int, str]]


def check(text: str) -> Checked:
    """Return the text in a form that is safe to parse; raises Unsuitable."""
    if len(text) > MAX_CHARACTERS:
        raise Unsuitable(f"the file is larger than {MAX_CHARACTERS // 1_000_000} MB", 0)
    null = text.find("\0")
    if null >= 0:
        raise Unsuitable("the file holds a null byte", null)
    _check_elifs(text)
    blanks: list[tuple[int, int]] = []
    comments: list[tuple[int, str]] = []
    for statement in _suspicious_statements(text, comments):
        large = _large_literals(text, statement) if statement.code > LARGE_LITERAL else []
        blanks += large
        _check_chains(_blank(text[statement.start : statement.end], large, statement.start), statement.start)
    return Checked(_blank(text, blanks, 0), frozenset(start for start, _ in blanks), comments)


def _suspicious_statements(text: str, comments: list[tuple[int, str]]) -> Iterator[_Statement]:
    """Return the statements long enough for `_check_chains`; also check the depth of brackets and collect the
    comments."""
    at, start, depth, skipped = 0, 0, 0, 0
    length = len(text)
    while at < length:
        for token in CODE.finditer(text, at):
            first = text[token.start()]
            if first == "\n":
                if depth == 0:
                    end = token.start()
                    if end - start - skipped > _SUSPICIOUS:
                        yield _Statement(start, end, end - start - skipped)
                    start, skipped = end + 1, 0
            elif first in "([{":
                depth += 1
                if depth > MAX_CASE_DEPTH:
                    _check_depth(text, start, depth, token.start())
            elif first in ")]}":
                depth = max(depth - 1, 0)
            elif first == "#":
                comments.append((token.start(), token[0]))
                skipped += token.end() - token.start()
            else:
                end = string_end(text, token)
                skipped += end - token.start()
                if end != token.end():
                    at = end
                    break
        else:
            break
    if length - start - skipped > _SUSPICIOUS:
        yield _Statement(start, length, length - start - skipped)


def _check_depth(text: str, statement: int, depth: int, offset: int) -> None:
    if depth > MAX_DEPTH:
        raise Unsuitable(f"brackets are nested more than {MAX_DEPTH} deep", offset)
    if _CASE.match(text, statement):
        raise Unsuitable(f"a pattern is nested more than {MAX_CASE_DEPTH} deep", offset)


def _check_chains(text: str, origin: int) -> None:
    """Bound the links (`a.b().c`) and terms (`a + b + c`) of every expression of one statement."""
    links, terms = 0, 0
    outer: list[tuple[int, int]] = []
    around = 0  # links and terms of all that is still open
    for token in _TOKEN.finditer(text):
        word = token.group()
        first = word[0]
        if first in ",;":
            links, terms = 0, 0
        elif first in "([{":
            outer.append((links + 1, terms))
            around += links + terms
            links, terms = 0, 0
        elif first in ")]}":
            links, terms = outer.pop() if outer else (0, 0)
            around = max(around - links - terms + 1, 0)
        elif word == ".":
            links += 1
        elif first in "-+*/%@&|^<>=!~" or word in _WORD_OPERATORS:
            links, terms = 0, terms + len(word) if first in "-+~" else terms + 1
        if links > MAX_LINKS:
            raise Unsuitable(f"a chain of more than {MAX_LINKS} attributes and calls", origin + token.start())
        if terms > MAX_TERMS or around > 2 * MAX_TERMS:
            raise Unsuitable(f"an expression of more than {MAX_TERMS:,} terms", origin + token.start())


def _check_elifs(text: str) -> None:
    """Bound chains of `elif`, which the parser nests."""
    if text.count("elif") <= MAX_ELIFS:
        return
    ladders: dict[int, int] = {}
    for line in _ELIF_LINE.finditer(text):
        indent = len(line[1])
        for deeper in [each for each in ladders if each > indent]:
            del ladders[deeper]
        ladders[indent] = ladders.get(indent, 0) + 1 if line[2] == "elif" else 0
        if ladders[indent] > MAX_ELIFS:
            raise Unsuitable(f"an `if` of more than {MAX_ELIFS:,} branches", line.start())


def _large_literals(text: str, statement: _Statement) -> list[tuple[int, int]]:
    """Return the ranges inside the outermost very long list, tuple, set and dict displays; calls and subscripts are
    kept."""
    found: list[tuple[int, int]] = []
    opened: list[tuple[int, bool]] = []
    previous = ""
    for token in _TOKEN.finditer(text, statement.start, statement.end):
        word = token.group()
        if word in "([{":
            is_display = word == "{" or not (previous and (previous[-1].isalnum() or previous[-1] in "_)]}\"'"))
            opened.append((token.start(), is_display))
        elif word in ")]}" and opened:
            start, is_display = opened.pop()
            inside = token.start() - start
            if is_display and inside > LARGE_LITERAL:
                found = [each for each in found if each[0] < start]
                found.append((start, token.end()))
        previous = "" if word in _WORD_OPERATORS or word == "return" else word
    return found


def _blank(text: str, spans: list[tuple[int, int]], origin: int) -> str:
    """Return the text with spaces between the first and the last character of each span."""
    for start, end in spans:
        inside = text[start + 1 - origin : end - 1 - origin]
        emptied = "\n".join(" " * len(line) for line in inside.split("\n"))
        text = text[: start + 1 - origin] + emptied + text[end - 1 - origin :]
    return text
