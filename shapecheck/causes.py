"""One finding for each cause: what else shows the cause, or follows from it, becomes a related place of the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shapecheck.findings import Finding, Related


def by_cause(findings: Sequence[Finding]) -> list[Finding]:
    """Return one finding for each cause in a file, the most severe and first one, in the order that they are in."""
    leading: dict[int, list[Finding]] = {}
    for at in sorted(range(len(findings)), key=lambda at: (bool(findings[at].follows), findings[at].severity.order)):
        finding = findings[at]
        led = next((led for led in leading.values() if _has_same_cause(led[0], finding)), None)
        if led is None:
            leading[at] = [finding]
        else:
            led.append(finding)
    return [_with_related(first, others) for _, (first, *others) in sorted(leading.items())]


def _has_same_cause(first: Finding, other: Finding) -> bool:
    """Return whether a finding may be reported with the first one, which is not less severe."""
    is_shared = not {*other.causes, *other.follows}.isdisjoint(first.causes)
    is_less = first.severity.order <= other.severity.order
    return is_shared and is_less and first.place.filename == other.place.filename


def _with_related(first: Finding, others: Iterable[Finding]) -> Finding:
    """Return the first finding with the places of the others."""
    found = [part for each in others for part in (Related(each.place, each.message), *each.related)]
    found.sort(key=lambda related: (related.place.start, related.message))
    return replace(first, related=(*first.related, *found)) if found else first
