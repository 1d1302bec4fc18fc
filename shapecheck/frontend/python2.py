"""Python 2 syntax rewritten token by token to Python 3 that parses, with a mapping back to the file's offsets.

The result is for the analysis only, not for running. It knows tokens, and nothing of syntax trees.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_TOKEN: Final = re.compile(
    r"(?P<comment>#[^\n]*)"
    r"|(?P<string>[A-Za-z]{0,2}(?:"
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'))"
    r"|(?P<number>\.?\d(?:[eE][-+]|[\w.])*)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<newline>\n)"
    r"|(?P<space>(?:[ \t\f]|\\\n)+)"
    r"|(?P<mark><>|>>|\S)",
    re.DOTALL,
)
_HEADERS: Final = frozenset(["if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class"])
_OLD_OCTAL: Final = re.compile(r"0[0-7]+[lL]?\Z")
_LONG: Final = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+)[lL]\Z")
_INTERPRETER: Final = re.compile(r"\bpython2")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The new text; piece i of it begins at `starts[i]` and stands for `widths[i]` characters from `origins[i]`."""

    text: str
    starts: list[int]
    origins: list[int]
    widths: list[int]

    def original(self, offset: int) -> int:
        """Return the offset in the old text of a character of the new one."""
        piece = bisect_right(self.starts, offset) - 1
        return self.origins[piece] + min(offset - self.starts[piece], self.widths[piece])


_Edit = tuple[int, int, str]


def is_for_python2(text: str) -> bool:
    """Return whether the first line names Python 2 as the interpreter."""
    return text.startswith("#!") and _INTERPRETER.search(text.partition("\n")[0]) is not None


def rewrite(text: str) -> Rewritten | None:
    """Return the text with the syntax of Python 2 replaced; None if there is none."""
    edits: list[_Edit] = []
    for statement in _statements(text):
        edits += _statement_edits(statement)
    edits += _indent_edits(text)
    return _apply(text, sorted(edits)) if edits else None


def _statements(text: str) -> Iterator[list[_Token]]:
    """Yield the tokens of each simple statement or compound header, without spaces and comments."""
    tokens: list[_Token] = []
    lambdas = 0
    for token, depth in _tokens(text):
        ends = depth == 0 and (token.kind == "newline" or token.text == ";")
        if depth == 0 and token.text == "lambda":
            lambdas += 1
        elif depth == 0 and token.text == ":":
            ends = lambdas == 0 and bool(tokens) and tokens[0].text in _HEADERS
            lambdas = max(lambdas - 1, 0)
        if not ends:
            tokens.append(token)
            continue
        yield tokens
        tokens, lambdas = [], 0
    yield tokens


def _tokens(text: str) -> Iterator[tuple[_Token, int]]:
    """The tokens that statements are made of, each with the number of brackets that it stands in."""
    depth = 0
    for found in _TOKEN.finditer(text):
        token = _Token(found.lastgroup or "", found.group(), found.start())
        if token.kind in ("space", "comment") or (token.kind == "newline" and depth > 0):
            continue
        yield token, depth
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth = max(depth - 1, 0)


def _statement_edits(tokens: list[_Token]) -> list[_Edit]:
    if not tokens:
        return []
    edits = [edit for token in tokens for edit in _token_edits(token)]
    ticks = [token for token in tokens if token.text == "`"]
    for i, token in enumerate(ticks):
        edits.append((token.start, token.end, ")" if i % 2 else "repr("))
    edits += _parameter_edits(tokens)
    first = tokens[0].text
    if first in ("print", "exec"):
        edits += _call_edits(tokens)
    elif first in ("raise", "except"):
        edits += _comma_edits(tokens)
    return edits


def _token_edits(token: _Token) -> Iterator[_Edit]:
    if token.text == "<>":
        yield token.start, token.end, "!="
    elif token.kind == "number":
        if _LONG.match(token.text):
            yield token.end - 1, token.end, ""
        if _OLD_OCTAL.match(token.text) and token.text.strip("0lL"):
            yield token.start + 1, token.start + 1, "o"
    elif token.kind == "string" and token.text[:2].lower() == "ur":
        yield token.start, token.start + 1, " "


def _call_edits(tokens: list[_Token]) -> Iterator[_Edit]:
    """Turn `print x, y` and `exec code` into calls; the bracket replaces a space if there is one."""
    if len(tokens) == 1:
        return
    following = tokens[1]
    if following.kind == "mark" and following.text not in "[{`-+~":
        return
    gap = following.start - tokens[0].end
    yield tokens[0].end, tokens[0].end + min(gap, 1), "("
    yield tokens[-1].end, tokens[-1].end, ")"


def _comma_edits(tokens: list[_Token]) -> Iterator[_Edit]:
    """Turn `raise E, "text"` into a call, and `except E, e` into `except E as e`."""
    depth = 0
    for token in tokens:
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif token.text == "," and depth == 0:
            if tokens[0].text == "except":
                yield token.start, token.end, " as "
            else:
                yield token.start, token.end, "("
                yield tokens[-1].end, tokens[-1].end, ")"
            return


def _parameter_edits(tokens: list[_Token]) -> Iterator[_Edit]:
    """Remove the inner brackets of `lambda (a, b): …` and `def f(x, (a, b)):`, so that the names are at least bound."""
    in_def = tokens[0].text == "def"
    opened: list[tuple[_Token, bool]] = []
    for before, token in pairwise(tokens):
        if token.text in ("(", "[", "{"):
            unpacks = before.text == "lambda" or (in_def and bool(opened) and before.text in ("(", ","))
            opened.append((token, unpacks and token.text == "("))
        elif token.text in (")", "]", "}") and opened:
            start, unpacks = opened.pop()
            if unpacks:
                yield start.start, start.end, " "
                yield token.start, token.end, " "


def _indent_edits(text: str) -> Iterator[_Edit]:
    """Expand tabs of the indentation to the next multiple of eight, if a file indents with spaces too."""
    indents = list(re.finditer(r"^[ \t]*\t[ \t]*(?=\S)", text, re.MULTILINE))
    if not indents or not re.search(r"^ +[^\s#]", text, re.MULTILINE):
        return
    inside = [found.span() for found in _TOKEN.finditer(text) if found.lastgroup == "string" and "\n" in found[0]]
    starts = [start for start, _ in inside]
    for indent in indents:
        piece = bisect_right(starts, indent.start()) - 1
        if piece < 0 or inside[piece][1] <= indent.start():
            yield indent.start(), indent.end(), " " * len(indent.group().expandtabs(8))


def _apply(text: str, edits: list[_Edit]) -> Rewritten:
    parts: list[str] = []
    result = Rewritten("", [], [], [])
    length = 0

    def add(part: str, origin: int, width: int) -> None:
        nonlocal length
        parts.append(part)
        result.starts.append(length)
        result.origins.append(origin)
        result.widths.append(width)
        length += len(part)

    at = 0
    for start, end, replacement in edits:
        if start > at:
            add(text[at:start], at, start - at)
        if start < at:
            continue
        add(replacement, start, end - start)
        at = end
    add(text[at:], at, len(text) - at)
    return Rewritten("".join(parts), result.starts, result.origins, result.widths)
