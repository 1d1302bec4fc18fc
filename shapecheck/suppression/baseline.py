"""Baselines: findings that a team knows and does not want to see again.

A baseline is a JSON file; it names each finding by its fingerprint, so it survives edits elsewhere in a file. It knows
nothing of how findings come about.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from shapecheck.config import BadConfig
from shapecheck.findings import Finding
from shapecheck.fingerprint import fingerprints, function_around

FILENAME = "shapecheck-baseline.json"
_VERSION = 1

Entries = dict[str, dict[str, str]]
"""The descriptions of the findings of a file, by fingerprint."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Known findings by file; files are named relative to `folder`."""

    folder: Path
    files: Mapping[str, Entries] = field(default_factory=dict)

    def name(self, filename: str) -> str:
        return PurePath(os.path.relpath(filename, self.folder)).as_posix()

    def __len__(self) -> int:
        return sum(map(len, self.files.values()))


@dataclass(frozen=True, slots=True)
class Compared:
    """New findings, the number of known ones, and the number of entries that are no longer found."""

    new: list[Finding]
    known: int = 0
    gone: int = 0


def read(path: Path) -> Baseline:
    """Read a baseline from its file; raises BadConfig."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BadConfig(f"{path}: {error}") from None
    if not (isinstance(told, dict) and told.get("version") == _VERSION and _is_sound(told.get("files"))):
        raise BadConfig(f"{path}: not a baseline of this version of shapecheck")
    return Baseline(path.parent, told["files"])


def _is_sound(files: object) -> bool:
    return isinstance(files, dict) and all(
        isinstance(entries, dict) and all(isinstance(entry, dict) for entry in entries.values())
        for entries in files.values()
    )


def write(path: Path, baseline: Baseline) -> None:
    """Write a baseline so that a change of one finding changes only a few lines; raises BadConfig."""
    files = {name: entries for name, entries in sorted(baseline.files.items()) if entries}
    try:
        text = json.dumps({"version": _VERSION, "files": files}, indent=1, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror}") from None


def compare(findings: Sequence[Finding], baseline: Baseline, checked: Iterable[str]) -> Compared:
    """Separate new findings from known ones; entries that are gone are counted in the checked files."""
    marks = fingerprints(findings)
    new = [
        finding
        for finding, mark in zip(findings, marks, strict=True)
        if mark not in baseline.files.get(baseline.name(finding.place.filename), {})
    ]
    expected = sum(len(baseline.files.get(baseline.name(filename), {})) for filename in checked)
    known = len(findings) - len(new)
    return Compared(new, known, max(expected - known, 0))


def compare_with_file(path: Path | None, findings: list[Finding], checked: Iterable[str]) -> Compared:
    """Compare findings with the baseline in a file, if there is one; raises BadConfig."""
    return Compared(findings) if path is None else compare(findings, read(path), checked)


def updated(findings: Sequence[Finding], old: Baseline, checked: Collection[str], *, only_prune: bool) -> Baseline:
    """Return the baseline with the current findings of the checked files, and the old entries of other files that still
    exist; with `only_prune` nothing is added."""
    here = {old.name(filename) for filename in checked}
    files = {
        name: dict(entries) for name, entries in old.files.items() if name not in here and (old.folder / name).exists()
    }
    for finding, mark in zip(findings, fingerprints(findings), strict=True):
        name = old.name(finding.place.filename)
        if not only_prune or mark in old.files.get(name, {}):
            files.setdefault(name, {})[mark] = _told(finding)
    return Baseline(old.folder, files)


def _told(finding: Finding) -> dict[str, str]:
    """Return what a reader of the file sees of a finding; none of it is compared."""
    return {
        "rule": f"{finding.code} {finding.name}",
        "function": function_around(finding.place),
        "message": finding.message,
    }
