"""Trials of repairs: each is applied to the text in memory, the file is traced again, and the repair is offered only if
its finding is gone, no other appears, and nothing that was known becomes unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from shapecheck.changed_lines import title
from shapecheck.checker.trace_file import trace_file
from shapecheck.domain.values import Tensor, walk
from shapecheck.findings import Certainty, Edit, Finding, Fix, Severity
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.python_syntax import module_of
from shapecheck.repairs.program_text import ProgramText
from shapecheck.repairs.situation import Situation
from shapecheck.repairs.table import has_repairs, repairs
from shapecheck.rules.rule import judge, judge_calls
from shapecheck.shapes.solve import reset
from shapecheck.source import Place, Source

if TYPE_CHECKING:
    from shapecheck.dataflow.graph.steps import Graph
    from shapecheck.dataflow.tracer import Tracer
    from shapecheck.rules.call import Call

MOST_TRIALS = 12
"""Repairs of one finding that are tried."""
MOST_STEPS = 20_000
"""Operations in the graphs of all trials of a file."""
_LEAST_STEPS = 100  # what a trial costs however short the program is

Spans = set[tuple[int, int]]


def with_fixes(
    parsed: ParsedFiles,
    source: Source,
    judged: Sequence[tuple[Finding, Call]],
    most: int,
) -> tuple[Finding, ...]:
    """Return the findings of a file, each with up to `most` repairs that stood their trial.

    A fix of a rule that does not stand it is withdrawn.
    """
    findings = tuple(finding for finding, _ in judged)
    if not any(_may_be_repaired(source, *judged_call) for judged_call in judged):
        return findings
    tracer = _observed(parsed, source)
    text = ProgramText.of(source, tracer.observed or {})
    again = {
        (f.code, f.place): call
        for f, call in judge_calls(tracer.clashes, tracer.graph)
        if _may_be_repaired(source, f, call)
    }
    offers = [
        _offers(_fixes_inside(finding, findings), again.get((finding.code, finding.place)), text)
        for finding in findings
    ]
    trials = _Trials(parsed, source, findings, judged[0][1].graph)
    vars(tracer).clear()
    return tuple(
        replace(finding, fixes=tuple(islice(trials.passed(finding, offered), most))) if offered else finding
        for finding, offered in zip(findings, offers, strict=True)
    )


def _may_be_repaired(source: Source, finding: Finding, call: Call) -> bool:
    """Return whether a finding is certain enough, and has a repair, in this file."""
    is_certain = finding.certainty is not Certainty.WITNESS and finding.severity is not Severity.INFO
    is_here = finding.place.filename == source.filename
    return is_certain and is_here and (bool(finding.fixes) or has_repairs(call.clash.kind))


def _observed(parsed: ParsedFiles, source: Source) -> Tracer:
    """Return a tracer that recorded the value of every expression."""
    reset()
    return trace_file(parsed, source, observe=True)


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
        made = repairs(Situation(call, text))
        offers += [
            Fix(title(edits), edits) for edits in made if all(edit.place.source is text.source for edit in edits)
        ]
    distinct = {
        tuple((edit.place.start, edit.place.end, edit.text) for edit in fix.edits): fix for fix in reversed(offers)
    }
    return list(reversed(distinct.values()))


@dataclass
class _Trials:
    """The trials of the repairs of a file, within one budget for all of them."""

    parsed: ParsedFiles
    source: Source
    findings: Sequence[Finding]
    graph: Graph
    steps: int = MOST_STEPS
    known: Spans = field(init=False)

    def __post_init__(self) -> None:
        self.known = set(_known(self.graph, self.source))

    def passed(self, finding: Finding, offers: Sequence[Fix]) -> Iterator[Fix]:
        """Yield the repairs of a finding that stand their trial."""
        for fix in offers[:MOST_TRIALS]:
            if self.steps <= 0:
                return
            if self._passes(finding, fix):
                yield replace(fix, is_tried=True)

    def _passes(self, finding: Finding, fix: Fix) -> bool:
        changed = self.source.edited([(edit.place.start, edit.place.end, edit.text) for edit in fix.edits])
        if module_of(changed.code) is None:
            return False
        reset()
        tracer = trace_file(self.parsed.with_changed(changed), changed)
        self.steps -= _LEAST_STEPS + len(tracer.graph.steps)
        found, graph = judge(tracer.clashes, tracer.graph), tracer.graph
        vars(tracer).clear()
        return self._removes(finding, found) and self._loses_nothing(finding, fix, graph, changed)

    def _removes(self, finding: Finding, found: Sequence[Finding]) -> bool:
        """Return whether a finding is gone and no other appeared."""
        before, after = _counted(self.findings), _counted(found)
        return after <= before and after[_key(finding)] < before[_key(finding)]

    def _loses_nothing(self, finding: Finding, fix: Fix, graph: Graph, changed: Source) -> bool:
        """Return whether every shape outside the edits is still known, and so is what the finding is about."""
        outside = {span for span in self.known if not any(_lies_in(span, edit.place) for edit in fix.edits)}
        if not {_moved(span, fix.edits) for span in outside} <= set(_known(graph, changed)):
            return False
        span = finding.place.start, finding.place.end
        if any(_lies_in(span, edit.place) for edit in fix.edits):
            return True
        return _operands(graph, changed, _moved(span, fix.edits)) >= _operands(self.graph, self.source, span)


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
