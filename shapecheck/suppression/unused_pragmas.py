"""Fixes for comments that suppress too much: remove the unused names, or the whole comment.

It knows text only.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from shapecheck.findings import Edit, Fix
from shapecheck.source import Place, Source

_NAME = re.compile(r"[\w-]+")


def removal_fix(names: Collection[str], source: Source, listed: tuple[int, int], pragma: tuple[int, int]) -> Fix | None:
    """Return a fix that removes names from the list of a pragma, or the whole pragma if none is left."""
    start, end = listed
    kept = [name for name in _NAME.findall(source.text, start, end) if name not in names]
    if kept:
        edit = Edit(Place(source, start, end), ", ".join(kept))
        return Fix(f"leave only {edit.text}", (edit,), is_safe=True)
    start, end = pragma
    row, _ = source.position(start)
    line, first = source.line(row), source.line_starts[row - 1]
    before, after = line[: start - first], line[end - first :]
    if after.strip() and not after.lstrip().startswith("#") and "#" not in before:
        return None  # what follows would no longer be a comment
    if not after.strip():
        start, end = first + len(before.rstrip()), first + len(line)
        if not before.strip() and end < len(source.text):
            end += 1
    else:
        end += len(after) - len(after.lstrip())
    return Fix("remove the comment", (Edit(Place(source, start, end), ""),), is_safe=True)
