"""The files of a run, checked one after the other or in several processes, with the same result.

It distributes files and looks up cached results, but does not know how a file is checked.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.cache.file_results import FileResultCache
from shapecheck.cache.modules import ModuleCache
from shapecheck.cache.shared import SharedStore
from shapecheck.cache.store import Store
from shapecheck.file_result import FileResult, Syntax
from shapecheck.progress import Progress
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.recorded_files import RecordedFiles
from shapecheck.source import Source
from shapecheck.target import Target

if TYPE_CHECKING:
    from shapecheck.checker.check_file import TracerCallback
    from shapecheck.checker.versions import Versions
    from shapecheck.dataflow.state.observations import Observations
    from shapecheck.dataflow.tracer import Tracer


ResultsCallback = Callable[[Mapping[str, FileResult]], None]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while files were checked; `results` are those of the files that were finished, by name."""

    def __init__(self, results: dict[str, FileResult]) -> None:
        super().__init__()
        self.results = results


WORTH_SHARING = 5_000
"""Lines of code below which starting other processes costs more time than it saves."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings that all processes of a run share: the files, their common target, the folder of the cache, how many
    fixes of a finding are wanted, the folders with data, the cluster that is to do the work, and the URL where machines
    share results."""

    sources: Sequence[Source]
    common: Target
    store: Path | None = None
    fixes: int = 0
    data: tuple[Path, ...] = ()
    executor: str | None = None
    shared: str | None = None


class FileChecker:
    """Checks files within one process, with the caches of that process, and with the `versions` of a program in an
    editor."""

    def __init__(self, settings: RunSettings, files: RecordedFiles | None = None) -> None:
        store = None if settings.store is None else Store(settings.store)
        self._fixes = settings.fixes
        self.versions: Versions | None = None
        modules = None if store is None else ModuleCache(store)
        self.parsed = ParsedFiles(settings.sources, settings.common, modules, files)
        self.parsed.data_folders = tuple(self.parsed.files.real(folder) for folder in settings.data)
        self.results = None if store is None else FileResultCache(store, self.parsed, settings.fixes)

    def cached(self, source: Source) -> FileResult | None:
        """Return the cached result of a file, or an empty result if the file cannot use a library."""
        cached = self.versions.result(self.parsed, source) if self.versions is not None else None
        if cached is None and self.results is not None and self.versions is None:
            cached = self.results.get(source)
        return cached if cached is not None or self.parsed.reaches_libraries(source) else FileResult()

    def check(self, source: Source, on_traced: TracerCallback | None = None) -> FileResult:
        from shapecheck.checker import check_file

        if self._fixes:
            from shapecheck.checker.trial import check_with_fixes

            result = check_with_fixes(self.parsed, source, self._fixes, on_traced)
        elif self.versions is not None:
            result = self._observed(source, self.versions)
        else:
            result = check_file.check(self.parsed, source, on_traced)
        self.parsed.release()
        if self.results is not None:
            self.results.put(source, result)
        return result

    def _observed(self, source: Source, versions: Versions) -> FileResult:
        """Return the result of a file, which is kept with the values of its expressions."""
        from shapecheck.checker import check_file

        traced: list[tuple[FileResult, Observations | None]] = []

        def on_traced(tracer: Tracer, part: FileResult) -> None:
            traced.append((part, tracer.observed))
            vars(tracer).clear()
            if len(traced) == 1:
                versions.begin(source, part)

        if versions.are_long:
            versions.begin(source, *check_file.brief(self.parsed, source))
        result = check_file.check(self.parsed, source, on_traced, observe=True)
        first, observed = traced[0]
        if observed is not None:
            versions.put(self.parsed, source, result, observed, first)
        return result

    def syntax(self, source: Source) -> Syntax:
        cached = self.results.syntax(source) if self.results is not None else None
        if cached is None:
            from shapecheck.checker import check_file

            cached = check_file.syntax(self.parsed, source)
            if self.results is not None:
                self.results.put_syntax(source, cached)
        return cached


