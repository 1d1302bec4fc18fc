"""Where output goes and whether it may have colours."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click


def wants_colour(choice: str, to_file: bool = False) -> bool:
    """`always` and `never` hold; otherwise FORCE_COLOR, NO_COLOR and whether a terminal reads standard output."""
    if choice != "auto":
        return choice == "always"
    if to_file:
        return False
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def write(text: str, output: Path | None = None) -> None:
    """Writes to a file or to standard output; signs that the terminal's encoding lacks are replaced."""
    if output is None:
        encoding = sys.stdout.encoding or "utf-8"
        click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False, color=True)
        return
    try:
        output.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise click.UsageError(f"{output}: {error.strerror}") from None
