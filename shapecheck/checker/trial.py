"""Trials of repairs: each is applied to the text in memory, the file is traced again, and the repair is offered only if
its finding is gone, no other appears, and nothing that was known becomes unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from shapecheck.changed_lines import edits_between, moved, title
from shapecheck.checker.check_file import check
from shapecheck.checker.trace_file import without_garbage_collection
from shapecheck.dataflow.calls.transcripts import Transcripts
from shapecheck.dataflow.state.diagnostics import Diagnostics
from shapecheck.domain.values import NONE, Choice, Const, Int, Scalar, Tensor, Value
from shapecheck.file_result import FileResult
from shapecheck.findings import Certainty, Finding, Fix, Severity
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.repairs.program_text import ProgramText
from shapecheck.repairs.situation import Situation
from shapecheck.repairs.table import repairs
from shapecheck.rules.rule import judge_calls
from shapecheck.shapes.text import show
from shapecheck.source import Place, Source

if TYPE_CHECKING:
    from shapecheck.checker.check_file import TracerCallback
    from shapecheck.dataflow.graph.clash import Clash
    from shapecheck.dataflow.graph.steps import Graph
    from shapecheck.dataflow.tracer import Tracer

MOST_TRIALS = 12
"""Repairs of one finding that are tried."""
LONGEST = 6_000
"""Operations in the graph of a program of which repairs are tried."""
MOST_STEPS = 2_500
"""Operations in the graphs of the traces that trials of a file take, after which no other one begins: as many as some
ten trials of a short program, or one of a long one."""
COMBINED = frozenset({"feed-mismatch", "cross-entropy-mismatch", "signature-mismatch"})
"""Rules about the arguments of one call, of which several may be wrong. Elsewhere two repairs that fit together are
most often a coincidence."""
CERTAIN = frozenset({"call-mismatch"})
"""Rules about one word of the program, whose repair is right whatever fails after it."""
WITHOUT_OPERANDS = frozenset({
    "float-for-integer", "layer-input-changed", "loop-shape-changes", "loop-type-changes", "mixed-sequences",
    "retrace-new-function", "retrace-python-value", "retrace-varying-shape", "static-size-unknown", "unrolled-loop",
})  # fmt: skip
"""Rules about loops, calls that need a trace, numbers, sequences, or the layers of a model that is fitted, which are no
operations with operands."""
_MOST_PARTIAL = 3
"""Repairs that leave the same fault elsewhere, after which no better one is looked for."""
_ANY = 99  # new findings
_LEAST_STEPS = 100  # what a trial costs however short the program is

Spans = set[tuple[int, int]]
_Key = tuple[str, str]


class _Over(BaseException):
    """The end of a trial that a repair cannot stand any more."""


def check_with_fixes(
    parsed: ParsedFiles,
    source: Source,
    most: int,
    on_traced: TracerCallback | None = None,
) -> FileResult:
    """Return the result of a file as `check` does, in which each finding has up to `most` repairs that stood their
    trial, or two together. A fix of a rule that does not stand it is withdrawn."""
    with without_garbage_collection():  # what trials leave behind is found when all of them are done
        return with_deep_stack(lambda: _check(parsed, source, most, on_traced, combines=True))


def _check(
    parsed: ParsedFiles,
    source: Source,
    most: int,
    on_traced: TracerCallback | None = None,
    combines: bool = False,
    transcripts: Transcripts | None = None,
) -> FileResult:
    """Return the result of a file with the repairs of its findings."""
    traced: list[tuple[Tracer, FileResult]] = []
    result = check(
        parsed, source, lambda tracer, part: traced.append((tracer, part)), observe=True, transcripts=transcripts
    )
    diagnostics, findings = Diagnostics(), result.findings
    try:
        findings = _with_fixes(parsed, source, findings, traced, most, combines)
    except Exception as error:
        diagnostics.internal_error(f"the repairs of {source.filename}", None, error)
    now = {id(before): after for before, after in zip(result.findings, findings, strict=True)}
    for tracer, part in traced:
        if on_traced is not None:
            on_traced(tracer, FileResult(tuple(now[id(finding)] for finding in part.findings)))
        else:
            vars(tracer).clear()
    return replace(result, findings=findings, problems=(*result.problems, *diagnostics.problems))


def _with_fixes(
    parsed: ParsedFiles,
    source: Source,
    findings: tuple[Finding, ...],
    traced: Sequence[tuple[Tracer, FileResult]],
    most: int,
    combines: bool,
) -> tuple[Finding, ...]:
    """Return the findings with their repairs."""
    graph = traced[0][0].graph
    if not any(_may_be_repaired(source, finding) for finding in findings) or len(graph.steps) > LONGEST:
        return findings
    offers = _offers(source, findings, traced)
    transcripts, known = traced[0][0].component(Transcripts), _known(traced[0][0], source)
    values = {_key(each): _values(offers[id(each)].clash) for each in findings if id(each) in offers}
    trials = _Trials(parsed, source, findings, graph, known, transcripts, MOST_STEPS, combines, values)
    first = sorted((each for each in findings if id(each) in offers), key=lambda each: offers[id(each)].step)
    fixes = {id(each): tuple(islice(trials.passed(each, offers[id(each)]), most)) for each in first}
    return tuple(replace(each, fixes=fixes[id(each)]) if id(each) in fixes else each for each in findings)


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


@dataclass(frozen=True, slots=True)
class _Offers:
    """The repairs to be tried of a finding, the likeliest first, and its clash."""

    fixes: Iterator[Fix]
    clash: Clash | None

    @property
    def step(self) -> int:
        """The number of the step that is found fault with: later findings may be consequences of earlier ones."""
        return 0 if self.clash is None else self.clash.step.id


def _offers(
    source: Source, findings: Sequence[Finding], traced: Sequence[tuple[Tracer, FileResult]]
) -> dict[int, _Offers]:
    """Return the repairs to be tried by the identity of a finding; they are made as they are asked for, since most are
    not tried where a file has many findings."""
    found: dict[int, _Offers] = {}
    for tracer, part in traced:
        repairable = [finding for finding in part.findings if _may_be_repaired(source, finding)]
        text = ProgramText.of(source, tracer.observed) if repairable and tracer.observed is not None else None
        judged = judge_calls(tracer.clashes, tracer.graph, brief=True) if repairable else []
        calls = {(finding.code, finding.place): call for finding, call in judged}
        for finding in repairable:
            call = calls.get((finding.code, finding.place))
            situation = None if text is None or call is None else Situation(call, text)
            fixes = _distinct(_fixes_inside(finding, findings), situation)
            found[id(finding)] = _Offers(fixes, None if call is None else call.clash)
    return found


def _distinct(first: Sequence[Fix], situation: Situation | None) -> Iterator[Fix]:
    """Yield the repairs that rules know, and those for the kind of clash, the likeliest first."""
    spelled = set()
    made = repairs(situation) if situation is not None else []
    likelier = [Fix("", edits) for weight, edits in made if weight < 0]
    for fix in (*likelier, *first, *(Fix("", edits) for weight, edits in made if weight >= 0)):
        if _spelled(fix) not in spelled:
            spelled.add(_spelled(fix))
            yield fix


def _spelled(fix: Fix) -> tuple[tuple[int, int, str], ...]:
    return tuple((edit.place.start, edit.place.end, edit.text) for edit in fix.edits)


@dataclass(frozen=True, slots=True)
class _Trial:
    """A repair, the source with it, and what is found in that."""

    fix: Fix
    changed: Source
    found: Sequence[Finding]
    graph: Graph
    known: Spans


@dataclass
class _Trials:
    """The trials of the repairs of a file, within one budget for all of them."""

    parsed: ParsedFiles
    source: Source
    findings: Sequence[Finding]
    graph: Graph
    known: Spans
    transcripts: Transcripts
    steps: int
    combines: bool
    values: Mapping[_Key, set[tuple[int, int]]]
    counted: Counter[_Key] = field(init=False)
    offered: list[_Trial] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.counted = _counted(self.findings)

    def passed(self, finding: Finding, offers: _Offers) -> Iterator[Fix]:
        """Yield the repairs of a finding that stand their trial; if none does, one that does with the repair of another
        fault of the same place, which it uncovers."""
        shared = next((trial for trial in self.offered if self._is_mended_too(finding, trial)), None)
        if shared is not None:  # two findings of one cause have one repair
            yield shared.fix
        has_passed, uncovering = shared is not None, None
        partial: list[Fix] = []
        uncovers = self.combines and finding.name in COMBINED
        for fix in islice(offers.fixes, MOST_TRIALS if self.steps > 0 else 0):
            if shared is not None and _spelled(fix) == _spelled(shared.fix):
                continue
            most_new = _ANY if finding.name in CERTAIN else int(uncovers and not has_passed)
            trial = self._tried(finding, offers.clash, fix, most_new) if self.steps > 0 else None
            if trial is None or not self._loses_nothing(finding, trial):
                continue
            if finding.name in CERTAIN or not self._new(_counted(trial.found)):
                tried = replace(fix, title=fix.title or title(fix.edits), is_tried=True)
                if not has_passed and len(partial) < _MOST_PARTIAL and self._leaves_alike(finding, trial):
                    partial.append(tried)
                    continue
                if not has_passed:
                    self.offered.append(replace(trial, fix=tried))
                has_passed = True
                yield tried
            elif uncovering is None:
                uncovering = trial
        yield from partial
        if uncovering is not None and not has_passed and not partial:
            yield from self._combined(finding, uncovering)

    def _leaves_alike(self, finding: Finding, trial: _Trial) -> bool:
        """Return whether a repair leaves a fault of the same value elsewhere, or the same one of what is called so."""
        left, values = _counted(trial.found), self.values.get(_key(finding), set())
        alike = (
            each
            for each in self.findings
            if _key(each) != _key(finding)
            and (_fault(each) == _fault(finding) or values & self.values.get(_key(each), set()))
        )
        return any(left[_key(each)] for each in alike)

    def _is_mended_too(self, finding: Finding, trial: _Trial) -> bool:
        """Return whether a repair that is offered for another finding removes this one as well."""
        return _counted(trial.found)[_key(finding)] == 0 and self._loses_nothing(finding, trial)

    def _tried(self, finding: Finding, clash: Clash | None, fix: Fix, most_new: int) -> _Trial | None:
        """Return the result of the program with a repair; None if it does not parse, or as soon as the finding is there
        again, or more new ones than that."""
        changed = self.source.edited([(edit.place.start, edit.place.end, edit.text) for edit in fix.edits])
        parsed = self.parsed.with_changed(changed)
        if not parsed.is_python(changed):
            return None
        traced: list[Tracer] = []
        judged = 0

        def at_rest(tracer: Tracer) -> None:
            nonlocal judged
            traced[:] = [tracer]
            if len(tracer.clashes) == judged:
                return
            judged = len(tracer.clashes)
            proved = [clash for clash in tracer.clashes if clash.claim is not None]
            found = _counted(finding for finding, _ in judge_calls(proved, tracer.graph, brief=True))
            if not self._stands(finding, found, most_new):
                raise _Over

        def on_clash(now: Clash) -> None:
            if clash is not None and _is_same(clash, now, fix, in_other_words=most_new == 0):
                raise _Over

        try:
            found = check(
                parsed,
                changed,
                lambda tracer, _: traced.append(tracer),
                observe=True,
                at_rest=at_rest,
                on_clash=on_clash,
                transcripts=self.transcripts,
            ).findings
        except _Over:
            self._done(traced)
            return None
        trial = _Trial(fix, changed, found, traced[0].graph, _known(traced[0], changed, or_number=True))
        self._done(traced)
        return trial if self._stands(finding, _counted(found), most_new) else None

    def _done(self, traced: Sequence[Tracer]) -> None:
        """Charge the budget for traces, which are not needed any more."""
        for tracer in {id(tracer): tracer for tracer in traced}.values():
            self.steps -= _LEAST_STEPS + len(tracer.graph.steps)
            vars(tracer).clear()

    def _stands(self, finding: Finding, found: Counter[_Key], most_new: int) -> bool:
        """Return whether a finding is gone, and there are not more new ones than that."""
        is_gone = found[_key(finding)] < self.counted[_key(finding)]
        return is_gone and self._new(found) <= most_new

    def _new(self, found: Counter[_Key]) -> int:
        return (found - self.counted).total()

    def _combined(self, finding: Finding, first: _Trial) -> Iterator[Fix]:
        """Yield a repair together with that of the fault that it uncovers in the same place."""
        place = moved((finding.place.start, finding.place.end), first.fix.edits)
        parsed = self.parsed.with_changed(first.changed)
        for second in _check(parsed, first.changed, 1, transcripts=self.transcripts).findings:
            is_here = (second.place.start, second.place.end) == place and second.name in COMBINED
            if is_here and _key(second) not in self.counted and second.fix is not None and second.fix.is_tried:
                edits = [(edit.place.start, edit.place.end, edit.text) for edit in second.fix.edits]
                both = edits_between(self.source, first.changed.edited(edits))
                yield Fix(title(both), both, is_tried=True)
                return

    def _loses_nothing(self, finding: Finding, trial: _Trial) -> bool:
        """Return whether every shape outside the edits is still known, and so is what the finding is about."""
        fix, graph, changed = trial.fix, trial.graph, trial.changed
        outside = {span for span in self.known if not any(_lies_in(span, edit.place) for edit in fix.edits)}
        if not {moved(span, fix.edits) for span in outside} <= trial.known:
            return False
        span = finding.place.start, finding.place.end
        if any(_lies_in(span, edit.place) for edit in fix.edits) or finding.name in WITHOUT_OPERANDS:
            return True
        return _operands(graph, changed, moved(span, fix.edits)) >= _operands(self.graph, self.source, span)


def _is_same(clash: Clash, now: Clash, fix: Fix, *, in_other_words: bool) -> bool:
    """Return whether a clash of a program with a repair is one of the program as it was, or is it with other shapes."""
    before, after = clash.step.place, now.step.place
    return (
        (now.kind, now.tolerated) == (clash.kind, clash.tolerated)
        and before.filename == after.filename
        and moved((before.start, before.end), fix.edits) == (after.start, after.end)
        and (
            (in_other_words and now.claim is not None) or (now.message, _shapes(now)) == (clash.message, _shapes(clash))
        )
    )


def _values(clash: Clash | None) -> set[tuple[int, int]]:
    """Return which results of operations a clash is about."""
    operands = clash.operands if clash is not None else ()
    return {(each.step, each.output) for each in operands if isinstance(each, Tensor) and each.step}


def _shapes(clash: Clash) -> list[str]:
    return [show(operand.shape) for operand in clash.operands if isinstance(operand, Tensor)]


def _key(finding: Finding) -> _Key:
    return finding.code, finding.message


def _fault(finding: Finding) -> tuple[str, str]:
    """Return what is found of which value, wherever it is used."""
    return finding.code, finding.message.partition(": ")[2]


def _counted(findings: Iterable[Finding]) -> Counter[_Key]:
    return Counter(_key(finding) for finding in findings if finding.severity is not Severity.INFO)


def _known(tracer: Tracer, source: Source, *, or_number: bool = False) -> Spans:
    """Return the places of a source in which an expression always is a tensor of known rank, or a number of Python."""
    of_scalars = (Const, Int, Scalar) if or_number else ()

    def is_known(value: Value) -> bool:
        if isinstance(value, Choice):
            return all(is_known(option) for _, option in value.options)
        return (isinstance(value, Tensor) and value.shape.is_ranked) or (
            isinstance(value, of_scalars) and value != NONE
        )

    return set() if tracer.observed is None else tracer.observed.places(source.filename, is_known)


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
