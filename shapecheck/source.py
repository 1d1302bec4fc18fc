"""Source files: their text as Python reads it, and places in them.

It knows nothing of syntax.
"""

from __future__ import annotations

import io
import tokenize
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path


class UnreadableSource(Exception):
    """A file that cannot be read as Python text; the message is one line for the user."""


@dataclass(frozen=True)
class Source:
    """A file's name (as the user gave it) and text, with `\\n` line ends and no byte-order mark."""

    filename: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Row and column of a character, both counted from 1."""
        row = bisect_right(self.line_starts, offset)
        return row, offset - self.line_starts[row - 1] + 1

    def line(self, row: int) -> str:
        """The text of a row (from 1), without its line end."""
        start = self.line_starts[row - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of one source, in character offsets."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def filename(self) -> str:
        return self.source.filename

    @property
    def row(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def end_row(self) -> int:
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        return f"{self.filename}:{self.row}"


def decode(data: bytes, filename: str) -> Source:
    """Decodes bytes by byte-order mark or PEP 263 comment, UTF-8 otherwise; raises UnreadableSource."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise UnreadableSource(f"{filename}: cannot decode: {reason}") from None
    return Source(filename, text.replace("\r\n", "\n").replace("\r", "\n"))


def read(path: Path, filename: str | None = None) -> Source:
    """Reads a file as Python text; raises UnreadableSource."""
    name = filename or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableSource(f"{name}: {error.strerror or error}") from None
    return decode(data, name)
