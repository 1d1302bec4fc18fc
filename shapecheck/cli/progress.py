"""Progress of long work: a bar on standard error, if that is a terminal and the work takes a while."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic

import click

from shapecheck.progress import Progress

PATIENCE = 1.0
"""Seconds until the bar appears."""


@contextmanager
def progress(label: str, wanted: bool = True) -> Iterator[Progress | None]:
    """Yield a function to call with the number done and the total; None if nobody would see the bar."""
    if not (wanted and sys.stderr.isatty()):
        yield None
        return
    with ExitStack() as stack:
        yield _DelayedBar(label, stack).at


class _DelayedBar:
    """A progress bar that appears at the first call after `PATIENCE` seconds."""

    def __init__(self, label: str, stack: ExitStack) -> None:
        self.begun = monotonic()
        self.stack = stack
        self.bar = click.progressbar(length=1, label=label, file=sys.stderr, show_eta=False, show_pos=True)
        self.shown = False

    def at(self, done: int, total: int) -> None:
        self.bar.length = max(total, 1)
        if not self.shown:
            if monotonic() - self.begun < PATIENCE:
                return
            self.stack.enter_context(self.bar)
            self.shown = True
        self.bar.update(done - self.bar.pos)
