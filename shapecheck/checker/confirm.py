"""Confirmation of findings by replays with the real libraries.

It connects findings, their clashes and the runtime; it judges neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from shapecheck.changed_lines import moved
from shapecheck.checker.pipeline import Result, check
from shapecheck.checker.trace_file import trace_file
from shapecheck.config import Config
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.findings import Finding, Fix
from shapecheck.progress import Progress
from shapecheck.rules.rule import find
from shapecheck.runtime.replay import devices, plan, supervise
from shapecheck.shapes.facts import EMPTY, FALSE
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
    failing = [(finding, clash) for finding, clash in replayable if told[id(finding)].status == "confirmed"]
    fixes = _replayed(result, failing, request)
    return [
        replace(finding, confirmation=told.get(id(finding)), fixes=fixes.get(id(finding), finding.fixes))
        for finding in result.findings
    ]


def _replayed(result: Result, failing: Sequence[tuple[Finding, Clash]], request: str) -> dict[int, tuple[Fix, ...]]:
    """Return the fixes of findings that are confirmed, by the identity of the finding: those with which the mended call
    runs say so, and those with which it still fails are left out."""
    plans = [
        (finding, fix, plan)
        for finding, clash in failing
        for fix in finding.fixes
        if fix.is_tried and (plan := _plan_of_mended(result, finding, fix, clash)) is not None
    ]
    said = supervise.confirm([plan for _, _, plan in plans], devices.choose(request)) if plans else []
    found = {id(finding): list(finding.fixes) for finding, _ in failing}
    for (finding, fix, _), confirmation in zip(plans, said, strict=True):
        fixes = found[id(finding)]
        if confirmation.status == "refuted":
            fixes[fixes.index(fix)] = replace(fix, runs_on=confirmation.library)
        elif confirmation.status == "confirmed":
            fixes.remove(fix)
    return {finding: tuple(fixes) for finding, fixes in found.items()}


def _plan_of_mended(result: Result, finding: Finding, fix: Fix, clash: Clash) -> plan.Plan | None:
    """Return the replay of the failing call in the mended program, as if it failed there in the same way; None if there
    is none."""
    program, source = result.tracers[id(finding)].program, finding.place.source
    changed = source.edited([(edit.place.start, edit.place.end, edit.text) for edit in fix.edits])
    tracer = trace_file(program.parsed.with_changed(changed), changed)
    span = moved((finding.place.start, finding.place.end), fix.edits)
    here = [step for step in tracer.graph.steps if (step.place.start, step.place.end) == span]
    step = next((step for step in reversed(here) if step.name == clash.step.name and step.args), None)
    if step is None:
        return None
    mended = replace(clash, step=step, message="", operands=(), claim=FALSE, facts=EMPTY, guards=())
    made = plan.plan(tracer.graph, mended, tracer.program.target_of(changed), full=True)
    return made if isinstance(made, plan.Plan) else None


def repro(path: str | Path, row: int, config: Config, cell: int | None = None) -> str:
    """Return a program that shows the fault reported in a row of a file or notebook cell; empty if there is none.
    Raises UnreadableSource."""
    result = check([path], replace(config, fixes=1), replayable=True)
    here = [found for found in result.findings if found.place.filename == str(path)]
    here = [found for found in here if cell in (None, found.place.cell)]
    for finding in _in_row(here, row):
        clash = _clash(result, finding)
        if clash is not None:
            tracer = result.tracers[id(finding)]
            failing = plan.repro(tracer.graph, clash, tracer.program.target_of(finding.place.source))
            return failing + _mended_lines(result, finding, clash, failing)
    if result.problems:
        raise UnreadableSource(result.problems[0])
    return ""


def _mended_lines(result: Result, finding: Finding, clash: Clash, failing: str) -> str:
    """Return the lines that are other ones with the fix of a finding, as comments."""
    fix = finding.fix
    if fix is None or not fix.is_tried:
        return ""
    mended = _plan_of_mended(result, finding, fix, clash)
    told = mended.program.splitlines() if mended is not None else []
    other = [line for line in told if line not in failing.splitlines() and not line.startswith("#")]
    return "".join(f"{line}\n" for line in ("", f"# the fix: {fix.title}", *(f"# {line}" for line in other)))


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
