"""Standard output: its encoding and its colours."""

from __future__ import annotations

import os
import shutil
import sys

import click


def wants_colour(choice: str, to_file: bool = False) -> bool:
    """Return whether to use colours: as `always` and `never` say, otherwise by FORCE_COLOR, NO_COLOR and the
    terminal."""
    if choice != "auto":
        return choice == "always"
    if to_file:
        return False
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def terminal_columns() -> int:
    """Return the width of the terminal that output goes to; 0 if it goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def write(text: str) -> None:
    """Write to standard output; characters that its encoding lacks are escaped."""
    click.echo(encodable(text), nl=False, color=True)


def encodable(text: str) -> str:
    """Return the text with escapes for characters that standard output cannot encode."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
