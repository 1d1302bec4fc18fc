"""Findings as JSON, one in each line."""

from __future__ import annotations

import json

from shapecheck.report.json import as_dict
from shapecheck.report.result import Run


def render(run: Run) -> str:
    return "".join(json.dumps(as_dict(finding), ensure_ascii=False) + "\n" for finding in run.findings)
