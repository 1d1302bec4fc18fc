"""The command line: arguments become a configuration, the configuration a call, the result a report.

Each command is a file of its own that is imported when it is called. If nothing has changed since the same call, its
output is printed again before anything else is imported.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

from shapecheck.cli.failure import fail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

__all__ = ["main", "run"]

COMMANDS = (
    "baseline",
    "check",
    "eval",
    "explain",
    "fix",
    "graph",
    "report",
    "repro",
    "reveal",
    "rule",
    "run",
    "server",
)
OWN_OPTIONS = ("--help", "-h", "--version")
NOT_CHECKS = {*COMMANDS, *OWN_OPTIONS} - {"check"}
"""Words that cannot begin the arguments of a check."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status: 0 clean, 1 findings, 2 usage or internal error."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return fail("interrupted", 130)
    except Terminated:
        return fail("terminated", 143)
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2
    except Exception as error:
        from shapecheck.cache.runs import NotWritten
        from shapecheck.source import UnreadableSource

        if isinstance(error, UnreadableSource | NotWritten):
            return fail(str(error), 2)
        if os.environ.get("SHAPECHECK_DEBUG"):
            raise
        return fail(f"internal error, please report it: {type(error).__name__}: {error}", 2)


def _run(arguments: Sequence[str]) -> int:
    call = None
    if arguments and arguments[0] not in NOT_CHECKS:
        from shapecheck.cache.runs import Invocation

        call = Invocation(arguments)
        printed = call.cached_output()
        if printed is not None:
            printed.show()
            return printed.status
    from shapecheck.cli.commands import dispatch

    return dispatch(arguments, call)


class Terminated(BaseException):
    """A request to end the process; child processes are ended on the way out."""


def _terminated(number: int, frame: FrameType | None) -> None:
    raise Terminated


def main() -> None:
    """Run the command as a process, which exits at once: freeing millions of objects one by one takes a while."""
    gc.disable()
    signal.signal(signal.SIGTERM, _terminated)
    status = run(sys.argv[1:])
    sys.stderr.flush()
    os._exit(status)
