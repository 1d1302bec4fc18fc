"""Findings as workflow commands, which GitHub shows as annotations beside the code."""

from __future__ import annotations

from shapecheck.findings import Finding, Severity
from shapecheck.report.paths import relative
from shapecheck.report.run import Run
from shapecheck.report.style import printable
from shapecheck.report.text import notes

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(run: Run) -> str:
    return "".join(_command(finding) + "\n" for finding in run.findings)


def _command(finding: Finding) -> str:
    place = finding.place
    properties = {"file": relative(place.filename), "line": place.row, "endLine": place.end_row}
    if place.row == place.end_row:
        properties |= {"col": place.column, "endColumn": max(place.end_column - 1, place.column)}
    properties["title"] = f"{finding.code} {finding.name}"
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {told}::{_data(_message(finding))}"


def _message(finding: Finding) -> str:
    place = finding.place
    where = f"{relative(place.filename)}:{place.row}:{place.column}: "
    return "\n".join((where + printable(finding.message), *notes(finding)))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
