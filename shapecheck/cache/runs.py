"""What whole runs printed, beside everything that they looked at: while nothing has changed, it is printed again.

This is read before anything else is imported, so it imports next to nothing itself.
"""

from __future__ import annotations

import json
import os
import sys
import time

from shapecheck.cache.store import Store, default_folder
from shapecheck.project.file_queries import ABOUT_CONTENT, ABOUT_PATHS, content, digest, mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from shapecheck.project.file_queries import Mark

_KIND = "runs"
_MOST = 200  # calls that are kept: a hook that names the changed files makes another one each time
_SECOND = 1_000_000_000
_FINE_TICK, _COARSE_TICK = 50_000_000, 2 * _SECOND
"""The nanoseconds within which two changes of a file may bear the same time: some systems know seconds only."""

Answers = dict[str, dict[str, dict[str, object]]]
"""By kind of question, folder and name."""


class NotWritten(Exception):
    """A file that was asked for cannot be written; the message is one line for the user."""


class Printed:
    """What a run writes to a file, if it was asked to, and to the two streams, "out" and "err"; its exit status."""

    def __init__(self, status: int, parts: Sequence[tuple[str, str]], file: str | None = None, text: str = "") -> None:
        self.status, self.parts, self.file, self.text = status, parts, file, text

    def show(self) -> None:
        """Writes it all; raises NotWritten, before anything is written, where the file cannot be."""
        if self.file is not None:
            try:
                with open(self.file, "w", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(self.text)
            except OSError as error:
                raise NotWritten(f"{self.file}: {error.strerror}") from None
        for stream, text in self.parts:
            if text:
                print(text, end="", file=sys.stdout if stream == "out" else sys.stderr, flush=True)


class Call:
    """One call of the command, known by its arguments and by when it began."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments, self._began = tuple(arguments), time.time_ns()

    def printed_before(self) -> Printed | None:
        """What the last call with these arguments printed, if all that it looked at is as it was."""
        try:
            folder = _folder(self.arguments)
            data = Store(folder).get(_KIND, _key(self.arguments))
            if data is None:
                return None
            told = json.loads(data)
            asked, printed = list(_asked(told["asked"])), Printed(**told["printed"])
            changed = [each for each in asked if not _is_untouched(*each)]
            if not all(_is_same(*each) for each in changed):
                return None
            if changed:
                self.keep(folder, {(kind, path): _given(kind, answer) for kind, path, answer in asked}, printed)
        except (OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError):
            return None
        return printed

    def keep(self, folder: str | PathLike[str], asked: Mapping[tuple[str, str], object], printed: Printed) -> None:
        """Keeps what was printed beside the answers that it depends on, unless what was read has changed since the call
        began; the answer about a content that is given here is whether there was any."""
        answers: Answers = {}
        for (kind, path), answer in asked.items():
            if kind in ABOUT_CONTENT:
                now = mark(path)
                if _may_have_changed(now, self._began) if now is not None else answer:
                    return
                answer = now if now is None or _is_settled(now, self._began) else None, content(kind, path)
            place, name = os.path.split(path)
            answers.setdefault(kind, {}).setdefault(place, {})[name] = answer
        entry = {"asked": answers, "printed": vars(printed)}
        store = Store(folder)
        store.put(_KIND, _key(self.arguments), json.dumps(entry, separators=(",", ":")).encode())
        store.prune(_KIND, _MOST)


def _asked(answers: Answers) -> Iterator[tuple[str, str, Any]]:
    for kind, places in answers.items():
        for place, names in places.items():
            for name, answer in names.items():
                yield kind, os.path.join(place, name), answer


def _given(kind: str, answer: Any) -> object:
    return answer[1] is not None if kind in ABOUT_CONTENT else answer


def _is_untouched(kind: str, path: str, answer: Any) -> bool:
    """Whether an answer still holds, told from the mark of a file rather than from what it holds."""
    if kind in ABOUT_PATHS:
        return bool(ABOUT_PATHS[kind](path) == answer)
    known, held = answer
    return bool(mark(path) == known and (known or not held))


def _is_same(kind: str, path: str, answer: Any) -> bool:
    return kind in ABOUT_CONTENT and content(kind, path) == answer[1]


def _may_have_changed(mark: Mark, began: int) -> bool:
    """Whether a file may have changed after a time."""
    changed = max(mark[:2])
    return changed >= began or (changed % _SECOND == 0 and changed + _COARSE_TICK >= began)


def _is_settled(mark: Mark, began: int) -> bool:
    """Whether a change after a time gives another mark than the one that a file had then."""
    return max(mark[:2]) + _FINE_TICK < began


def _key(arguments: Sequence[str]) -> str:
    """Tells apart runs that may print something else: the edition of the code is that of the store."""
    colours = [os.environ.get(name) for name in ("NO_COLOR", "FORCE_COLOR", "TERM")]
    where = [os.getcwd(), sys.stdout.isatty(), (sys.stdout.encoding or "").lower()]
    return digest(json.dumps([arguments, colours, where]).encode())


def _folder(arguments: Sequence[str]) -> str:
    """The folder of the store, taken from arguments that nobody has looked at yet."""
    option = "--cache-dir"
    for at, word in enumerate(arguments):
        if word == option and at + 1 < len(arguments):
            return arguments[at + 1]
        if word.startswith(f"{option}="):
            return word[len(option) + 1 :]
    return default_folder()
