"""Which findings say what a label says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from shapecheck.findings import Finding


@dataclass(frozen=True, slots=True)
class Match:
    """Findings on labelled lines, and the others."""

    hits: tuple[Finding, ...]
    others: tuple[Finding, ...]


def match(findings: Sequence[Finding], lines: Mapping[Path, Set[int]]) -> Match:
    """A finding is a hit if any row of its place is labelled; files are compared as they lie on disk."""
    labelled = {path.resolve(): rows for path, rows in lines.items()}
    hits: list[Finding] = []
    others: list[Finding] = []
    for finding in findings:
        place = finding.place
        rows = labelled.get(Path(place.filename).resolve(), frozenset())
        (hits if any(row in rows for row in range(place.row, place.end_row + 1)) else others).append(finding)
    return Match(tuple(hits), tuple(others))
