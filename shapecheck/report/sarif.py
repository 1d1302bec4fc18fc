"""Findings as SARIF 2.1.0, for code scanning and editors: one run with its rules, the origin of each shape and the call
path of each place."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict

from shapecheck.findings import Finding, Fix, Operand, Severity
from shapecheck.fingerprint import fingerprints, function_around
from shapecheck.report.paths import headed, relative, rows_and_columns, uri
from shapecheck.report.result import RuleDescription, Run
from shapecheck.report.text import notes
from shapecheck.source import Place

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.PERF: "note",
    Severity.INFO: "note",
}
_REGION = ("startLine", "startColumn", "endLine", "endColumn")
_ROOT = "%SRCROOT%"

Json = dict[str, object]


def render(run: Run) -> str:
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(run)]}, indent=2) + "\n"


def _run(run: Run) -> Json:
    used = {finding.code for finding in run.findings}
    rules = [rule for rule in run.rules if rule.code in used]
    index = {rule.code: at for at, rule in enumerate(rules)}
    driver: Json = {"name": "shapecheck"}
    if run.version:
        driver |= {"version": run.version, "semanticVersion": run.version}
    if run.site:
        driver["informationUri"] = run.site
    return {
        "tool": {"driver": driver | {"rules": [_rule(rule, run.site) for rule in rules]}},
        "invocations": [_invocation(run)],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder in which shapecheck ran."}}},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, fingerprint, index)
            for finding, fingerprint in zip(run.findings, fingerprints(run.findings), strict=True)
        ],
    }


def _rule(rule: RuleDescription, site: str) -> Json:
    described: Json = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": [rule.category],
            "problem.severity": _LEVELS[rule.severity].replace("note", "recommendation"),
        },
    }
    if site:
        described["helpUri"] = f"{site.rstrip('/')}/rules/{rule.name}/"
    return described


def _invocation(run: Run) -> Json:
    told = [{"level": "error", "message": {"text": problem}} for problem in run.problems]
    return {"executionSuccessful": not told, "toolExecutionNotifications": told}


def _result(finding: Finding, fingerprint: str, index: dict[str, int]) -> Json:
    result: Json = {"ruleId": finding.code}
    if finding.code in index:
        result["ruleIndex"] = index[finding.code]
    result |= {
        "level": _LEVELS[finding.severity],
        "message": {"text": _plain("\n".join((headed(finding.place, finding.message), *notes(finding))))},
        "locations": [_location(finding.place) | _inside(finding.place)],
        "partialFingerprints": {"primaryLocationLineHash": f"{fingerprint}:1", "shapecheckFinding/v1": fingerprint},
        "properties": _properties(finding),
    }
    elsewhere = list(_elsewhere(finding))
    if elsewhere:
        result["relatedLocations"] = elsewhere
    if finding.fixes and finding.place.cell is None:  # no region describes a place in a cell
        result["fixes"] = [_fix(finding.place.filename, fix) for fix in finding.fixes]
    if finding.call_path:
        result["codeFlows"] = [{"threadFlows": [{"locations": list(_flow(finding))}]}]
    return result


def _properties(finding: Finding) -> Json:
    return {
        "name": finding.name,
        "certainty": finding.certainty.value,
        "shapes": [{"text": operand.text, "shape": operand.shape} for operand in finding.operands],
        "guards": list(finding.guards),
        "witness": dict(sorted(finding.witness.items())),
        "confirmation": asdict(finding.confirmation) if finding.confirmation else None,
    }


def _elsewhere(finding: Finding) -> Iterator[Json]:
    """Yield where the operands were made, and where else the cause shows."""
    told = [(operand.origin, _made(operand)) for operand in finding.operands if operand.origin is not None]
    told += [(related.place, related.message) for related in finding.related]
    for number, (place, message) in enumerate(told, 1):
        yield {"id": number} | _location(place, message)


def _made(operand: Operand) -> str:
    return f"{operand.text}: {operand.shape}" if operand.text else operand.shape


def _fix(filename: str, fix: Fix) -> Json:
    replacements = [
        {
            "deletedRegion": dict(zip(_REGION, rows_and_columns(edit.place), strict=True)),
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    changes = [{"artifactLocation": _artifact(filename), "replacements": replacements}]
    return {"description": {"text": _plain(fix.title)}, "artifactChanges": changes}


def _flow(finding: Finding) -> Iterator[Json]:
    for call in finding.call_path:
        verb = "enters" if call.place.text == call.function.rpartition(".")[2] else "calls"
        yield {"location": _location(call.place, f"{verb} {call.function}")}
    yield {"location": _location(finding.place, finding.message)}


def _location(place: Place, message: str = "") -> Json:
    region: Json = dict(zip(_REGION, rows_and_columns(place), strict=True))
    if place.end > place.start:
        region["snippet"] = {"text": place.text}
    located: Json = {"physicalLocation": {"artifactLocation": _artifact(place.filename), "region": region}}
    return located | {"message": {"text": _plain(message)}} if message else located


def _inside(place: Place) -> Json:
    name = function_around(place)
    return {"logicalLocations": [{"fullyQualifiedName": name, "kind": "function"}]} if name else {}


def _artifact(filename: str) -> Json:
    if os.path.isabs(relative(filename)):
        return {"uri": uri(filename)}
    return {"uri": uri(filename), "uriBaseId": _ROOT}


def _plain(text: str) -> str:
    """Return text that contains no link: code such as `layers[0](2)` would read as one."""
    return text.replace("](", "]\u200b(")
