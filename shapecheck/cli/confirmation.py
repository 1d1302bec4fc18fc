"""The option `--confirm[=cpu|gpu|all]`, whose value may be left out."""

from __future__ import annotations

from itertools import zip_longest

import click

DEVICES = ("cpu", "gpu", "all")

confirm_option = click.option(
    "--confirm",
    type=click.Choice(DEVICES),
    help="Replay findings with the real library on these devices (cpu if none is given).",
)


class ConfirmCommand(click.Command):
    """A command for which `--confirm FILE` means a file, and `--confirm gpu` a device."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        pairs = zip_longest(args, args[1:])
        given = ["--confirm=cpu" if arg == "--confirm" and after not in DEVICES else arg for arg, after in pairs]
        return super().parse_args(ctx, given)
