"""Findings as JUnit XML: a suite for each file, in which each finding that makes a check fail is a failed test."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from xml.etree import ElementTree

from shapecheck.findings import Finding
from shapecheck.report.paths import relative
from shapecheck.report.result import Run
from shapecheck.report.text import block

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(run: Run) -> str:
    by_file: defaultdict[str, list[Finding]] = defaultdict(list)
    for name in run.files:
        by_file[name] = []
    for finding in run.findings:
        by_file[finding.place.filename].append(finding)
    suites = [_suite(name, found) for name, found in sorted(by_file.items())]
    if run.problems:
        suites.append(_unchecked(run.problems))
    root = ElementTree.Element("testsuites", _counts(suites) | {"name": "shapecheck"})
    root.extend(suites)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(filename: str, findings: list[Finding]) -> ElementTree.Element:
    name = _text(relative(filename))
    failures = sum(finding.severity.fails for finding in findings)
    counts = {"tests": str(len(findings) or 1), "failures": str(failures), "errors": "0"}
    suite = ElementTree.Element("testsuite", {"name": name} | counts)
    if not findings:
        ElementTree.SubElement(suite, "testcase", {"name": "no findings", "classname": name, "file": name})
    for finding in findings:
        _case(suite, finding, name)
    return suite


def _case(suite: ElementTree.Element, finding: Finding, name: str) -> None:
    place = finding.place
    cell = f"cell {place.cell}, " if place.cell is not None else ""
    title = f"{finding.code} {finding.name} in {cell}line {place.row}, column {place.column}"
    case = ElementTree.SubElement(
        suite, "testcase", {"name": title, "classname": name, "file": name, "line": str(place.row)}
    )
    if finding.severity.fails:
        attributes = {"type": finding.severity.value, "message": _text(finding.message)}
        ElementTree.SubElement(case, "failure", attributes).text = _text(block(finding))
    else:
        ElementTree.SubElement(case, "system-out").text = _text(block(finding))


def _unchecked(problems: Sequence[str]) -> ElementTree.Element:
    count = str(len(problems))
    suite = ElementTree.Element("testsuite", {"name": "not checked", "tests": count, "failures": "0", "errors": count})
    for number, problem in enumerate(problems, 1):
        case = ElementTree.SubElement(suite, "testcase", {"name": f"problem {number}", "classname": "shapecheck"})
        ElementTree.SubElement(case, "error", {"type": "problem", "message": _text(problem)})
    return suite


def _counts(suites: list[ElementTree.Element]) -> dict[str, str]:
    return {key: str(sum(int(suite.get(key, "0")) for suite in suites)) for key in ("tests", "failures", "errors")}


def _text(text: str) -> str:
    """Return the text without the few characters that XML cannot represent."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