def check_files(
    checker: FileChecker,
    settings: RunSettings,
    jobs: int,
    progress: Progress | None = None,
    on_traced: TracerCallback | None = None,
    on_results: ResultsCallback | None = None,
) -> dict[str, FileResult]:
    """Return the result of each file, by name; raises Interrupted. With `on_traced`, files with findings are traced in
    this process. `on_results` is called with the results so far, whenever there are more."""
    cached = {source.filename: checker.cached(source) for source in settings.sources}
    shared = None if settings.shared is None or checker.results is None else SharedStore(settings.shared)
    if shared is not None and checker.results is not None:
        missing = [source for source in settings.sources if cached[source.filename] is None]
        checker.results.bring(shared, missing)
        cached |= {source.filename: checker.cached(source) for source in missing}
    results = {name: result for name, result in cached.items() if result is not None}
    todo = [s for s in settings.sources if s.filename not in results or (on_traced and results[s.filename].findings)]
    lines = sum(source.text.count("\n") for source in todo)

    def at(done: int, total: int) -> None:
        if on_results is not None:
            on_results(results)
        if progress is not None:
            progress(done, total)

    try:
        if on_traced is None and settings.executor is not None and todo:
            from shapecheck.checker.cluster import check_on_cluster

            check_on_cluster(checker, settings, todo, settings.executor, at, results)
        elif on_traced is None and jobs > 1 and len(todo) > 1 and lines > WORTH_SHARING:
            _in_processes(settings, todo, jobs, at, results)
        else:
            for number, source in enumerate(todo, 1):
                results[source.filename] = checker.check(source, on_traced)
                at(number, len(todo))
    except KeyboardInterrupt:
        raise Interrupted(results) from None
    if shared is not None and checker.results is not None:
        checker.results.share(shared, todo)
    return results


# --- processes -------------------------------------------------------------------------------------------------------

_checkers: list[FileChecker] = []


def _initialize(settings: RunSettings) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends its children
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    _checkers[:] = [FileChecker(settings)]


def _exit_with_parent() -> None:
    """End this process as soon as its parent has ended for any reason."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _lower(source: Source) -> None:
    _checkers[0].parsed.lowered(source)
    _checkers[0].parsed.modules.clear()


def _check(source: Source) -> FileResult:
    return _checkers[0].check(source)


def _in_processes(
    settings: RunSettings, todo: Sequence[Source], jobs: int, at: Progress, results: dict[str, FileResult]
) -> None:
    """Add the result of each file, longest file first; a file whose process crashes is tried once more on its own."""
    import shapecheck.checker.check_file  # noqa: F401  # processes that are copies of this one have it then

    ordered = sorted(todo, key=lambda source: (-len(source.text), source.filename))
    with _with_shared_cache(settings) as shared:
        _run_pool(shared, ordered, min(jobs, len(todo)), at, results)
        for source in ordered:
            if source.filename not in results:
                _run_pool(shared, [source], 1, at, results)
    for source in todo:
        died = FileResult(problems=(f"{source.filename}: not checked: the worker process crashed",))
        results.setdefault(source.filename, died)


def _run_pool(
    settings: RunSettings, sources: Sequence[Source], size: int, at: Progress, results: dict[str, FileResult]
) -> None:
    """Parse all files, which many of them need, then check each, until a process crashes."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool

    # Elsewhere than on Linux a process cannot be copied safely.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPoolExecutor(size, context, _initialize, (settings,))
    try:
        lowered = [pool.submit(_lower, source) for source in sources]
        for _ in as_completed(lowered):
            at(0, len(sources))
        checked = {pool.submit(_check, source): source.filename for source in sources}
        for number, future in enumerate(as_completed(checked), 1):
            results[checked[future]] = future.result()
            at(number, len(sources))
    except BrokenProcessPool:
        pass
    except BaseException:
        # The parser answers to nothing while it works, so no process is waited for.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()
        raise
    pool.shutdown()


@contextmanager
def _with_shared_cache(settings: RunSettings) -> Iterator[RunSettings]:
    """Yield the settings with a cache folder, temporary if need be, through which processes share parsed files."""
    if settings.store is not None:
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="shapecheck-", ignore_cleanup_errors=True) as folder:
        yield replace(settings, store=Path(folder))


def processors() -> int:
    """Return the number of processes that can run at the same time."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
