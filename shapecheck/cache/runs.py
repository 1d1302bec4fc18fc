"""Cache of what whole runs printed, each with everything that it depends on; while nothing has changed, it is printed
again.

This is read before anything else is imported, so it imports next to nothing itself.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time

from shapecheck.cache.store import Store, default_folder
from shapecheck.project.file_queries import CONTENT_QUERIES, PATH_QUERIES, content_digest, digest, file_stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from shapecheck.project.file_queries import FileStamp

_KIND = "runs"
_MOST = 200  # calls that are kept: a hook that names the changed files makes another one each time
_SECOND = 1_000_000_000
_FINE_TICK, _COARSE_TICK = 50_000_000, 2 * _SECOND
"""The nanoseconds within which two changes of a file may get the same time: some systems know seconds only."""

Answers = dict[str, dict[str, dict[str, object]]]
"""Answers by kind of query, folder and name."""


class NotWritten(Exception):
    """An output file that cannot be written; the message is one line for the user."""


class Output:
    """The exit status of a run and what it writes: to a file, if one is named, and to the streams "out" and "err"."""

    def __init__(self, status: int, parts: Sequence[tuple[str, str]], file: str | None = None, text: str = "") -> None:
        self.status, self.parts, self.file, self.text = status, parts, file, text

    def show(self) -> None:
        """Write everything; raise NotWritten, before anything is written, if the file cannot be written."""
        if self.file is not None:
            try:
                with open(self.file, "w", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(self.text)
            except OSError as error:
                raise NotWritten(f"{self.file}: {error.strerror}") from None
        for stream, text in self.parts:
            if text:
                print(text, end="", file=sys.stdout if stream == "out" else sys.stderr, flush=True)


class Invocation:
    """One call of the command: its arguments and the time when it began."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments, self._began = tuple(arguments), time.time_ns()

    def cached_output(self) -> Output | None:
        """Return what the last call with these arguments printed, if all that it depends on is unchanged."""
        try:
            folder = _folder(self.arguments)
            data = Store(folder).get(_KIND, _key(self.arguments))
            if data is None:
                return None
            entry = json.loads(data)
            dependencies, printed = list(_flatten(entry["dependencies"])), Output(**entry["printed"])
            changed = [each for each in dependencies if not _is_untouched(*each)]
            if not all(_is_same(*each) for each in changed):
                return None
            if changed:
                self.store(
                    folder, {(kind, path): _without_stamp(kind, answer) for kind, path, answer in dependencies}, printed
                )
        except (OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError):
            return None
        return printed

    def store(
        self, folder: str | PathLike[str], dependencies: Mapping[tuple[str, str], object], printed: Output
    ) -> None:
        """Store the output with the answers that it depends on, unless a file has changed since the call began. An
        answer about a content is given here as a bool: whether the file could be read."""
        answers: Answers = {}
        for (kind, path), answer in dependencies.items():
            if kind in CONTENT_QUERIES:
                now = file_stamp(path)
                if _may_have_changed(now, self._began) if now is not None else answer:
                    return
                answer = now if now is None or _is_settled(now, self._began) else None, content_digest(kind, path)
            place, name = os.path.split(path)
            answers.setdefault(kind, {}).setdefault(place, {})[name] = answer
        entry = {"dependencies": answers, "printed": vars(printed)}
        store = Store(folder)
        store.put(_KIND, _key(self.arguments), json.dumps(entry, separators=(",", ":")).encode())
        store.prune(_KIND, _MOST)


def _flatten(answers: Answers) -> Iterator[tuple[str, str, Any]]:
    for kind, places in answers.items():
        for place, names in places.items():
            for name, answer in names.items():
                yield kind, os.path.join(place, name), answer


def _without_stamp(kind: str, answer: Any) -> object:
    return answer[1] is not None if kind in CONTENT_QUERIES else answer


def _is_untouched(kind: str, path: str, answer: Any) -> bool:
    """Return whether an answer still holds, judging by the stamp of a file rather than by its contents."""
    if kind in PATH_QUERIES:
        return bool(PATH_QUERIES[kind](path) == answer)
    known, held = answer
    return bool(file_stamp(path) == known and (known or not held))


def _is_same(kind: str, path: str, answer: Any) -> bool:
    return kind in CONTENT_QUERIES and content_digest(kind, path) == answer[1]


def _may_have_changed(stamp: FileStamp, began: int) -> bool:
    """Return whether a file may have changed after a time."""
    changed = max(stamp[:2])
    return changed >= began or (changed % _SECOND == 0 and changed + _COARSE_TICK >= began)


def _is_settled(stamp: FileStamp, began: int) -> bool:
    """Return whether a change after a time certainly changes the stamp that a file had then."""
    return max(stamp[:2]) + _FINE_TICK < began


def _key(arguments: Sequence[str]) -> str:
    """Return a key that differs for runs that may print something else; the store distinguishes editions of the
    code."""
    colours = [os.environ.get(name) for name in ("NO_COLOR", "FORCE_COLOR", "TERM")]
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    where = [os.getcwd(), columns, (sys.stdout.encoding or "").lower()]
    return digest(json.dumps([arguments, colours, where]).encode())


def _folder(arguments: Sequence[str]) -> str:
    """Return the folder of the store, taken from arguments that are not parsed yet."""
    option = "--cache-dir"
    for at, word in enumerate(arguments):
        if word == option and at + 1 < len(arguments):
            return arguments[at + 1]
        if word.startswith(f"{option}="):
            return word[len(option) + 1 :]
    return default_folder()
