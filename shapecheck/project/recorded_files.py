"""What a project asks of the file system: each question once, and kept, since findings depend on the answers.

It knows paths and texts, and nothing of what is in them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from shapecheck.project.file_queries import ABOUT_PATHS, digest
from shapecheck.source import Source, UnreadableSource, read

T = TypeVar("T")
Answer = bool | str | None


class Question(NamedTuple):
    """One question about a path; `kind` is "file", "folder", "there", "python" (a folder with such files) or "text"."""

    kind: str
    path: str


class RecordedFiles:
    """Answers questions about the file system, always the same way, and knows which were asked since `asked` was
    last emptied."""

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self.sources: dict[str, Source | None] = {str(Path(source.filename)): source for source in sources}
        self.asked: set[Question] = set()
        self._answers: dict[Question, bool] = {}
        self._real: dict[str, str] = {}
        self._memo: dict[Hashable, tuple[object, frozenset[Question]]] = {}
        self._digests: dict[str, str | None] = {}

    def is_file(self, path: Path) -> bool:
        return self._ask(Question("file", str(path)))

    def is_folder(self, path: Path) -> bool:
        return self._ask(Question("folder", str(path)))

    def is_there(self, path: Path) -> bool:
        return self._ask(Question("there", str(path)))

    def has_python(self, folder: Path) -> bool:
        """Whether a folder holds a Python file."""
        return self._ask(Question("python", str(folder)))

    def real(self, path: Path) -> str:
        """The path without links and detours."""
        text = str(path)
        known = self._real.get(text)
        if known is None:
            known = self._real[text] = os.path.realpath(text)
        return known

    def source(self, path: Path) -> Source | None:
        """The text of a file, if it can be read."""
        self.asked.add(Question("text", str(path)))
        return self._source(str(path))

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gave the first time; whoever is told it depends on what was asked then."""
        found = self._memo.get(key)
        if found is None:
            outer, self.asked = self.asked, set()
            try:
                value = make()
            finally:
                inner, self.asked = self.asked, outer
            found = self._memo[key] = value, frozenset(inner)
        self.asked |= found[1]
        return found[0]  # type: ignore[return-value]

    def answer(self, question: Question) -> Answer:
        """The answer in a form that can be kept and compared: that of a text is its digest."""
        if question.kind != "text":
            return self._answer(question)
        if question.path not in self._digests:
            source = self._source(question.path)
            self._digests[question.path] = None if source is None else text_digest(source.text)
        return self._digests[question.path]

    def asked_with_answers(self) -> Mapping[Question, Answer]:
        """What was asked since `asked` was last emptied, and what was told."""
        return {question: self.answer(question) for question in self.asked}

    def all_asked(self) -> Iterator[tuple[Question, Answer]]:
        """Every question that was ever asked; the answer to one about a text is no digest, but whether it is there."""
        yield from self._answers.items()
        for path, source in self.sources.items():
            yield Question("text", path), source is not None

    def _ask(self, question: Question) -> bool:
        self.asked.add(question)
        return self._answer(question)

    def _answer(self, question: Question) -> bool:
        known = self._answers.get(question)
        if known is None:
            known = self._answers[question] = ABOUT_PATHS[question.kind](question.path)
        return known

    def _source(self, path: str) -> Source | None:
        if path not in self.sources:
            try:
                self.sources[path] = read(Path(path))
            except UnreadableSource:
                self.sources[path] = None
        return self.sources[path]


def text_digest(text: str) -> str:
    """Tells texts apart."""
    return digest(text.encode("utf-8", "surrogatepass"))


def meaning_key(source: Source) -> str:
    """Tells apart texts that are read differently."""
    return text_digest(f"{'cells' if source.cells else 'file'} {source.code}")
