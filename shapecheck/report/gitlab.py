"""Findings as a GitLab Code Quality report."""

from __future__ import annotations

import json
from hashlib import sha256

from shapecheck.findings import Finding, Severity
from shapecheck.fingerprint import fingerprints
from shapecheck.report.paths import headed, relative, rows_and_columns
from shapecheck.report.result import Run

_SEVERITIES = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.PERF: "minor",
    Severity.INFO: "info",
}


def render(run: Run) -> str:
    pairs = zip(run.findings, fingerprints(run.findings), strict=True)
    return json.dumps([_issue(finding, fingerprint) for finding, fingerprint in pairs], indent=2) + "\n"


def _issue(finding: Finding, fingerprint: str) -> dict[str, object]:
    path = relative(finding.place.filename)
    row, column, end_row, end_column = rows_and_columns(finding.place)
    return {
        "description": headed(finding.place, f"{finding.name}: {finding.message}"),
        "check_name": finding.code,
        # GitLab takes findings with the same fingerprint for one, whatever their files are.
        "fingerprint": sha256(f"{path}\0{fingerprint}".encode("utf-8", "surrogatepass")).hexdigest()[:32],
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": path,
            "positions": {
                "begin": {"line": row, "column": column},
                "end": {"line": end_row, "column": end_column},
            },
        },
    }
