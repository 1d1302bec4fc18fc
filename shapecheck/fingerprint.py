"""Fingerprints, which identify a finding from one version of a program to the next.

A fingerprint consists of the rule, the failing code and the function around it. Rows, blanks, quotes and the rest of
the file do not matter, so it survives edits that do not concern the finding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from shapecheck.findings import Finding
from shapecheck.source import Place, Source

_HEAD = re.compile(r"(\s*)(?:async\s+def|def|class)\s+(\w+)")


def fingerprints(findings: Sequence[Finding]) -> list[str]:
    """Return a fingerprint for each finding, unique within a file: equal ones are numbered in the order of places."""
    seen: Counter[tuple[str, str]] = Counter()
    made: dict[int, str] = {}
    for index in sorted(range(len(findings)), key=lambda index: findings[index].sort_key):
        finding = findings[index]
        known = "\0".join((finding.code, function_around(finding.place), _code(finding.place)))
        key = finding.place.filename, known
        made[index] = sha256(f"{known}\0{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[key] += 1
    return [made[index] for index in range(len(findings))]


def function_around(place: Place) -> str:
    """Return the function and classes around a place by indentation, such as `Model.call`; empty outside of any."""
    return ".".join(reversed(_around(place.source, _row(place))))


def _around(source: Source, row: int) -> list[str]:
    names: list[str] = []
    depth = _indentation(source.line(row))
    for above in range(row - 1, 0, -1):
        if depth == 0:
            break
        line = source.line(above)
        if not line.strip() or line.lstrip().startswith("#") or _indentation(line) >= depth:
            continue
        depth = _indentation(line)
        head = _HEAD.match(line)
        if head:
            names.append(head[2])
    return names


def _indentation(line: str) -> int:
    spread = line.expandtabs()
    return len(spread) - len(spread.lstrip())


def _code(place: Place) -> str:
    """Return the code without what a formatter may change."""
    text = place.text if place.end > place.start else place.source.line(_row(place))
    return re.sub(r",(?=[)\]}])", "", re.sub(r"\s+", "", text)).replace("'", '"')


def _row(place: Place) -> int:
    """Return the row in the whole source, even if the place counts rows within a cell."""
    return place.source.position(place.start)[0]
