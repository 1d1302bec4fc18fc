"""The commands by name, each in a file that is imported when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from shapecheck import __version__
from shapecheck.cli import COMMANDS, OWN_OPTIONS
from shapecheck.cli.completion import with_paths
from shapecheck.cli.failure import fail
from shapecheck.config import BadConfig, nearest_hint

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from shapecheck.cache.runs import Invocation


class _Commands(click.Group):
    """A group that imports commands on demand and takes any other word for a path to check."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"shapecheck.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return with_paths(super().shell_complete(ctx, incomplete), incomplete)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*COMMANDS, *OWN_OPTIONS):
            _reject_misspelt_command(args[0])
            args = ["check", *args]
        return super().parse_args(ctx, args)


def _reject_misspelt_command(word: str) -> None:
    """Raise a usage error for a word that is no path and nearly a command."""
    if word.replace("-", "").isalpha() and not os.path.lexists(word) and (hint := nearest_hint(word, COMMANDS)):
        raise click.UsageError(f"no command, file or folder named '{word}'{hint}")


@click.command(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="shapecheck", message="%(prog)s %(version)s")
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Find tensor shape errors in TensorFlow, Keras and NumPy programs without running them.

    `shapecheck PATH...` is short for `shapecheck check PATH...`.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def dispatch(arguments: Sequence[str], call: Invocation | None) -> int:
    """Run a command and return its exit status; a check stores its output for its invocation."""
    try:
        status = commands.main(list(arguments), prog_name="shapecheck", standalone_mode=False, obj=call)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return 2
    except BadConfig as error:
        return fail(str(error), 2)
    except click.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else 0
