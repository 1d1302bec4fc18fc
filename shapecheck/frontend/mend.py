"""Text that does not parse, made to parse: what cannot be read is lost, and what surrounds it stays.

A statement that cannot be read is replaced by one that makes unknown what it may bind or change. Indentation that fits
no block is read as that of the block around it; where it is not clear which block that is, the whole definition is
lost. It knows how statements nest, and not what they look like.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Final

from shapecheck.frontend.edited import Edit, Edited
from shapecheck.frontend.lost_statements import LOST, replacement
from shapecheck.frontend.magics import python_of
from shapecheck.frontend.open_brackets import CONVENTIONAL
from shapecheck.frontend.posted_statements import Statement, statements
from shapecheck.frontend.python2 import rewrite
from shapecheck.frontend.transcripts import edits

MAX_CHARACTERS: Final = 400_000
MOST_ATTEMPTS: Final = 25
_IMPORT: Final = re.compile(r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+([^\n]+)", re.MULTILINE)
_STEP: Final = "    "
_BEFORE: Final = {
    "elif": ("if", "elif"),
    "else": ("if", "elif", "for", "while", "except"),
    "except": ("try", "except"),
    "finally": ("try", "except", "else"),
    "case": ("match", "case"),
}
"""The headers that these follow, or stand in."""


def mended(text: str, start: int = 0, base: str = "") -> Edited | None:
    """Return a text that parses, in the place of one that does not, which begins at an offset of the file; None if that
    cannot be done. The statements of its outermost block have the indentation `base`."""
    if len(text) > MAX_CHARACTERS:
        return None
    code = Edited(python_of(text) or text, Edited.unchanged(text, start).origins)
    code = code.after(edits(code.text))
    parts = list(statements(code.text))
    _lose_unclear(code.text, parts, base)
    for _ in range(MOST_ATTEMPTS):
        made = code.after(_Blocks(code.text, parts, base).edits())
        row = _faulty_row(made.text if not base else f"if 1:\n{made.text}")
        if row is None:
            return made
        faulty = _statement_at(code, parts, made, row - bool(base))
        if faulty is None or faulty.is_lost:
            return None
        faulty.is_lost, faulty.is_header = True, False
    return None


def _lose_unclear(text: str, parts: Sequence[Statement], base: str) -> None:
    """Lose each statement of the outermost block in which it is not clear which block a line is in.

    A definition before it is lost as well, for the line may be one of its body.
    """
    blocks = _Blocks(text, parts, base)
    unclear = list(blocks.unclear())
    for at in unclear:
        outermost = min(part.indent for part in parts[: at + 1])
        before = [i for i in range(at) if parts[i].indent == outermost]
        definition = next((i for i in reversed(before) if parts[i].word in ("def", "class")), None)
        first = definition if definition is not None else next(reversed(before), 0)
        after = (i for i in range(at + 1, len(parts)) if parts[i].indent <= outermost)
        for part in parts[first : next(after, len(parts))]:
            part.is_lost, part.is_header, part.indent = True, False, outermost


def _faulty_row(text: str) -> int | None:
    """Return the row of the first error of syntax, from 1."""
    row: int | None = None
    for version in (text, getattr(rewrite(text), "text", None)):
        if version is None:
            break
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(version)
        except SyntaxError as error:
            row = row or error.lineno or 1
        except (ValueError, RecursionError, MemoryError):
            return row or 1
        else:
            return None
    return row


def _statement_at(code: Edited, parts: Sequence[Statement], made: Edited, row: int) -> Statement | None:
    """Return the statement that a row of the mended text comes from."""
    lines = made.text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: row - 1])
    offset += len(lines[min(row, len(lines)) - 1]) - len(lines[min(row, len(lines)) - 1].lstrip())
    origin = made.origins[min(offset, len(made.text))]
    return next((part for part in reversed(parts) if code.origins[part.start] <= origin), None)


class _Blocks:
    """The blocks that are open while statements are put into them.

    `indents` are their indentations as written, `last` the word of the latest header in each that another may follow.
    """

    def __init__(self, text: str, parts: Sequence[Statement], base: str) -> None:
        self.text, self.parts, self.base = text, parts, base
        self.indents: list[int] = []
        self.last: list[str] = []
        self.headers: list[str] = []  # the words of the headers above these blocks
        self.header = ""
        self.shifted: set[int] = set()  # indentations that are read as that of the innermost block
        self.closed: set[int] = set()  # those of blocks that ended in the innermost one
        self.imported = frozenset(_imported(text)) | CONVENTIONAL
        self.opens = False  # the statement before is a header
        self.lost_below: int | None = None  # the rest of this block and the blocks in it cannot be read

    def edits(self) -> Iterator[Edit]:
        for at, part in enumerate(self.parts):
            self._entered(part)
            self._resume(part, at)
            is_lost = self.lost_below is not None or part.is_lost or not self._fits(part, at)
            indent = self.base + _STEP * (len(self.indents) - 1)
            yield self.text.rfind("\n", 0, part.start) + 1, part.start, indent
            self.opens = False
            yield from self._put(part, at, indent, is_lost)

    def unclear(self) -> Iterator[int]:
        """Yield the numbers of the statements for which it is not clear which block they are in."""
        for at, part in enumerate(self.parts):
            is_clear = self._entered(part)
            if not is_clear or (part.word in ("return", "yield") and "def" not in self.headers):
                yield at
            self.opens = part.is_header and self._has_body(part, at)
            self.header = part.word

    # --- blocks ------------------------------------------------------------------------------------------------------

    def _entered(self, part: Statement) -> bool:
        """Enter the block that a statement is in; return whether it is clear which one that is."""
        if not self.indents or self.opens:
            self._open(part.indent)
            return True
        if part.indent in self.shifted:
            return True
        inner = self.indents[-1]
        while len(self.indents) > 1 and part.indent < self.indents[-1]:
            self._close()
        if part.indent < self.indents[-1]:  # the first line of the text was indented
            self.indents[-1] = part.indent
        if part.indent == self.indents[-1]:
            return True
        self.shifted.add(part.indent)
        is_near = part.indent - self.indents[-1] == 1
        return is_near or (inner == self.indents[-1] and part.indent not in self.closed)

    def _close(self) -> None:
        self.closed = {self.indents.pop()}
        self.last.pop()
        self.headers.pop()
        self.shifted = set()

    def _open(self, indent: int) -> None:
        self.indents.append(indent)
        self.last.append("")
        self.headers.append(self.header)
        self.shifted, self.closed = set(), set()

    def _resume(self, part: Statement, at: int) -> None:
        """End what cannot be read where a block ends, or with a definition that has a body."""
        if self.lost_below is None:
            return
        is_definition = part.word in ("def", "class") and part.is_header and self._has_body(part, at)
        if part.indent < self.lost_below or (is_definition and part.indent == self.lost_below):
            self.lost_below = None

    def _has_body(self, part: Statement, at: int) -> bool:
        return at + 1 < len(self.parts) and self.parts[at + 1].indent > part.indent

    def _is_elided(self, part: Statement, at: int) -> bool:
        """Return whether the body of a header is left out: only a comment is there, or nothing at all."""
        if at + 1 == len(self.parts):
            return True
        following = self.parts[at + 1]
        between = self.text[part.end : self.text.rfind("\n", 0, following.start) + 1].split("\n")[1:]
        comments = [line for line in between if line.strip().startswith("#")]
        return following.indent < part.indent or any(_indent(line) > part.indent for line in comments)

    def _fits(self, part: Statement, at: int) -> bool:
        """Return whether a statement may follow the one before it."""
        if part.word == "@":
            following = self.parts[at + 1] if at + 1 < len(self.parts) else None
            return following is not None and following.word in ("@", "def", "class") and not following.is_lost
        if part.word == "case" and part.is_header:
            return len(self.last) > 1 and self.last[-2] == "match"
        if part.word == "return" and "def" not in self.headers:
            return False
        return part.word not in _BEFORE or part.word == "case" or self.last[-1] in _BEFORE[part.word]

    def _is_handled(self, part: Statement, at: int) -> bool:
        """Return whether handlers follow a `try`."""
        after = (each for each in self.parts[at + 1 :] if each.indent <= part.indent)
        following = next(after, None)
        return following is not None and following.indent == part.indent and following.word in ("except", "finally")

    # --- statements --------------------------------------------------------------------------------------------------

    def _put(self, part: Statement, at: int, indent: str, is_lost: bool) -> Iterator[Edit]:
        """Yield the edits of one statement."""
        has_body = self._has_body(part, at)
        is_header = (part.is_header or (is_lost and has_body)) and self.lost_below is None
        code = self.text[part.start : part.end]
        self.last[-1] = "" if is_lost else part.word
        if not is_header:
            yield from [(part.start, part.end, self._replacement(code, indent))] if is_lost else part.repairs
            return
        if not has_body:
            yield from self._without_body(part, at, indent, is_lost)
            return
        self.opens, self.header = True, part.word
        if is_lost:
            yield part.start, part.end, self._replacement(code, indent, is_header=True)
        elif part.word == "try" and not self._is_handled(part, at):
            yield part.start, part.end, "if 1:"
        else:
            yield from part.repairs

    def _without_body(self, part: Statement, at: int, indent: str, is_lost: bool) -> Iterator[Edit]:
        """Yield the edits of a header without a body. If it is not left out, it may be what follows: that is lost."""
        code = self.text[part.start : part.end]
        if not self._is_elided(part, at):
            self.lost_below = part.indent
        if is_lost or part.word in ("def", "class", "try", "match", "case"):
            self.last[-1] = ""
            yield part.start, part.end, self._replacement(code, indent)
            return
        yield from part.repairs
        yield part.end, part.end, f"\n{indent}{_STEP}{LOST}()"

    def _replacement(self, code: str, indent: str, *, is_header: bool = False) -> str:
        if self.headers[-1] != "match":
            return replacement(code, indent, self.imported, is_header=is_header, jumps=list(self._jumps()))
        case = f"case _ if {LOST}():"
        return case if is_header else f"{case}\n{indent}{_STEP}{LOST}()"

    def _jumps(self) -> Iterator[str]:
        """Yield the statements that leave the blocks around."""
        inner = next((word for word in reversed(self.headers) if word in ("def", "class", "for", "while")), "")
        if "def" in self.headers:
            yield "return"
        if inner in ("for", "while"):
            yield from ("break", "continue")


def _imported(text: str) -> Iterator[str]:
    """Yield the names that lines of a text import."""
    for found in _IMPORT.finditer(text):
        for name in re.split(r"[,\s]+", re.sub(r"[\w.]+\s+as\s+", "", found[1].split("#")[0])):
            yield name.strip("()").split(".")[0]


def _indent(line: str) -> int:
    return len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())
