"""A file whose text is edited: its encoding, byte-order mark and line ends stay the same."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Sequence
from pathlib import Path

_LINE_END = re.compile(r"(\r\n|\r|\n)")


class TextFile:
    """The lines of a Python file; raises OSError, SyntaxError or ValueError if it is not one."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self._path = path
        self._encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        parts = _LINE_END.split(data.decode(self._encoding))
        self.lines, self._ends = parts[::2], [*parts[1::2], ""]

    @property
    def text(self) -> str:
        """Return the text with `\\n` line ends."""
        return "\n".join(self.lines)

    def write(self, lines: Sequence[str]) -> None:
        """Write other lines; raises ValueError if their number differs and the line ends are mixed."""
        ends = self._ends
        if len(lines) != len(ends):
            if len({*ends[:-1]}) > 1:
                raise ValueError("its lines end in several ways")
            ends = [*ends[:1] * (len(lines) - 1), ""]
        text = "".join(line + end for line, end in zip(lines, ends, strict=True))
        self._path.write_bytes(text.encode(self._encoding))
