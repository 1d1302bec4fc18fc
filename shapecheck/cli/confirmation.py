"""The option `--confirm[=cpu|gpu|all]`, whose value may be left out, and how far the replays are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

confirm_option = click.option(
    "--confirm",
    type=click.Choice(["cpu", "gpu", "all"]),
    help="Replay each finding on the real library, on these devices; cpu if nothing follows.",
)


class Confirming(click.Command):
    """A command for which `--confirm FILE` means a file, not a device."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, ["--confirm=cpu" if arg == "--confirm" else arg for arg in args])


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """What to call with how many are done of how many; nothing where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=1, label=label, file=sys.stderr, show_eta=False, show_pos=True) as bar:

        def at(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield at
