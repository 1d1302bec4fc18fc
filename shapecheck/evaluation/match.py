"""Matching of findings with labels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from shapecheck.findings import Finding
from shapecheck.source import Place


@dataclass(frozen=True, slots=True)
class Match:
    """Findings on labelled lines, and the others."""

    hits: tuple[Finding, ...]
    others: tuple[Finding, ...]


def match(findings: Sequence[Finding], lines: Mapping[Path, Set[int]]) -> Match:
    """Split findings into hits, whose place has a labelled row, and others; files are compared by their resolved
    paths."""
    labelled = {path.resolve(): rows for path, rows in lines.items()}
    hits: list[Finding] = []
    others: list[Finding] = []
    for finding in findings:
        rows = labelled.get(Path(finding.place.filename).resolve(), frozenset())
        (hits if rows & _rows_in_file(finding.place) else others).append(finding)
    return Match(tuple(hits), tuple(others))


def _rows_in_file(place: Place) -> Set[int]:
    """Return the rows of the file that a place spans; in a notebook, the rows of the JSON that hold its lines."""
    rows = range(place.row, place.end_row + 1)
    if place.cell is None:
        return set(rows)
    lines = {place.line(row) for row in rows}
    written = Path(place.filename).read_text(encoding="utf-8").split("\n")
    return {number for number, line in enumerate(written, 1) if _json_text(line) in lines}


def _json_text(line: str) -> str | None:
    """Return the text of a line of JSON if it is one string."""
    try:
        text = json.loads(line.strip().removesuffix(","))
    except ValueError:
        return None
    return text.removesuffix("\n") if isinstance(text, str) else None
