"""The command line: arguments become a configuration, the configuration a call, the result a report.

Each command is a file of its own that is imported when it is called; none of them judges anything.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType

import click

from shapecheck import __version__
from shapecheck.config import BadConfig

__all__ = ["main", "run"]

_COMMANDS = tuple("baseline check coverage-of-api eval explain graph repro reveal rule run server".split())
_OWN_OPTIONS = ("--help", "-h", "--version")


class _Commands(click.Group):
    """Commands by name, imported when needed; anything else is what `check` is to check."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"shapecheck.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*_COMMANDS, *_OWN_OPTIONS):
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.command(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="shapecheck", message="%(prog)s %(version)s")
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Finds tensor-shape faults in TensorFlow, Keras and NumPy programs without running them.

    `shapecheck PATH...` is short for `shapecheck check PATH...`.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit status: 0 clean, 1 findings, 2 usage or internal error."""
    try:
        status = commands.main(list(arguments), prog_name="shapecheck", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return 2
    except BadConfig as error:
        return _fail(str(error), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", 130)
    except Terminated:
        return _fail("terminated", 143)
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2
    except Exception as error:
        from shapecheck.source import UnreadableSource

        if isinstance(error, UnreadableSource):
            return _fail(str(error), 2)
        if os.environ.get("SHAPECHECK_DEBUG"):
            raise
        return _fail(f"internal error, please report it: {type(error).__name__}: {error}", 2)
    return status if isinstance(status, int) else 0


class Terminated(BaseException):
    """The process was asked to end; what it started is ended on the way out."""


def _terminated(number: int, frame: FrameType | None) -> None:
    raise Terminated


def _fail(message: str, status: int) -> int:
    click.echo(f"shapecheck: {' '.join(message.split())}", err=True)
    return status


def main() -> None:
    """The command as a process: it ends at once, for taking millions of objects apart one by one takes a while."""
    gc.disable()
    signal.signal(signal.SIGTERM, _terminated)
    status = run(sys.argv[1:])
    sys.stderr.flush()
    os._exit(status)
