"""Confirmation of findings by replays with the real libraries.

It connects findings, their clashes and the runtime; it judges neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from shapecheck.checker.pipeline import Result, check
from shapecheck.config import Config
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.findings import Finding
from shapecheck.progress import Progress
from shapecheck.rules.rule import find
from shapecheck.runtime.replay import devices, plan, supervise
from shapecheck.source import UnreadableSource


def confirm(result: Result, request: str, progress: Progress | None = None) -> list[Finding]:
    """Return the findings of a replayable result with their confirmations, on the requested devices ("cpu", "gpu" or
    "all")."""
    replayable = [(finding, clash) for finding in result.findings if (clash := _clash(result, finding)) is not None]
    if not replayable:
        return result.findings
    plans = [_plan(result, finding, clash) for finding, clash in replayable]
    said = supervise.confirm(plans, devices.choose(request), progress)
    told = {id(finding): confirmation for (finding, _), confirmation in zip(replayable, said, strict=True)}
    return [replace(finding, confirmation=told.get(id(finding))) for finding in result.findings]


def repro(path: str | Path, row: int, config: Config, cell: int | None = None) -> str:
    """Return a program that shows the fault reported in a row of a file or notebook cell; empty if there is none.
    Raises UnreadableSource."""
    result = check([path], config, replayable=True)
    here = [found for found in result.findings if found.place.filename == str(path)]
    here = [found for found in here if cell in (None, found.place.cell)]
    for finding in _in_row(here, row):
        clash = _clash(result, finding)
        if clash is not None:
            tracer = result.tracers[id(finding)]
            return plan.repro(tracer.graph, clash, tracer.program.target_of(finding.place.source))
    if result.problems:
        raise UnreadableSource(result.problems[0])
    return ""


def _in_row(findings: Sequence[Finding], row: int) -> list[Finding]:
    """Return the findings whose place includes the row: those that begin there first, then by severity."""
    here = [finding for finding in findings if finding.place.row <= row <= finding.place.end_row]
    return sorted(here, key=lambda finding: (finding.place.row != row, finding.severity.order))


def _plan(result: Result, finding: Finding, clash: Clash) -> plan.Plan | str:
    tracer = result.tracers[id(finding)]
    return plan.plan(tracer.graph, clash, tracer.program.target_of(finding.place.source))


def _clash(result: Result, finding: Finding) -> Clash | None:
    """Return the clash that a rule made the finding of; None if no rule made it."""
    rule = find(finding.code)
    tracer = result.tracers.get(id(finding))
    if finding.step is None or rule is None or tracer is None:
        return None
    clashes = (clash for clash in tracer.clashes if clash.step.id == finding.step and clash.kind in rule.on)
    return next(clashes, None)
