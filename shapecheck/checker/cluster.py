"""The files of a run, checked by the workers of a Dask cluster, with the same result as here.

The texts of the run are sent once, under keys that are hashes of their content. A worker that asks about another file
gets the answer, and begins again. What a lost worker had is done again by another one.
"""

from __future__ import annotations

import importlib
import pickle
import re
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path
from typing import Any

from shapecheck.cache.file_results import decoded
from shapecheck.cache.store import content_edition
from shapecheck.checker.cluster_unit import Outcome, Run, as_sent, check_unit
from shapecheck.checker.parallel import FileChecker, RunSettings
from shapecheck.config import BadConfig
from shapecheck.file_result import FileResult
from shapecheck.progress import Progress
from shapecheck.project.file_queries import digest
from shapecheck.project.recorded_files import Query
from shapecheck.project.shipped_files import Answers, answers_ahead, answers_to
from shapecheck.source import Source

ADDRESS = re.compile(r"dask://(?P<place>[^/\s]+:\d+)/?")
SECONDS = 10
"""How long a scheduler may take to answer."""
MOST_LOST = 5
"""How often a unit may be lost."""
AHEAD = 2
"""Units that wait for each thread of a worker, so that none has nothing to do."""


def check_on_cluster(
    checker: FileChecker,
    settings: RunSettings,
    todo: Sequence[Source],
    executor: str,
    at: Progress,
    results: dict[str, FileResult],
) -> None:
    """Add the result of each file, longest file first; raises BadConfig if the cluster cannot be used."""
    client = _client(executor)
    try:
        _Units(client, checker, settings, at, results).run(todo)
    finally:
        client.close()


def _client(executor: str) -> Any:
    place = ADDRESS.fullmatch(executor)
    if place is None:
        raise BadConfig(f"executor: '{executor}' is not an address such as dask://localhost:8786")
    try:
        client = _distributed().Client(f"tcp://{place['place']}", timeout=SECONDS, set_as_default=False)
    except ImportError:
        raise BadConfig("executor: Dask is not installed: pip install 'tensor-shapecheck[dask]'") from None
    except OSError:  # which a timeout is, too
        raise BadConfig(f"executor: no scheduler answers at {executor}") from None
    try:
        client.wait_for_workers(1, timeout=SECONDS)
    except TimeoutError:
        client.close()
        raise BadConfig(f"executor: the scheduler at {executor} has no workers") from None
    return client


def _distributed() -> Any:
    return importlib.import_module("distributed")


class _Units:
    """The files of a run on their way to workers and back."""

    def __init__(
        self, client: Any, checker: FileChecker, settings: RunSettings, at: Progress, results: dict[str, FileResult]
    ) -> None:
        self._client, self._checker, self._at, self._results = client, checker, at, results
        real = checker.parsed.data_folders
        shared = replace(settings, store=None, data=tuple(map(Path, real)))
        self._name = uuid.uuid4().hex
        self._run = self._sent(Run(self._name, shared, checker.parsed.files.current))
        first = answers_ahead(checker.parsed, settings.sources)
        resolved = {folder: folder for folder in real}
        ahead = replace(first, real={**first.real, **resolved})
        self._answers = [self._sent(ahead)]
        self._answered: dict[Query, int] = {}  # how many answers there were before this one
        self._lost: Counter[str] = Counter()

    def run(self, todo: Sequence[Source]) -> None:
        waiting = deque(sorted(todo, key=lambda source: (-len(source.text), source.filename)))
        most = AHEAD * max(sum(self._client.ncores().values()), 1)
        running = _distributed().as_completed([], loop=self._client.loop)
        units: dict[Any, tuple[Source, int]] = {}
        done = 0
        while waiting or units:
            while waiting and len(units) < most:
                source = waiting.popleft()
                future = self._submit(source)
                units[future] = source, len(self._answers)
                running.add(future)
            future = next(running)
            source, known = units.pop(future)
            result = self._result(source, known, future)
            if result is None:
                waiting.appendleft(source)
                continue
            self._results[source.filename] = result
            if self._checker.results is not None:
                self._checker.results.put(source, result)
            done += 1
            self._at(done, len(todo))

    def _submit(self, source: Source) -> Any:
        return self._client.submit(
            check_unit, self._run, list(self._answers), source.filename, content_edition(), pure=False
        )

    def _result(self, source: Source, known: int, future: Any) -> FileResult | None:
        """Return the result of a unit that had so many answers; None if it is to be done again, since it was lost with
        its worker, or asked something, which is answered now."""
        try:
            outcome: Outcome = future.result()
        except CancelledError:
            self._lost[source.filename] += 1
            is_last = self._lost[source.filename] > MOST_LOST
            return _not_checked(source, "its worker was lost again and again") if is_last else None
        except _distributed().KilledWorker:
            return _not_checked(source, "the worker process crashed")
        if outcome.edition != content_edition():
            raise BadConfig("executor: a worker has another version of shapecheck or of Python")
        if outcome.question is not None:
            if self._answered.get(outcome.question, known) < known:
                return _not_checked(source, f"no answer to {outcome.question.kind} {outcome.question.path} helps")
            self._answer(outcome.question)
            return None
        return replace(decoded(outcome.result or b"", self._checker.parsed.files), problems=outcome.problems)

    def _answer(self, question: Query) -> None:
        if question not in self._answered:
            self._answered[question] = len(self._answers)
            self._answers.append(self._sent(answers_to(self._checker.parsed, question)))

    def _sent(self, content: Run | Answers) -> Any:
        """Return a key for a content, which workers fetch from the scheduler, or from each other, when they need it."""
        key = f"shapecheck-{self._name}-{digest(pickle.dumps(content))}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that it is large
            return self._client.submit(as_sent, content, key=key)


def _not_checked(source: Source, why: str) -> FileResult:
    return FileResult(problems=(f"{source.filename}: not checked: {why}",))
