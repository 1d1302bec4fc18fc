"""The statements of a text that does not parse: where each begins and ends, and which of them can be read.

It knows how statements begin, and how to repair what is certain; nothing of how they nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from shapecheck.frontend.edited import Edit
from shapecheck.frontend.lost_statements import HEADERS
from shapecheck.frontend.open_brackets import closing
from shapecheck.frontend.python2 import rewrite
from shapecheck.frontend.quotes import statement_end
from shapecheck.python_syntax import module_of

_START: Final = re.compile(r"(?:[ \t\f]*(?:#[^\n]*)?(?:\n|\Z))*[ \t\f]*")
_WORD: Final = re.compile(r"(?:async[ \t]+)?([a-z]+)\b|@")
_RESTART: Final = re.compile(
    r"(?P<indent>[ \t]*)(?:(?:def|class|import|from|if|for|while|with|return|try|else|elif|except|finally|print|del)\b"
    r"|@|[^\W\d][\w.]*(?:\[[^\]\n]*\])?(?:[ \t]*,[ \t]*[^\W\d][\w.]*)*[ \t]*[-+*/]?=(?!=)|[^\W\d][\w.]*\()"
)
_KEYWORD: Final = re.compile(r"[ \t]*(?:def|class|import|while|with|return|try|elif|except|finally|del)\b")
"""The beginning of a line that continues no expression."""
_OPEN: Final = re.compile(r"[,(\[{=+*/%&|^<>-][ \t]*(?:#[^\n]*)?$|\\$")
_CLOSES: Final = re.compile(r"[^\n]*,[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_TYPED: Final = dict(zip("“”„‟″‘’‚‛′–—−…\u00a0\u2003\u2009\u200b\ufeff", "\"\"\"\"\"'''''---…     ", strict=True))
_ELIDED: Final = re.compile(r"(?<=[(,])(?P<gap>\s*)(?:…|\.\.\.)(?=\s*[,)])")
_UNCOMMENTED: Final = re.compile(r"[^#\n]*[^#\s](?=[ \t]*(?:#[^\n]*)?\Z)")
_AFTER: Final = {
    "elif": "if 1:\n pass\n",
    "else": "if 1:\n pass\n",
    "except": "try:\n pass\n",
    "finally": "try:\n pass\n",
}
_BELOW: Final = {"try": "\n pass\nfinally:\n pass", "match": "\n case _:\n  pass"}


@dataclass(slots=True)
class Statement:
    """A simple statement, or the header of a compound one; `repairs` make it readable.

    `word` is the keyword that it begins with, "@" for a decorator.
    """

    start: int
    end: int
    indent: int
    word: str
    is_header: bool = False
    is_lost: bool = False
    repairs: list[Edit] = field(default_factory=list)


def statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a text."""
    at = 0
    while True:
        blank = _START.match(text, at)
        assert blank is not None
        start = blank.end()
        if start >= len(text):
            return
        found = _statement(text, start, statement_end(text, start))
        at = found.end
        yield found


def _statement(text: str, start: int, end: int) -> Statement:
    """Return the statement of a range, or the lost one that ends where another must begin."""
    row = text.rfind("\n", 0, start) + 1
    indent = len(text[row:start].expandtabs(8))
    word = _WORD.match(text, start)
    made = Statement(start, end, indent, (word[1] or "@") if word is not None else "")
    if not _is_read(made, text) and (earlier := _restart(text, start, end, indent)) < end:
        made.end = earlier
        _is_read(made, text)
    return made


def _is_read(made: Statement, text: str) -> bool:
    """Note whether a statement can be read, and what repairs that takes."""
    code = text[made.start : made.end].rstrip()
    made.end = made.start + len(code)
    for repairs in _repairs(code, made.word):
        found = _form(_after(code, repairs), made.word)
        if found is not None:
            made.is_lost, made.is_header = False, found == "header"
            made.repairs = [(made.start + start, made.start + end, instead) for start, end, instead in repairs]
            return True
    made.is_lost, made.is_header = True, made.word in HEADERS or made.word == "case"
    return False


def _form(code: str, word: str) -> str | None:
    """Return "simple" or "header", None for what is neither."""
    if word == "@":
        return "simple" if _parses(f"{code}\ndef f(): pass") else None
    before = _AFTER.get(word, "")
    if _parses(before + code):
        return "simple"
    if word == "case":
        return "header" if _parses(f"match 1:\n {code}\n  pass") else None
    if word in HEADERS or word == "match":
        return "header" if _parses(before + code + _BELOW.get(word, "\n pass")) else None
    return None


def _parses(text: str) -> bool:
    if module_of(text) is not None:
        return True
    rewritten = rewrite(text)
    return rewritten is not None and module_of(rewritten.text) is not None


def _repairs(code: str, word: str) -> Iterator[list[Edit]]:
    """Yield what may make a text readable, beginning with nothing."""
    yield []
    typed = [(at, at + 1, _TYPED[char]) for at, char in enumerate(code) if char in _TYPED and _TYPED[char] != char]
    elided = [(found.start(), found.end(), "**__lost__") for found in _ELIDED.finditer(code)]
    last = _UNCOMMENTED.search(code)
    end = len(code) if last is None else last.end()
    colon = [(end, end, ":")] if word in HEADERS and last is not None and not last.start() else []
    missing = closing(code[:end])
    closed = [] if missing is None else [(end, end, missing)]
    for some in (typed, elided, [*typed, *elided], colon, [*typed, *colon], closed):
        if some:
            yield some


def _after(code: str, edits: list[Edit]) -> str:
    for start, end, instead in sorted(edits, reverse=True):
        code = code[:start] + instead + code[end:]
    return code


def _restart(text: str, start: int, end: int, indent: int) -> int:
    """Return where the line begins that must be another statement, if a bracket or a quote was left open."""
    before = text.find("\n", start, end)
    while before >= 0:
        row = before + 1
        found = _RESTART.match(text, row)
        last = text[text.rfind("\n", 0, before) + 1 : before]
        is_certain = _KEYWORD.match(text, row) is not None or not _OPEN.search(last)
        if found is not None and len(found["indent"].expandtabs(8)) <= indent and is_certain:
            return row
        if not text[row : text.find("\n", row)].strip():
            return row
        before = text.find("\n", row, end)
    return end
