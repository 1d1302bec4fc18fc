"""Call paths: the places in the program's own files from which the present function was called.

A path is known by the positions in the code of the frames, which cost little to read; lines are computed when a path is
new.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import islice
from types import FrameType
from typing import Final

MOST_SITES: Final = 16
MOST_FRAMES: Final = 100
_PART: Final = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))
_LAZY: Final = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

Key = tuple[int, ...]
Tell = Callable[..., None]
Ends = Callable[[int, int], int]


class CallPaths:
    """Numbers call paths.

    `own` are the program's files by the names that their code has: the absolute name, and the function from a row and a
    column, in bytes, to an offset in the original text.
    """

    def __init__(self, tell: Tell) -> None:
        self.own: dict[str, tuple[str, Ends | None]] = {}
        self._tell = tell
        self._numbers: dict[Key, int] = {}

    def number(self, frame: FrameType) -> int:
        """Return the number of the path to a frame; a new one is told."""
        callers: list[FrameType] = []
        key, is_whole, certain = self._walk(frame, callers)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._numbers)
            self._tell("path", found, list(map(self._site, callers)), certain, is_whole)
        return found

    def _site(self, frame: FrameType) -> tuple[str, int, int]:
        """Return the file, the line and the end of the call in a frame; -1 for an unknown end."""
        filename, offset = self.own[frame.f_code.co_filename]
        positions = getattr(frame.f_code, "co_positions", None)  # since Python 3.11
        if offset is None or positions is None:
            return filename, frame.f_lineno, -1
        _, row, _, column = next(islice(positions(), frame.f_lasti // 2, None))
        return filename, frame.f_lineno, -1 if row is None or column is None else offset(row, column)

    def _walk(self, frame: FrameType, callers: list[FrameType]) -> tuple[Key, bool, int | None]:
        """Collect the frames with call sites, from the inside out.

        Returns the key of the path, whether a function outside the program called its outermost function, and how many
        of the innermost sites are calls by the program itself, as opposed to calls by a library or a generator's
        consumer; None if all are. A comprehension and the body of a class belong to the frame around them.
        """
        own = self.own
        certain: int | None = None
        code = frame.f_code
        is_gap = code.co_filename not in own
        is_part = is_gap or _is_part(code.co_flags, code.co_name)
        is_lazy = code.co_flags & _LAZY
        key: list[int] = []
        at: FrameType | None = frame
        for _ in range(MOST_FRAMES):
            if code.co_name == "<module>" and not is_gap:
                return (*key, -1 if certain is None else certain), False, certain
            at = at.f_back if at is not None else None
            if at is None:
                break
            code = at.f_code
            if code.co_filename not in own:
                is_gap = True
                continue
            if certain is None and (is_gap or is_lazy):
                certain = len(callers)
            if not is_part:
                if len(callers) == MOST_SITES:
                    return (*key, -2), False, certain
                callers.append(at)
                key += (id(code), at.f_lasti)
            is_gap, is_lazy = False, code.co_flags & _LAZY
            is_part = _is_part(code.co_flags, code.co_name)
        return (*key, -3 if certain is None else -4 - certain), at is None, certain


def _is_part(flags: int, name: str) -> bool:
    return not flags & inspect.CO_OPTIMIZED or name in _PART
