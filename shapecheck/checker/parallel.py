"""The files of a run, one after the other or in several processes: the outcome is the same.

It knows how work is shared and what an earlier run left, not what the work is.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.cache.modules import Modules
from shapecheck.cache.outcomes import Outcomes
from shapecheck.cache.store import Store
from shapecheck.file_result import FileResult, Syntax
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.source import Source
from shapecheck.target import Target

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

WORTH_SHARING = 5_000
"""The lines of code below which other processes cost more than they bring."""

Progress = Callable[[int, int], None]
Keep = Callable[["Tracer", FileResult], None]


@dataclass(frozen=True, slots=True)
class Setting:
    """What every process of a run knows: the files that are checked, what is true of them all, where entries are
    kept."""

    sources: Sequence[Source]
    common: Target
    store: Path | None = None


class Work:
    """What one process does."""

    def __init__(self, setting: Setting) -> None:
        store = None if setting.store is None else Store(setting.store)
        self.known = ParsedFiles(setting.sources, setting.common, None if store is None else Modules(store))
        self.outcomes = None if store is None else Outcomes(store, self.known)

    def kept(self, source: Source) -> FileResult | None:
        """What an earlier run found in a file; nothing is found in one that can use no library."""
        kept = self.outcomes.get(source) if self.outcomes is not None else None
        return kept if kept is not None or self.known.reaches_libraries(source) else FileResult()

    def check(self, source: Source, keep: Keep | None = None) -> FileResult:
        from shapecheck.checker import check_file

        outcome = check_file.check(self.known, source, keep)
        if self.outcomes is not None:
            self.outcomes.put(source, outcome)
        return outcome

    def syntax(self, source: Source) -> Syntax:
        kept = self.outcomes.syntax(source) if self.outcomes is not None else None
        if kept is None:
            from shapecheck.checker import check_file

            kept = check_file.syntax(self.known, source)
            if self.outcomes is not None:
                self.outcomes.put_syntax(source, kept)
        return kept


def share(
    work: Work, setting: Setting, jobs: int, progress: Progress | None = None, keep: Keep | None = None
) -> dict[str, FileResult]:
    """The outcome of each file, by name; with `keep`, files in which something is found are traced in this process."""
    at = progress or (lambda done, total: None)
    found = {source.filename: work.kept(source) for source in setting.sources}
    todo = [s for s in setting.sources if (kept := found[s.filename]) is None or (keep and kept.findings)]
    lines = sum(source.text.count("\n") for source in todo)
    if keep is None and jobs > 1 and len(todo) > 1 and lines > WORTH_SHARING:
        found |= _in_processes(setting, todo, jobs, at)
    else:
        for number, source in enumerate(todo):
            at(number, len(todo))
            found[source.filename] = work.check(source, keep)
    return {name: outcome for name, outcome in found.items() if outcome is not None}


# --- processes -------------------------------------------------------------------------------------------------------

_work: list[Work] = []


def _begin(setting: Setting) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process tells the others to end
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _work[:] = [Work(setting)]


def _end_with_parent() -> None:
    """Ends this process as soon as the first one is gone, however that came about."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _lower(source: Source) -> None:
    _work[0].known.lowered(source)
    _work[0].known.modules.clear()


def _check(source: Source) -> FileResult:
    return _work[0].check(source)


def _in_processes(setting: Setting, todo: Sequence[Source], jobs: int, at: Progress) -> dict[str, FileResult]:
    """The outcomes by file, the longest first; a file over which a process dies is tried once more, on its own."""
    import shapecheck.checker.check_file  # noqa: F401  # processes that are copies of this one have it then

    ordered = sorted(todo, key=lambda source: (-len(source.text), source.filename))
    with _somewhere(setting) as shared:
        done = _round(shared, ordered, min(jobs, len(todo)), at)
        for source in ordered:
            if source.filename not in done:
                done |= _round(shared, [source], 1, at)
    died = "not checked: the worker process crashed"
    return {
        source.filename: done.get(source.filename) or FileResult(problems=(f"{source.filename}: {died}",))
        for source in todo
    }


def _round(setting: Setting, sources: Sequence[Source], size: int, at: Progress) -> dict[str, FileResult]:
    """First the meaning of all files, which many of them need, then what is found in each, until a process dies."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool

    done: dict[str, FileResult] = {}
    # Elsewhere than on Linux a process cannot be copied safely.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPoolExecutor(size, context, _begin, (setting,))
    try:
        lowered = [pool.submit(_lower, source) for source in sources]
        for number, _ in enumerate(as_completed(lowered), 1):
            at(number, 2 * len(sources))
        checked = {pool.submit(_check, source): source.filename for source in sources}
        for number, future in enumerate(as_completed(checked), 1):
            done[checked[future]] = future.result()
            at(len(sources) + number, 2 * len(sources))
    except BrokenProcessPool:
        pass
    except BaseException:
        # The parser answers to nothing while it is at work, so nobody waits for a process to end by itself.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()
        raise
    pool.shutdown()
    return done


@contextmanager
def _somewhere(setting: Setting) -> Iterator[Setting]:
    """The setting, with a place where processes can leave something for each other."""
    if setting.store is not None:
        yield setting
        return
    with tempfile.TemporaryDirectory(prefix="shapecheck-", ignore_cleanup_errors=True) as folder:
        yield Setting(setting.sources, setting.common, Path(folder))


def processors() -> int:
    """How many processes can work at the same time."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
