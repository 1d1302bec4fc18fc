"""Findings as workflow commands, which GitHub shows as annotations beside the code."""

from __future__ import annotations

from shapecheck.findings import Finding, Severity
from shapecheck.report.paths import relative, rows_and_columns
from shapecheck.report.result import Run
from shapecheck.report.style import printable
from shapecheck.report.text import notes

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.PERF: "notice",
    Severity.INFO: "notice",
}


def render(run: Run) -> str:
    return "".join(_command(finding) + "\n" for finding in run.findings)


def _command(finding: Finding) -> str:
    row, column, end_row, end_column = rows_and_columns(finding.place)
    properties = {"file": relative(finding.place.filename), "line": row, "endLine": end_row}
    if row == end_row:
        properties |= {"col": column, "endColumn": max(end_column - 1, column)}
    properties["title"] = f"{finding.code} {finding.name}"
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {told}::{_data(_message(finding))}"


def _message(finding: Finding) -> str:
    place = finding.place
    where = place.where.replace(place.filename, relative(place.filename), 1) + f":{place.row}:{place.column}: "
    return "\n".join((where + printable(finding.message), *notes(finding)))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
