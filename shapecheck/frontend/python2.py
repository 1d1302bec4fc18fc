"""Python 2 syntax rewritten token by token to Python 3 that parses, with a mapping back to the file's offsets.

The result is for the analysis only, not for running. It knows tokens, and nothing of syntax trees.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
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
_GONE: Final = ("xrange", "raw_input")  # builtins that Python 3 does not have


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
    """Return whether the first line names Python 2, or builtins are called that only Python 2 has."""
    if text.startswith("#!") and _INTERPRETER.search(text.partition("\n")[0]) is not None:
        return True
    return any(name in text for name in _GONE) and _calls_gone_builtin(text)


def _calls_gone_builtin(text: str) -> bool:
    """Return whether a name of `_GONE` is called, and no statement may bind it for Python 3."""
    called: set[str] = set()
    bound: set[str] = set()
    for tokens in _statements(text):
        for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
            if token.text in _GONE and (before is None or before.text != "."):
                is_called = after is not None and after.text == "(" and (before is None or before.text != "def")
                (called if is_called else bound).add(token.text)
    return not called <= bound and "import *" not in text


def rewrite(text: str) -> Rewritten | None:
    """Return the text with the syntax of Python 2 replaced; None if there is none."""
    edits: list[_Edit] = []
    unpacked: list[str] = []
    indents = {end: indent for _, end, indent in _indent_edits(text)}
    for statement in _statements(text):
        if unpacked and statement:
            edits += _unpacking_edits(text, unpacked, statement[0].start, indents)
            unpacked = []
        edits += _statement_edits(statement)
        if statement and statement[0].text == "def":
            inner, unpacked = _parameter_edits(statement)
            edits += inner
    edits += _indent_edits(text)
    return _apply(text, sorted(edits, key=lambda edit: edit[:2])) if edits else None


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
    edits += _lambda_edits(tokens)
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


def _parameter_edits(tokens: list[_Token]) -> tuple[list[_Edit], list[str]]:
    """Return the edits that give the tuples among the parameters of `def f(x, (a, b)):` names, and the assignments that
    unpack these.
    """
    edits: list[_Edit] = []
    assignments: list[str] = []
    depth, start = 0, -1
    for before, token in pairwise(tokens):
        if token.text in ("(", "[", "{"):
            depth += 1
            if depth == 2 and token.text == "(" and before.text in ("(", ","):
                start = token.start
        elif token.text in (")", "]", "}"):
            depth -= 1
            if depth == 1 and start >= 0:
                name = _name_at(start)
                edits.append((start, token.end, name))
                assignments.append(f"{_source(tokens, start, token.end)} = {name}")
                start = -1
    return edits, assignments


def _unpacking_edits(text: str, assignments: list[str], at: int, indents: dict[int, str]) -> Iterator[_Edit]:
    """Insert assignments before the first statement of a body."""
    line = text.rfind("\n", 0, at) + 1
    indent = text[line:at]
    ending = "; " if indent.strip() else "\n" + indents.get(at, indent)
    yield at, at, "".join(assignment + ending for assignment in assignments)


@dataclass(slots=True)
class _Lambda:
    """A lambda that is being read: its brackets, the patterns of its parameters, and whether the body has begun."""

    depth: int
    patterns: list[tuple[int, str]] = field(default_factory=list)
    start: int = -1
    in_body: bool = False


def _lambda_edits(tokens: list[_Token]) -> Iterator[_Edit]:
    """Turn `lambda x, (a, b): e` into `lambda x, name: [e for (a, b) in [name]][0]`."""
    depth = 0
    lambdas: list[_Lambda] = []

    def end(at: int) -> Iterator[_Edit]:
        for start, pattern in reversed(lambdas.pop().patterns):
            yield at, at, f" for {pattern} in [{_name_at(start)}]][0]"

    for before, token in pairwise([*tokens[:1], *tokens]):
        closes = token.text in (")", "]", "}")
        while lambdas and lambdas[-1].in_body and depth == lambdas[-1].depth and (closes or token.text in (",", "for")):
            yield from end(before.end)
        current = lambdas[-1] if lambdas else None
        if token.text == "lambda":
            lambdas.append(_Lambda(depth))
        elif current is not None and not current.in_body:
            if token.text == "(" and depth == current.depth and before.text in ("lambda", ","):
                current.start = token.start
            elif closes and depth == current.depth + 1 and current.start >= 0:
                yield current.start, token.end, f" {_name_at(current.start)}"
                current.patterns.append((current.start, _source(tokens, current.start, token.end)))
                current.start = -1
            elif token.text == ":" and depth == current.depth:
                current.in_body = True
                yield token.end, token.end, "[" * len(current.patterns)
        depth += (token.text in ("(", "[", "{")) - closes
    while lambdas:
        yield from end(tokens[-1].end)


def _name_at(offset: int) -> str:
    """Return the name of the parameter that stands for the tuple at an offset."""
    return f"unpacked_{offset}"


def _source(tokens: list[_Token], start: int, end: int) -> str:
    """Return the code between two offsets on one line, without comments."""
    return " ".join(token.text for token in tokens if start <= token.start and token.end <= end)


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
