"""The summary below the findings: counts by rule, coverage, and totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from shapecheck.config import SEVERITIES

if TYPE_CHECKING:
    from shapecheck.file_result import Statistics
    from shapecheck.findings import Finding
    from shapecheck.suppression.baseline import Compared

MOST_EXPENSIVE = 10
UNCOUNTABLE = ("perf", "info")


def counts(findings: Sequence[Finding]) -> list[str]:
    """Return how often each rule reported something, most frequent first."""
    found = Counter((finding.code, finding.name) for finding in findings)
    return [f"{count:5}  {code} {name}" for (code, name), count in found.most_common()]


def coverage(statistics: Statistics) -> list[str]:
    """Return how much of the program was analysed, and what was lost."""
    total = statistics.tensors_total
    share = f" ({statistics.tensors_known / total:.1%})" if total else ""
    return [
        f"tensors with a known shape: {statistics.tensors_known} of {total}{share}",
        _top("calls without a model", statistics.unmodelled),
        _top("values that became unknown", statistics.lost),
        f"limits that were reached: {statistics.budgets}",
        *(f"{steps:8} steps at {place}" for place, steps in statistics.spent.most_common(MOST_EXPENSIVE)),
        *(f"not followed beyond {ending}" for ending in statistics.endings),
    ]


def _top(title: str, found: Counter[str]) -> str:
    first = ", ".join(f"{name} {count}" for name, count in found.most_common(8))
    return f"{title}: {found.total()}" + (f" ({first})" if first else "")


def total(findings: Sequence[Finding], files: int) -> str:
    """Return a line such as `Checked 3 files: 1 error, 2 warnings.`"""
    found = Counter(finding.severity.value for finding in findings)
    told = ", ".join(plural(found[word], word) for word in SEVERITIES if found[word])
    return f"Checked {plural(files, 'file')}: {told or 'nothing found'}."


def plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 or word in UNCOUNTABLE else f"{count} {word}s"


def against_baseline(compared: Compared) -> Iterator[str]:
    """Yield how many findings the baseline hides, and how many of its entries are no longer found."""
    if compared.known:
        yield f"{plural(compared.known, 'finding')} ignored (listed in the baseline)."
    if compared.gone:
        yield f"{plural(compared.gone, 'finding')} of the baseline no longer found; run shapecheck baseline --prune."
