"""One line per finding, for editors and long lists."""

from __future__ import annotations

from shapecheck.findings import Finding
from shapecheck.report.result import Run
from shapecheck.report.style import SEVERITY_COLOURS, paint, printable


def render(run: Run) -> str:
    return "".join(headline(finding, run.colour) + "\n" for finding in run.findings)


def headline(finding: Finding, colour: bool) -> str:
    """Return `train.py:14:9: error[axis-mismatch] tf.matmul: x has 128 columns, w has 64 rows`."""
    place = finding.place
    position = paint(f"{printable(place.where)}:{place.row}:{place.column}:", "bold", colour)
    kind = paint(f"{finding.severity.value}[{finding.name}]", SEVERITY_COLOURS[finding.severity], colour)
    return f"{position} {kind} {printable(finding.message)}"
