"""`shapecheck check --watch`: checks again when a relevant file has changed.

Where watchfiles is installed, the system tells of changes; elsewhere the files are looked at again and again.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click

from shapecheck.config import Config
from shapecheck.project import discovery

PAUSE = 0.3
"""Seconds between two polls of the files."""
SILENCE = 10
"""Seconds without a change after which files are looked at although the system told nothing."""

State = frozenset[tuple[str, int, int]]


def watch(paths: Sequence[str | Path], config: Config, check: Callable[[], Iterable[str]]) -> int:
    """Call `check`, which returns the files it has read, now and after each change, until interrupted."""
    try:
        while True:
            if sys.stdout.isatty():
                click.clear()
            before = _state(paths, config, ())
            read = tuple(check())
            click.echo("Watching for changes; press Ctrl-C to stop.", err=True)
            # What changed during the check is seen too.
            known = before | _state((), config, read)
            for _ in _moments(_folders(paths, known)):
                if _state(paths, config, read) != known:
                    break
    except KeyboardInterrupt:
        return 0


def _moments(folders: Iterable[str]) -> Iterator[None]:
    """Yield now, and then whenever something in the folders may have changed, for ever."""
    yield
    try:
        from watchfiles import watch as changes
    except ModuleNotFoundError:
        while True:
            time.sleep(PAUSE)
            yield
    yield from (
        None
        for _ in changes(
            *folders,
            recursive=False,
            watch_filter=None,
            raise_interrupt=True,
            debounce=50,
            step=20,
            rust_timeout=SILENCE * 1000,
            yield_on_timeout=True,
        )
    )


def _folders(paths: Sequence[str | Path], known: State) -> list[str]:
    """Return the folders with files that a check depends on."""
    given = [path for path in map(str, paths) if os.path.isdir(path)]
    around = (os.path.dirname(path) or "." for path, _, _ in known)
    return sorted({folder for folder in (*given, *around) if os.path.isdir(folder)})


def _state(paths: Sequence[str | Path], config: Config, read: Iterable[str]) -> State:
    """Return the files with the time and size of their last change."""
    found = (str(path) for path in discovery.find(paths, config).files) if paths else ()
    return frozenset(_last_change(path) for path in {*found, *read})


def _last_change(path: str) -> tuple[str, int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return path, 0, 0
    return path, status.st_mtime_ns, status.st_size
