"""`shapecheck check --watch`: checks again when a relevant file has changed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click

from shapecheck.config import Config
from shapecheck.project import discovery

PAUSE = 0.3
"""Seconds between two polls of the files."""

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
            while _state(paths, config, read) == known:
                time.sleep(PAUSE)
    except KeyboardInterrupt:
        return 0


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
