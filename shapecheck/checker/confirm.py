"""From findings to what the real libraries say of them.

It brings together what a finding has of its clash and what the runtime can replay; it judges neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from shapecheck.checker.pipeline import Result, check
from shapecheck.config import Config
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.findings import Finding
from shapecheck.rules.rule import find
from shapecheck.runtime.replay import devices, plan, supervise
from shapecheck.source import UnreadableSource


def confirm(result: Result, request: str, progress: supervise.Progress | None = None) -> list[Finding]:
    """The findings of a replayable result with what the libraries say, on the devices asked for ("cpu", "gpu" or
    "all")."""
    replayable = [(finding, clash) for finding in result.findings if (clash := _clash(result, finding)) is not None]
    if not replayable:
        return result.findings
    plans = [_plan(result, finding, clash) for finding, clash in replayable]
    said = supervise.confirm(plans, devices.choose(request), progress)
    told = {id(finding): confirmation for (finding, _), confirmation in zip(replayable, said, strict=True)}
    return [replace(finding, confirmation=told.get(id(finding))) for finding in result.findings]


def repro(path: str | Path, row: int, config: Config, cell: int | None = None) -> str:
    """A program that shows the fault that is reported in a row of a file, or of a notebook's cell; empty if nothing
    is.  Raises UnreadableSource."""
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
    """The findings whose place has the row: those that begin there first, then by severity."""
    here = [finding for finding in findings if finding.place.row <= row <= finding.place.end_row]
    return sorted(here, key=lambda finding: (finding.place.row != row, finding.severity.order))


def _plan(result: Result, finding: Finding, clash: Clash) -> plan.Plan | str:
    tracer = result.tracers[id(finding)]
    return plan.plan(tracer.graph, clash, tracer.program.target_of(finding.place.source))


def _clash(result: Result, finding: Finding) -> Clash | None:
    """What a rule made the finding of; nothing of a finding that no rule made."""
    rule = find(finding.code)
    tracer = result.tracers.get(id(finding))
    if finding.step is None or rule is None or tracer is None:
        return None
    clashes = (clash for clash in tracer.clashes if clash.step.id == finding.step and clash.kind in rule.on)
    return next(clashes, None)
