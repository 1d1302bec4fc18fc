"""One file of a run, checked by a worker of a cluster, which has this package and nothing of the project."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TypeVar

from shapecheck.cache.file_results import encoded
from shapecheck.cache.store import content_edition
from shapecheck.checker.parallel import FileChecker, RunSettings
from shapecheck.project.recorded_files import Query
from shapecheck.project.shipped_files import Answers, ShippedFiles, Unanswered

T = TypeVar("T")
MOST_RUNS = 4
"""Runs whose parsed files a worker keeps."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a worker has of a file: its result, the lines about internal errors, or the query that must be answered
    first; `edition` is that of the worker's code."""

    edition: str
    result: bytes | None = None
    problems: tuple[str, ...] = ()
    question: Query | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """What all units of a run share: a name of its own, the settings, and the current folder where the project is."""

    name: str
    settings: RunSettings
    current: str


@dataclass(slots=True)
class _Worker:
    files: ShippedFiles
    checker: FileChecker


_alone = threading.Lock()  # the analysis has caches of the process, and threads would only take turns
_workers: dict[str, _Worker] = {}


def as_sent(content: T) -> T:
    """Return what units have in common; as the result of a task it can be had again if a worker is lost."""
    return content


def check_unit(run: Run, answers: list[Answers], filename: str, edition: str) -> Outcome:
    """Return the result of a file, or the first query that the answers leave open."""
    with _alone:
        if edition != content_edition():
            return Outcome(content_edition())
        try:
            worker = _worker_of(run, answers)
            worker.files.take(answers)
            source = next(source for source in run.settings.sources if source.filename == filename)
            result = worker.checker.check(source)
        except Unanswered as missing:
            return Outcome(edition, question=missing.question)
        return Outcome(edition, encoded(result), result.problems)


def _worker_of(run: Run, answers: list[Answers]) -> _Worker:
    """Return the parsed files of a run, and the checker that uses them."""
    found = _workers.get(run.name)
    if found is None:
        files = ShippedFiles(run.settings.sources, run.current)
        files.take(answers)
        found = _Worker(files, FileChecker(run.settings, files))
        while len(_workers) >= MOST_RUNS:
            del _workers[next(iter(_workers))]
        _workers[run.name] = found
    return found
