"""A file whose text is changed: its encoding, its byte-order mark and its line ends stay as they are."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Sequence
from pathlib import Path

_LINE_END = re.compile(r"(\r\n|\r|\n)")


class TextFile:
    """The lines of a Python file; raises OSError, SyntaxError or ValueError where it is none."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self._path = path
        self._encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        parts = _LINE_END.split(data.decode(self._encoding))
        self.lines, self._ends = parts[::2], [*parts[1::2], ""]

    @property
    def text(self) -> str:
        """The text with `\\n` line ends."""
        return "\n".join(self.lines)

    def write(self, lines: Sequence[str]) -> None:
        """Writes other lines; raises ValueError for more or fewer of them where it does not tell how lines end."""
        ends = self._ends
        if len(lines) != len(ends):
            if len({*ends[:-1]}) > 1:
                raise ValueError("its lines end in several ways")
            ends = [*ends[:1] * (len(lines) - 1), ""]
        text = "".join(line + end for line, end in zip(lines, ends, strict=True))
        self._path.write_bytes(text.encode(self._encoding))
