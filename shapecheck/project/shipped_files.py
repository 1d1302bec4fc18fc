"""The files of a project on a machine that does not have them: answers that were given where the project is.

An analysis that asks something else ends with Unanswered; it begins again when the answer has been sent.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.recorded_files import CONTENT, Query, RecordedFiles
from shapecheck.source import Source

REAL = "real"
"""The kind of a query for a path with links resolved, which only is one here."""


class Unanswered(BaseException):
    """A query whose answer was not sent."""

    def __init__(self, question: Query) -> None:
        super().__init__(question)
        self.question = question


class Entry(NamedTuple):
    """What a name in a folder stands for: the kinds of queries that are true of it, and whether it is a link."""

    kinds: tuple[str, ...]
    is_link: bool


@dataclass(frozen=True, slots=True)
class Answers:
    """What was looked up where the project is: texts by path, contents, and by absolute path the names in folders and
    paths with links resolved."""

    sources: Mapping[str, Source | None] = field(default_factory=dict)
    contents: Mapping[Query, bytes | None] = field(default_factory=dict)
    folders: Mapping[str, Mapping[str, Entry]] = field(default_factory=dict)
    real: Mapping[str, str] = field(default_factory=dict)


class ShippedFiles(RecordedFiles):
    """Files that answer from what was sent; `current` is the current folder where the project is."""

    def __init__(self, sources: Iterable[Source], current: str) -> None:
        super().__init__(sources)
        self.current = current
        self._sent = Answers({}, {}, {}, {})
        self._taken = 0

    def take(self, answers: list[Answers]) -> None:
        """Answer from these, too: a list that only grows."""
        for each in answers[self._taken :]:
            for known, new in zip(_parts(self._sent), _parts(each), strict=True):
                known.update(new)
        self._taken = max(self._taken, len(answers))

    def look_for(self, question: Query) -> bool:
        path = str(self.absolute(Path(question.path)))
        if question.kind == "python":
            return any(name.endswith(".py") for name in self._names(path, question))
        entry = self._names(os.path.dirname(path), question).get(os.path.basename(path))
        return entry is not None and question.kind in entry.kinds

    def look_for_real(self, path: str) -> str:
        absolute = str(self.absolute(Path(path)))
        if absolute in self._sent.real:
            return self._sent.real[absolute]
        folder, name = os.path.split(absolute)
        entry = self._names(folder, Query(REAL, path)).get(name)
        if folder == absolute or (entry is not None and entry.is_link):
            raise Unanswered(Query(REAL, path))
        return os.path.join(self.real(Path(folder)), name)

    def look_into(self, question: Query) -> bytes | None:
        if question not in self._sent.contents:
            raise Unanswered(question)
        return self._sent.contents[question]

    def look_up_source(self, path: str) -> Source | None:
        if path not in self._sent.sources and self.look_for(Query("file", path)):
            raise Unanswered(Query("text", path))
        return self._sent.sources.get(path)

    def _names(self, folder: str, question: Query) -> Mapping[str, Entry]:
        if folder not in self._sent.folders:
            raise Unanswered(question)
        return self._sent.folders[folder]


def _parts(answers: Answers) -> tuple[dict[object, object], ...]:
    return answers.sources, answers.contents, answers.folders, answers.real  # type: ignore[return-value]


def answers_ahead(parsed: ParsedFiles, sources: Iterable[Source]) -> Answers:
    """Return what analyses of these files will ask: the files that they import, and what lies beside all of them."""
    todo, found = list(sources), dict[str, Source | None]()
    folders: dict[str, Mapping[str, Entry]] = {}
    real: dict[str, str] = {}
    while todo:
        source = todo.pop()
        folder = str(parsed.files.absolute(Path(source.filename).parent))
        if folder not in folders:
            folders[folder], real[folder] = _names(folder), os.path.realpath(folder)
        for path in map(str, parsed.imported_files(source)):
            if path not in found:
                found[path] = imported = parsed.files.source(Path(path))
                todo += [] if imported is None else [imported]
    return Answers(sources=found, folders=folders, real=real)


def answers_to(parsed: ParsedFiles, question: Query) -> Answers:
    """Return the answer to a query, and those to others that are likely to follow."""
    kind, path = question
    absolute = str(parsed.files.absolute(Path(path)))
    if kind in CONTENT:
        return Answers(contents={question: parsed.files.look_into(question)})
    if kind == "text":
        source = parsed.files.source(Path(path))
        ahead = Answers() if source is None else answers_ahead(parsed, [source])
        return Answers(sources={**ahead.sources, path: source}, folders=ahead.folders, real=ahead.real)
    folder = absolute if kind == "python" else os.path.dirname(absolute)
    names, real = {folder: _names(folder)}, {folder: os.path.realpath(folder)}
    return Answers(folders=names, real=real | ({absolute: os.path.realpath(absolute)} if kind == REAL else {}))


def _names(folder: str) -> dict[str, Entry]:
    """Return the names in a folder, with what they stand for; none if it cannot be read."""
    found = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                is_there = not entry.is_symlink() or os.path.exists(entry.path)
                kinds = [("file", entry.is_file()), ("folder", entry.is_dir()), ("there", is_there)]
                found[entry.name] = Entry(tuple(kind for kind, is_true in kinds if is_true), entry.is_symlink())
    except OSError:
        return {}
    return found
