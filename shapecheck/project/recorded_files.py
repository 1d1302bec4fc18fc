"""File-system queries of a project, each answered once and recorded, since findings depend on the answers.

It knows paths and texts, and nothing of syntax.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import NamedTuple, TypeVar

from shapecheck.project.file_queries import CONTENT_QUERIES, PATH_QUERIES, digest
from shapecheck.source import Source, UnreadableSource, read

T = TypeVar("T")
Answer = bool | str | None
CONTENT = ("head", "facts", "listing")
"""Queries about the content of a file or folder other than the text of a source."""


class Query(NamedTuple):
    """One query about a path; `kind` is "file", "folder", "there", "python" (a folder with such files), "text", "head"
    (the beginning of a file of any kind), "facts" (what the header of a file with data says), or "listing" (what is in
    a folder)."""

    kind: str
    path: str


class RecordedFiles:
    """Answers queries about the file system consistently, and records those made since `queries` was last emptied.

    `current` is the current folder. Where the files are elsewhere, a subclass overrides the methods that look.
    """

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self.sources: dict[str, Source | None] = {str(Path(source.filename)): source for source in sources}
        self.queries: set[Query] = set()
        self.current = os.getcwd()
        self._answers: dict[Query, bool] = {}
        self._real: dict[str, str] = {}
        self._memo: dict[Hashable, tuple[object, frozenset[Query]]] = {}
        self._digests: dict[str, str | None] = {}
        self._contents: dict[Query, bytes | None] = {}

    def with_changed(self, source: Source) -> RecordedFiles:
        """Return these files with another text of one of them; what they are asked is not recorded here."""
        changed = copy(self)
        changed.sources = {**self.sources, str(Path(source.filename)): source}
        changed.queries = set()
        return changed

    def is_same(self, question: Query, source: Source) -> bool:
        """Return whether a query is about the text of a source."""
        return self.sources.get(question.path) is source

    def is_file(self, path: Path) -> bool:
        return self._ask(Query("file", str(path)))

    def is_folder(self, path: Path) -> bool:
        return self._ask(Query("folder", str(path)))

    def is_there(self, path: Path) -> bool:
        return self._ask(Query("there", str(path)))

    def has_python(self, folder: Path) -> bool:
        """Return whether a folder holds a Python file."""
        return self._ask(Query("python", str(folder)))

    def real(self, path: Path) -> str:
        """Return the path with links resolved."""
        text = str(path)
        known = self._real.get(text)
        if known is None:
            known = self._real[text] = self.look_for_real(text)
        return known

    def absolute(self, path: Path) -> Path:
        """Return the absolute path, whether there is anything or not."""
        return Path(os.path.normpath(os.path.join(self.current, path)))

    def source(self, path: Path) -> Source | None:
        """Return the text of a file, if it can be read."""
        self.queries.add(Query("text", str(path)))
        return self._source(str(path))

    def head(self, path: Path) -> bytes | None:
        """Return the beginning of a file of any kind; None for a link, or what cannot be read."""
        return self._content(Query("head", str(path)))

    def facts(self, path: Path) -> bytes | None:
        """Return what the header of a file with data, or a folder, says, as JSON; None for a link, or where it says
        nothing."""
        told = self._content(Query("facts", str(path)))
        return None if told == b"null" else told

    def contents(self, folder: Path) -> tuple[list[str], list[str]]:
        """Return the names of the folders, and of the Python files, in a folder, without links and hidden ones."""
        told = self._content(Query("listing", str(folder))) or b""
        entries = [each.split(" ", 2) for each in told.decode("utf-8", "surrogatepass").split("/") if each]
        own = [(name, is_folder) for is_folder, is_link, name in entries if is_link == "False" and name[0] != "."]
        names = [name for name, is_folder in own if is_folder == "True" and name != "__pycache__"]
        return names, [name for name, is_folder in own if is_folder == "False" and name.endswith(".py")]

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` returned the first time; its queries are recorded for every caller."""
        found = self._memo.get(key)
        if found is None:
            outer, self.queries = self.queries, set()
            try:
                value = make()
            finally:
                inner, self.queries = self.queries, outer
            found = self._memo[key] = value, frozenset(inner)
        self.queries |= found[1]
        return found[0]  # type: ignore[return-value]

    def answer(self, question: Query) -> Answer:
        """Return the answer in a form that can be stored and compared: for a content, its digest."""
        if question.kind in CONTENT:
            found = self._content_of(question)
            return None if found is None else digest(found)
        if question.kind != "text":
            return self._answer(question)
        if question.path not in self._digests:
            source = self._source(question.path)
            self._digests[question.path] = None if source is None else text_digest(source.text)
        return self._digests[question.path]

    def queries_with_answers(self) -> Mapping[Query, Answer]:
        """Return the queries made since `queries` was last emptied, with their answers."""
        return {question: self.answer(question) for question in self.queries}

    def all_answers(self) -> Iterator[tuple[Query, Answer]]:
        """Yield every query that was ever made with its answer; for a content, whether it can be read."""
        yield from self._answers.items()
        for path, source in self.sources.items():
            yield Query("text", path), source is not None
        for question, content in self._contents.items():
            yield question, content is not None

    def _ask(self, question: Query) -> bool:
        self.queries.add(question)
        return self._answer(question)

    def _answer(self, question: Query) -> bool:
        known = self._answers.get(question)
        if known is None:
            known = self._answers[question] = self.look_for(question)
        return known

    def _content(self, question: Query) -> bytes | None:
        self.queries.add(question)
        return self._content_of(question)

    def _content_of(self, question: Query) -> bytes | None:
        if question not in self._contents:
            self._contents[question] = self.look_into(question)
        return self._contents[question]

    def _source(self, path: str) -> Source | None:
        if path not in self.sources:
            self.sources[path] = self.look_up_source(path)
        return self.sources[path]

    # --- the file system -------------------------------------------------------------------------------------------

    def look_for(self, question: Query) -> bool:
        """Return the answer to a question of yes or no."""
        return PATH_QUERIES[question.kind](question.path)

    def look_for_real(self, path: str) -> str:
        """Return a path with links resolved."""
        return os.path.realpath(path)

    def look_into(self, question: Query) -> bytes | None:
        """Return the content that is asked for, None if it cannot be read."""
        try:
            return CONTENT_QUERIES[question.kind](question.path)
        except (OSError, ValueError):
            return None

    def look_up_source(self, path: str) -> Source | None:
        """Return the text of a file, None if it cannot be read."""
        try:
            return read(Path(path))
        except UnreadableSource:
            return None


def text_digest(text: str) -> str:
    """Return a digest of a text."""
    return digest(text.encode("utf-8", "surrogatepass"))


def parse_key(source: Source) -> str:
    """Return a key that differs for texts that parse differently."""
    return text_digest(f"{'cells' if source.cells else 'file'} {source.code}")
