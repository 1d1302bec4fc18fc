"""Labels of programs elsewhere: a JSON list with one object per fault.

Read are `id`, `kind` (only "shape" counts), `buggy_files`, `fixed_files`, `failing_op` and, optionally,
`known_fixed_findings`: the lines of fixed files where a report is right.  Lines are a list (of the file of the failing
operation, or of the only fixed file) or an object from file name to list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

Lines = Mapping[str, frozenset[int]]
"""Line numbers by file, named as in the labels."""


class BadLabels(Exception):
    """Labels that cannot be used; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class Program:
    """One fault: the buggy program, the fixed program, and the lines where a report is right."""

    id: str
    buggy: tuple[str, ...]
    fixed: tuple[str, ...]
    lines: Lines
    known_on_fixed: Lines


def read(path: Path) -> list[Program]:
    """Return the shape faults of a labels file, in its order; raises BadLabels."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return [_program(entry) for entry in entries if entry["kind"] == "shape"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadLabels(f"{path}: not a list of labels: {type(error).__name__}: {error}") from None


def _program(entry: Mapping[str, object]) -> Program:
    buggy, fixed = _names(entry["buggy_files"]), _names(entry["fixed_files"])
    failing = entry["failing_op"]
    if not isinstance(failing, dict):
        raise TypeError(f"{entry['id']} lacks failing_op")
    operation = failing["op"]["file"]
    return Program(
        str(entry["id"]),
        buggy,
        fixed,
        _lines(failing["acceptable_report_lines"], operation, buggy),
        _lines(entry.get("known_fixed_findings", []), fixed[0] if fixed else "", fixed),
    )


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(f"expected a list of files, not {value!r}")
    return tuple(value)


def _lines(value: object, only: str, files: Sequence[str]) -> Lines:
    if isinstance(value, list):
        return {only: frozenset(value)} if value else {}
    if isinstance(value, dict):
        return {_whole_name(name, files): frozenset(lines) for name, lines in value.items()}
    raise TypeError(f"expected lines, not {value!r}")


def _whole_name(name: str, files: Sequence[str]) -> str:
    """Return a file's name as it stands among the files; labels may give only the end of it."""
    parts = PurePosixPath(name).parts
    for file in files:
        if PurePosixPath(file).parts[-len(parts) :] == parts:
            return file
    return name
