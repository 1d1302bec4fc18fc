"""Source files: their text as Python reads it, and places in them.

It knows nothing of syntax.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path

from shapecheck.plain_data import dataclass


class UnreadableSource(Exception):
    """A file that cannot be read as Python text; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a notebook: its number among all cells, from 1, its rows in the source, and whether it is marked as one
    that may raise."""

    number: int
    first_row: int
    last_row: int
    may_raise: bool = False


@dataclass(frozen=True)
class Source:
    """A file's name (as the user gave it) and text, with `\\n` line ends and no byte-order mark.

    The text of a notebook is that of its `cells`; `masked` is the same text with what is not Python blanked out, and
    `python` the version of Python that ran it last. What is before the offset `begin` has run already.
    """

    filename: str
    text: str = field(repr=False)
    cells: tuple[Cell, ...] = field(default=(), repr=False, compare=False)
    masked: str | None = field(default=None, repr=False, compare=False)
    python: str = field(default="", repr=False, compare=False)
    begin: int = field(default=0, repr=False, compare=False)

    @property
    def code(self) -> str:
        """Return the text for the parser, which has the same length."""
        return self.text if self.masked is None else self.masked

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    @cached_property
    def mentioned(self) -> dict[re.Pattern[str], bool]:
        """The patterns that the whole text was searched for, with the answers."""
        return {}

    def mentions(self, pattern: re.Pattern[str]) -> bool:
        """Return whether a pattern matches anywhere in the text."""
        known = self.mentioned.get(pattern)
        if known is None:
            known = self.mentioned[pattern] = pattern.search(self.text) is not None
        return known

    def position(self, offset: int) -> tuple[int, int]:
        """Return row and column of a character, both counted from 1."""
        row = bisect_right(self.line_starts, offset)
        return row, offset - self.line_starts[row - 1] + 1

    def edited(self, edits: Iterable[tuple[int, int, str]]) -> Source:
        """Return the source after replacements, each from one offset up to another, which do not overlap."""
        changes = list(edits)
        cells = tuple(self._moved(cell, changes) for cell in self.cells)
        masked = None if self.masked is None else replaced(self.masked, changes)
        return Source(self.filename, replaced(self.text, changes), cells, masked, self.python)

    def _moved(self, cell: Cell, edits: Iterable[tuple[int, int, str]]) -> Cell:
        """Return a cell with its rows after replacements."""
        first, last = cell.first_row, cell.last_row
        for start, end, text in edits:
            added = text.count("\n") - self.text.count("\n", start, end)
            row = self.position(start)[0]
            first += added if row < cell.first_row else 0
            last += added if row <= cell.last_row else 0
        return replace(cell, first_row=first, last_row=last)

    def cell(self, row: int) -> Cell | None:
        """Return the cell that a row of a notebook lies in."""
        index = bisect_right(self.cells, row, key=lambda cell: cell.first_row) - 1
        return self.cells[index] if index >= 0 else None

    def extent(self, cell: Cell) -> tuple[int, int]:
        """Return the offsets of the start and end of a cell."""
        return self.line_starts[cell.first_row - 1], self.line_starts[cell.last_row] - 1

    def line(self, row: int) -> str:
        """Return the text of a row (from 1), without its line end."""
        start = self.line_starts[row - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


def replaced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return the text after replacements, each from one offset up to another, which do not overlap."""
    for start, end, instead in sorted(edits, reverse=True):
        text = f"{text[:start]}{instead}{text[end:]}"
    return text


@dataclass(frozen=True, slots=True)
class Place:
    """A range of one source, in character offsets; rows are counted in the file, or in the cell of a notebook."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def filename(self) -> str:
        return self.source.filename

    @property
    def cell(self) -> int | None:
        """Return the number of the cell of a notebook."""
        cell = self._cell
        return None if cell is None else cell.number

    @property
    def row(self) -> int:
        return self.source.position(self.start)[0] - self._rows_above

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def end_row(self) -> int:
        return self.source.position(self.end)[0] - self._rows_above

    @property
    def end_column(self) -> int:
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def where(self) -> str:
        """Return the file, and the cell if there is one, as they are written before a row."""
        return f"{self.filename}:cell {self.cell}" if self.cell else self.filename

    @property
    def may_raise(self) -> bool:
        """Return whether it is in a cell that is marked as one that may raise."""
        cell = self._cell
        return cell is not None and cell.may_raise

    @property
    def _cell(self) -> Cell | None:
        return self.source.cell(self.source.position(self.start)[0]) if self.source.cells else None

    @property
    def _rows_above(self) -> int:
        cell = self._cell
        return 0 if cell is None else cell.first_row - 1

    def line(self, row: int) -> str:
        """Return the text of a row, counted as the rows of the place."""
        return self.source.line(row + self._rows_above)

    def __str__(self) -> str:
        return f"{self.where}:{self.row}"


def decode(data: bytes, filename: str) -> Source:
    """Decode bytes by byte-order mark or PEP 263 comment, UTF-8 otherwise; raises UnreadableSource."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise UnreadableSource(f"{filename}: cannot decode: {reason}") from None
    return Source(filename, text.replace("\r\n", "\n").replace("\r", "\n"))


def read(path: Path, filename: str | None = None) -> Source:
    """Read a file as Python text; raises UnreadableSource."""
    name = filename or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableSource(f"{name}: {error.strerror or error}") from None
    return decode(data, name)
