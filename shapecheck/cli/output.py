"""Where output goes and whether it may have colours."""

from __future__ import annotations

import os
import sys

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


def write(text: str) -> None:
    """Writes to standard output; signs that the terminal's encoding lacks are replaced."""
    click.echo(encodable(text), nl=False, color=True)


def encodable(text: str) -> str:
    """The text as standard output can take it."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
