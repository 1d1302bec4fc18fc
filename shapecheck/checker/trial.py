"""Trials of repairs: each is applied to the text in memory, the file is traced again, and the repair is offered only if
its finding is gone, no other appears, and nothing that was known becomes unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from shapecheck.changed_lines import edits_between, title
from shapecheck.checker.check_file import check
from shapecheck.checker.trace_file import trace_file
from shapecheck.domain.values import Tensor, walk
from shapecheck.file_result import FileResult
from shapecheck.findings import Certainty, Edit, Finding, Fix, Severity
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.python_syntax import module_of
from shapecheck.repairs.program_text import ProgramText
from shapecheck.repairs.situation import Situation
from shapecheck.repairs.table import repairs
from shapecheck.rules.rule import judge_calls
from shapecheck.shapes.solve import reset
from shapecheck.source import Place, Source

if TYPE_CHECKING:
    from shapecheck.checker.check_file import TracerCallback
    from shapecheck.dataflow.graph.steps import Graph
    from shapecheck.dataflow.tracer import Tracer
    from shapecheck.rules.call import Call

MOST_TRIALS = 12
"""Repairs of one finding that are tried."""
MOST_STEPS = 12_000
"""Operations in the graphs of all traces that trials of a file take."""
COMBINED = frozenset({"feed-mismatch", "cross-entropy-mismatch", "signature-mismatch"})
"""Rules about the arguments of one call, of which several may be wrong. Elsewhere two repairs that fit together are
most often a coincidence."""
_LEAST_STEPS = 100  # what a trial costs however short the program is

Spans = set[tuple[int, int]]


def check_with_fixes(
    parsed: ParsedFiles,
    source: Source,
    most: int,
    on_traced: TracerCallback | None = None,
    *,
    combines: bool = True,
) -> FileResult:
    """Return the result of a file as `check` does, in which each finding has up to `most` repairs that stood their
    trial; two together if it `combines` them. A fix of a rule that does not stand it is withdrawn."""
    traced: list[tuple[Tracer, FileResult]] = []
    result = check(parsed, source, lambda tracer, part: traced.append((tracer, part)))
    findings = _with_fixes(parsed, source, result.findings, traced[0][0].graph, most, combines)
    now = {id(before): after for before, after in zip(result.findings, findings, strict=True)}
    for tracer, part in traced:
        if on_traced is not None:
            on_traced(tracer, FileResult(tuple(now[id(finding)] for finding in part.findings)))
        else:
            vars(tracer).clear()
    return replace(result, findings=findings)


def _with_fixes(
    parsed: ParsedFiles, source: Source, findings: tuple[Finding, ...], graph: Graph, most: int, combines: bool
) -> tuple[Finding, ...]:
    """Return the findings with their repairs."""
    if not any(_may_be_repaired(source, finding) for finding in findings) or 2 * len(graph.steps) > MOST_STEPS:
        return findings
    reset()
    tracer = trace_file(parsed, source, observe=True)
    text, steps = ProgramText.of(source, tracer.observed or {}), MOST_STEPS - len(tracer.graph.steps)
    calls = {(finding.code, finding.place): call for finding, call in judge_calls(tracer.clashes, tracer.graph)}
    vars(tracer).clear()
    offers = [
        _offers(_fixes_inside(finding, findings), calls.get((finding.code, finding.place)), text)
        if _may_be_repaired(source, finding)
        else []
        for finding in findings
    ]
    trials = _Trials(parsed, source, findings, graph, steps, combines)
    return tuple(
        replace(finding, fixes=tuple(islice(trials.passed(finding, offered), most))) if offered else finding
        for finding, offered in zip(findings, offers, strict=True)
    )


def _may_be_repaired(source: Source, finding: Finding) -> bool:
    """Return whether a finding is certain enough, and in this file."""
    is_certain = finding.certainty is not Certainty.WITNESS and finding.severity is not Severity.INFO
    return is_certain and finding.place.filename == source.filename


def _fixes_inside(finding: Finding, findings: Sequence[Finding]) -> list[Fix]:
    """Return the fixes that rules know of a finding, or of another one in a part of its place, which may be its
    cause."""
    span = finding.place.start, finding.place.end
    inside = [each for each in findings if each.place != finding.place and _contains(span, each.place)]
    return [*finding.fixes, *(fix for each in inside for fix in each.fixes)]


def _offers(of_rules: list[Fix], call: Call | None, text: ProgramText | None) -> list[Fix]:
    """Return the repairs of a finding, the likeliest first: those of rules, then those for its kind of clash."""
    offers = [*of_rules]
    if text is not None and call is not None:
        offers += [Fix("", edits) for edits in repairs(Situation(call, text))]
    distinct = {
        tuple((edit.place.start, edit.place.end, edit.text) for edit in fix.edits): fix for fix in reversed(offers)
    }
    return list(reversed(distinct.values()))


@dataclass(frozen=True, slots=True)
class _Trial:
    """A repair, the source with it, and what is found in that."""

    fix: Fix
    changed: Source
    found: Sequence[Finding]
    graph: Graph


@dataclass
class _Trials:
    """The trials of the repairs of a file, within one budget for all of them."""

    parsed: ParsedFiles
    source: Source
    findings: Sequence[Finding]
    graph: Graph
    steps: int
    combines: bool
    known: Spans = field(init=False)

    def __post_init__(self) -> None:
        self.known = set(_known(self.graph, self.source))

    def passed(self, finding: Finding, offers: Sequence[Fix]) -> Iterator[Fix]:
        """Yield the repairs of a finding that stand their trial; if none does, one that does with the repair of another
        fault of the same place, which it uncovers."""
        has_passed, uncovering = False, None
        for fix in offers[:MOST_TRIALS]:
            trial = self._tried(fix) if self.steps > 0 else None
            if trial is None or not self._loses_nothing(finding, trial):
                continue
            new = list((_counted(trial.found) - _counted(self.findings)).elements())
            if _is_gone(finding, self.findings, trial.found) and not new:
                has_passed = True
                yield replace(fix, title=fix.title or title(fix.edits), is_tried=True)
            elif uncovering is None and _is_gone(finding, self.findings, trial.found) and len(new) == 1:
                uncovering = trial
        if uncovering is not None and not has_passed and self.combines and finding.name in COMBINED:
            yield from self._combined(finding, uncovering)

    def _tried(self, fix: Fix) -> _Trial | None:
        """Return the result of the program with a repair; None if it does not parse."""
        changed = self.source.edited([(edit.place.start, edit.place.end, edit.text) for edit in fix.edits])
        if module_of(changed.code) is None:
            return None
        traced: list[Tracer] = []
        found = check(self.parsed.with_changed(changed), changed, lambda tracer, _: traced.append(tracer)).findings
        graph = traced[0].graph
        self.steps -= sum(_LEAST_STEPS + len(tracer.graph.steps) for tracer in traced)
        for tracer in traced:
            vars(tracer).clear()
        return _Trial(fix, changed, found, graph)

    def _combined(self, finding: Finding, first: _Trial) -> Iterator[Fix]:
        """Yield a repair together with that of the fault that it uncovers in the same place."""
        place = _moved((finding.place.start, finding.place.end), first.fix.edits)
        parsed = self.parsed.with_changed(first.changed)
        known = _counted(self.findings)
        for second in check_with_fixes(parsed, first.changed, 1, combines=False).findings:
            is_here = (second.place.start, second.place.end) == place and second.name in COMBINED
            if is_here and _key(second) not in known and second.fix is not None and second.fix.is_tried:
                edits = [(edit.place.start, edit.place.end, edit.text) for edit in second.fix.edits]
                both = edits_between(self.source, first.changed.edited(edits))
                yield Fix(title(both), both, is_tried=True)
                return

    def _loses_nothing(self, finding: Finding, trial: _Trial) -> bool:
        """Return whether every shape outside the edits is still known, and so is what the finding is about."""
        fix, graph, changed = trial.fix, trial.graph, trial.changed
        outside = {span for span in self.known if not any(_lies_in(span, edit.place) for edit in fix.edits)}
        if not {_moved(span, fix.edits) for span in outside} <= set(_known(graph, changed)):
            return False
        span = finding.place.start, finding.place.end
        if any(_lies_in(span, edit.place) for edit in fix.edits):
            return True
        return _operands(graph, changed, _moved(span, fix.edits)) >= _operands(self.graph, self.source, span)


def _is_gone(finding: Finding, before: Sequence[Finding], after: Sequence[Finding]) -> bool:
    return _counted(after)[_key(finding)] < _counted(before)[_key(finding)]


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.message


def _counted(findings: Sequence[Finding]) -> Counter[tuple[str, str]]:
    return Counter(_key(finding) for finding in findings if finding.severity is not Severity.INFO)


def _known(graph: Graph, source: Source) -> Iterator[tuple[int, int]]:
    """Yield the places of a source in which an operation has a result of known rank."""
    for step in graph.steps:
        is_here = step.kind == "op" and step.place.filename == source.filename
        values = walk(step.result) if is_here and step.result is not None else ()
        if any(isinstance(value, Tensor) and value.shape.is_ranked for value in values):
            yield step.place.start, step.place.end


def _operands(graph: Graph, source: Source, span: tuple[int, int]) -> int:
    """Return the number of operands of known rank that an operation in a place has; -1 if there is no operation."""
    there = (
        step
        for step in graph.steps
        if step.place.filename == source.filename and (step.place.start, step.place.end) == span
    )
    return max((sum(operand.shape.is_ranked for _, operand in step.operands()) for step in there), default=-1)


def _contains(span: tuple[int, int], place: Place) -> bool:
    return span[0] <= place.start and place.end <= span[1]


def _lies_in(span: tuple[int, int], place: Place) -> bool:
    return place.start <= span[0] and span[1] <= place.end


def _moved(span: tuple[int, int], edits: Sequence[Edit]) -> tuple[int, int]:
    """Return a span that no edit replaces as it is after the edits."""
    start, end = span
    for edit in edits:
        grows = len(edit.text) - (edit.place.end - edit.place.start)
        start += grows if edit.place.end <= span[0] else 0
        end += grows if edit.place.end <= span[1] and edit.place.start < span[1] else 0
    return start, end
