"""Check of one file: traced as a script and function by function, with what it imports, and judged by the rules.

What is found in a file does not depend on which others are checked beside it, so files can be checked in any order, in
several processes, or not at all where nothing has changed that they depend on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial

from shapecheck import ir
from shapecheck.checker.trace_file import trace_file
from shapecheck.dataflow.calls.transcripts import Transcripts
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.tracer import Tracer
from shapecheck.domain.values import Const, Guard, Tensor, Value, walk
from shapecheck.file_result import FileResult, Statistics, Syntax
from shapecheck.findings import Certainty, Finding, Severity
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.python_syntax import module_of
from shapecheck.rules.rule import judge
from shapecheck.shapes.solve import reset
from shapecheck.source import Place, Source

MOST_EXPENSIVE = 10
"""The number of places per file of which the statistics tell what they cost."""
TracerCallback = Callable[[Tracer, FileResult], None]


def check(
    parsed: ParsedFiles,
    source: Source,
    on_traced: TracerCallback | None = None,
    *,
    observe: bool = False,
    at_rest: Callable[[Tracer], object] | None = None,
    on_clash: Callable[[Clash], object] | None = None,
    transcripts: Transcripts | None = None,
) -> FileResult:
    """Return the result of a file that can use a library, independent of earlier files. The tracer is passed to
    `on_traced`, or cleared. For `observe`, and for `at_rest` and `on_clash`, which
    are about the first trace of a trial, see `trace_file`. A trial gives the `transcripts` of the traces before it,
    whose symbols remain different from its own."""
    parsed.files.queries = set()
    if transcripts is None:
        reset()
    tracer = trace_file(parsed, source, observe=observe, at_rest=at_rest, on_clash=on_clash, transcripts=transcripts)
    findings = tuple(judge(tracer.clashes, tracer.graph))
    problems = tuple(dict.fromkeys(tracer.diagnostics.problems))
    statistics, were_read = _statistics(tracer), tracer.options.were_read
    data_files = tuple(tracer.program.data.found)
    is_version_decisive = tracer.program.is_version_decisive
    again = partial(trace_file, parsed, source, observe=observe, is_later=True)
    _done(tracer, findings, on_traced)
    if were_read:
        findings += _without_options(again, findings, on_traced)
    if data_files:
        findings += _with_data(again, findings, data_files, on_traced)
    if is_version_decisive:
        findings += _in_keras_3(again, findings, on_traced)
    return FileResult(findings, problems, statistics, parsed.files.queries_with_answers())


def brief(parsed: ParsedFiles, source: Source) -> tuple[FileResult, set[Place]]:
    """Return what the first part of the trace of a file as a script finds, and the places of the operations there."""
    parsed.files.queries = set()
    reset()
    tracer = trace_file(parsed, source, is_brief=True)
    result = FileResult(tuple(judge(tracer.clashes, tracer.graph)))
    reached = {step.place for step in tracer.graph.steps}
    vars(tracer).clear()
    return result, reached


def _without_options(
    again: Callable[..., Tracer], told: tuple[Finding, ...], on_traced: TracerCallback | None
) -> tuple[Finding, ...]:
    """Return the additional findings that are proved if the program runs without options, so that their defaults
    hold."""
    tracer = again(use_defaults=True)
    places = {(finding.code, finding.place) for finding in told}
    clashes = [clash for clash in tracer.clashes if not _rests_on(tracer.options.left_open, clash.guards)]
    findings = tuple(
        replace(finding, guards=(*finding.guards, "the program runs without options"))
        for finding in judge(clashes, tracer.graph)
        if finding.certainty is Certainty.PROVED and (finding.code, finding.place) not in places
    )
    _done(tracer, findings, on_traced)
    return findings


def _with_data(
    again: Callable[..., Tracer],
    told: tuple[Finding, ...],
    names: tuple[str, ...],
    on_traced: TracerCallback | None,
) -> tuple[Finding, ...]:
    """Return the additional findings, as warnings, that are proved on every path if the files that the program reads
    are those beside it."""
    tracer = again(with_data=True)
    places = {finding.place for finding in told}
    clashes = [clash for clash in tracer.clashes if not clash.guards]
    findings = tuple(
        replace(finding, severity=Severity.WARNING, guards=(_as_found(_behind(finding, tracer.graph, names)),))
        for finding in judge(clashes, tracer.graph)
        if finding.place not in places and finding.severity is Severity.ERROR and finding.certainty is Certainty.PROVED
    )
    _done(tracer, findings, on_traced)
    return findings


def _behind(finding: Finding, graph: Graph, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files that the operands of a finding are made of, all of these names if the graph does not tell."""
    steps = graph.ancestors([finding.step or 0])
    given = {part.value for step in steps for arg in step.args for part in walk(arg) if isinstance(part, Const)}
    return tuple(name for name in names if name in given) or names


