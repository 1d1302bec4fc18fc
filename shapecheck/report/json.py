"""Findings as JSON, for programs; the keys are stable."""

from __future__ import annotations

import json
from dataclasses import asdict

from shapecheck.diagnostics import ENGINE
from shapecheck.findings import Edit, Finding, Fix, Operand, Related
from shapecheck.report.result import Run
from shapecheck.source import Place


def render(run: Run) -> str:
    return json.dumps([as_dict(finding) for finding in run.findings], indent=2, ensure_ascii=False) + "\n"


def as_dict(finding: Finding) -> dict[str, object]:
    place = finding.place
    return {
        "code": finding.code,
        "name": finding.name,
        "category": finding.category,
        "severity": finding.severity.value,
        "certainty": finding.certainty.value,
        "message": finding.message,
        "filename": place.filename,
        "cell": place.cell,
        "location": {"row": place.row, "column": place.column},
        "end_location": {"row": place.end_row, "column": place.end_column},
        "operands": [_operand(operand) for operand in finding.operands],
        "call_path": [
            {
                "filename": call.place.filename,
                "cell": call.place.cell,
                "row": call.place.row,
                "function": call.function,
            }
            for call in finding.call_path
        ],
        "related": [_related(related) for related in finding.related],
        "guards": list(finding.guards),
        "witness": dict(sorted(finding.witness.items())),
        "help": finding.help,
        "confirmation": asdict(finding.confirmation) if finding.confirmation else None,
        "fix": _fix(finding.fix) if finding.fix else None,
        "fixes": [_fix(fix) for fix in finding.fixes],
        "url": page_of(finding.category, finding.name),
    }


def page_of(category: str, name: str) -> str | None:
    """Return a rule's page in the repository; None for a finding that no rule makes."""
    return None if category == ENGINE else f"shapecheck/rules/{category}/{name.replace('-', '_')}.md"


def _fix(fix: Fix) -> dict[str, object]:
    return {
        "applicability": fix.applicability,
        "message": fix.title,
        "verified": "replayed" if fix.runs_on else "traced" if fix.is_tried else None,
        "edits": [_edit(edit) for edit in fix.edits],
    }


def _edit(edit: Edit) -> dict[str, object]:
    place = edit.place
    return {
        "location": {"row": place.row, "column": place.column},
        "end_location": {"row": place.end_row, "column": place.end_column},
        "content": edit.text,
    }


def _operand(operand: Operand) -> dict[str, object]:
    return {
        "text": operand.text,
        "shape": operand.shape,
        "origin": _origin(operand.origin, operand.origin_text) if operand.origin else None,
    }


def _related(related: Related) -> dict[str, object]:
    place = related.place
    return {
        "filename": place.filename,
        "cell": place.cell,
        "location": {"row": place.row, "column": place.column},
        "message": related.message,
    }


def _origin(place: Place, text: str) -> dict[str, object]:
    return {"filename": place.filename, "cell": place.cell, "row": place.row, "text": text or place.text}
