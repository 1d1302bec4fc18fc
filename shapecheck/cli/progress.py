"""How far long work is: a bar on standard error, where that is a terminal and the work takes a while."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic

import click

PATIENCE = 1.0
"""The seconds that pass before there is a bar."""


@contextmanager
def progress(label: str, wanted: bool = True) -> Iterator[Callable[[int, int], None] | None]:
    """What to call with how many are done of how many; nothing where nobody would see it."""
    if not (wanted and sys.stderr.isatty()):
        yield None
        return
    with ExitStack() as stack:
        yield _Late(label, stack).at


class _Late:
    """A bar that appears at the first call after a while."""

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
