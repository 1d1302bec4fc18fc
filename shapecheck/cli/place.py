"""`FILE:LINE` on the command line."""

from __future__ import annotations

from pathlib import Path

import click


def file_and_line(text: str) -> tuple[Path, int | None]:
    """A file, and a line of it where one is given; a file that is not there is a usage error."""
    head, _, tail = text.rpartition(":")
    path, line = Path(text), None
    if tail.isdecimal() and head and not path.is_file():
        path, line = Path(head), int(tail)
    if not path.is_file():
        raise click.UsageError(f"{path}: no such file")
    return path, line