def _as_found(names: tuple[str, ...]) -> str:
    return f"{' and '.join(names)} {'are' if names[1:] else 'is'} as found beside the program"


def _in_keras_3(
    again: Callable[..., Tracer], told: tuple[Finding, ...], on_traced: TracerCallback | None
) -> tuple[Finding, ...]:
    """Return the additional findings, as warnings, that hold if a program that does not tell its version of Keras is
    run with the present one."""
    tracer = again(for_keras_3=True)
    places = {finding.place for finding in told}
    findings = tuple(
        replace(finding, severity=Severity.WARNING, guards=(*finding.guards, "Keras 3 runs the program"))
        for finding in judge(tracer.clashes, tracer.graph)
        if finding.place not in places and finding.severity is Severity.ERROR
    )
    _done(tracer, findings, on_traced)
    return findings


def _rests_on(values: AbstractSet[Value], guards: Guard) -> bool:
    """Return whether a path is taken only for some of these values."""
    return any(part in values for condition, _ in guards for part in _parts(condition))


def _parts(condition: object) -> Iterator[object]:
    """Yield the values that a condition compares; a condition that is no comparison is a value itself."""
    for part in condition if isinstance(condition, tuple) else (condition,):
        yield from _parts(part) if isinstance(part, tuple) else (part,)


def _done(tracer: Tracer, findings: tuple[Finding, ...], on_traced: TracerCallback | None) -> None:
    if on_traced is not None:
        on_traced(tracer, FileResult(findings))
    else:
        vars(tracer).clear()  # it refers to itself in many ways


def syntax(parsed: ParsedFiles, source: Source) -> Syntax:
    """Return the syntax errors of a file; the frontend parses one that no analysis needed only if this Python rejects
    it."""
    if source.filename not in parsed.modules and source.filename not in parsed.unparsable and not _parses(source):
        parsed.lowered(source)
    if source.filename in parsed.unparsable:
        error = parsed.unparsable[source.filename][1]
        fault = (ir.Fault(error.message, error.offset),)
        return Syntax(unread=fault) if _parses(source) else Syntax(fault)
    module = parsed.modules.get(source.filename)
    return Syntax() if module is None else Syntax(module.faults)


def _parses(source: Source) -> bool:
    """Return whether this Python accepts the text; much cheaper than the frontend, which decides."""
    return module_of(source.code) is not None


def _statistics(tracer: Tracer) -> Statistics:
    told = tracer.diagnostics
    endings = Counter(tracer.component(Endings).lines())
    known, total = known_tensors(tracer.graph)
    spent = Counter(tracer.budget.most_expensive(MOST_EXPENSIVE))
    return Statistics(known, total, told.unmodelled, told.lost_reasons, tracer.budget.exhausted, endings, spent)


def known_tensors(graph: Graph) -> tuple[int, int]:
    """Return how many results of library calls have a known shape, and how many there are."""
    results = (step.result for step in graph.steps if step.kind == "op" and step.result is not None)
    shapes = [value.shape for result in results for value in walk(result) if isinstance(value, Tensor)]
    return sum(shape.is_ranked for shape in shapes), len(shapes)
