"""The option `--confirm[=cpu|gpu|all]`, whose value may be left out."""

from __future__ import annotations

import click

confirm_option = click.option(
    "--confirm",
    type=click.Choice(["cpu", "gpu", "all"]),
    help="Replay findings with the real library on these devices (cpu if none is given).",
)


class ConfirmCommand(click.Command):
    """A command for which `--confirm FILE` means a file, not a device."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, ["--confirm=cpu" if arg == "--confirm" else arg for arg in args])
