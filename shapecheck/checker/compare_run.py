"""Comparison of a program's run with the predictions of its analysis."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck import ir
from shapecheck.checker.pipeline import source_of
from shapecheck.checker.predictions import Predictions, RecordingTracer, Statements, Wanted, file_of
from shapecheck.checker.trace_file import trace_file
from shapecheck.dataflow.entry_points import trace_apart, trace_unread
from shapecheck.dataflow.stages.retracing import certain_traces
from shapecheck.dataflow.state.program import Program
from shapecheck.dataflow.tracer import Tracer
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.frontend.lower import lower
from shapecheck.frontend.unparsable import UnparsableSource
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.versions import COMPAT, common_target
from shapecheck.runtime.recording.compare import STAGES, Judgement, Level, StageJudgement, judge, judge_stage
from shapecheck.runtime.recording.observe import CallPath, Observation, RecordedRun, Settings, Span, observe
from shapecheck.source import Place, Source, UnreadableSource
from shapecheck.target import Target


@dataclass(frozen=True, slots=True)
class Compared:
    """A place, its worst predicted observation with the judgement on it, and the judgements by call path."""

    place: Place
    observation: Observation
    judgement: Judgement
    stage: StageJudgement | None = None
    contexts: tuple[Judgement, ...] = ()


@dataclass(frozen=True, slots=True)
class Traces:
    """A traced function, how often it was traced, and how many traces are certain for the analysis."""

    place: Place
    name: str
    seen: int
    certain: int


@dataclass(slots=True)
class Comparison:
    """The result of one run, compared with its predictions."""

    observed: RecordedRun
    places: list[Compared] = field(default_factory=list)
    traces: list[Traces] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def stage_counts(self) -> Counter[Level]:
        return Counter(item.stage.level for item in self.places if item.stage is not None)

    def wrong_stages(self) -> Iterator[Compared]:
        return (item for item in self.places if item.stage is not None and item.stage.level is Level.WRONG)

    def wrong_traces(self) -> Iterator[Traces]:
        """Return the functions with fewer traces than are certain; one that is gone when the program ends has none."""
        return (each for each in self.traces if 0 < each.seen < each.certain)

    def is_wrong(self) -> bool:
        """Return whether any prediction was wrong."""
        return any(next(found, None) for found in (self.wrong(), self.wrong_stages(), self.wrong_traces()))

    def counts(self, filename: str | None = None) -> Counter[Level]:
        return Counter(item.judgement.level for item in self.places if filename in (None, item.place.filename))

    def weights(self) -> Counter[Level]:
        """Return how many places there are on all call paths together, by level."""
        return Counter(each.level for item in self.places for each in item.contexts)

    def reasons(self, level: Level) -> Counter[str]:
        """Return the reasons for a level, by the number of places on all call paths."""
        return Counter(each.reason for item in self.places for each in item.contexts if each.level is level)

    def wrong(self) -> Iterator[Compared]:
        return (item for item in self.places if item.judgement.level is Level.WRONG)


def compare(settings: Settings, *, log: Path | None = None, output_to_errors: bool = False) -> Comparison:
    """Run a program, trace it and compare; raises UnreadableSource. For the log, see `observe`."""
    script = script_of(settings)
    source = None if script is None else source_of(script)
    observed = observe(settings, log=log, output_to_errors=output_to_errors)
    files = _Files()
    statements = Statements(files.module)
    predictions = Predictions(_wanted(observed, statements), statements)
    tracers = [
        _traced(each, predictions, settings, observed.files, is_main=each is source)
        for each in _entered(source, observed, files)
    ]
    _trace_rest(tracers, observed.files)
    problems = [problem for tracer in tracers for problem in tracer.diagnostics.problems]
    comparison = Comparison(observed, problems=list(dict.fromkeys(problems)))
    for span, observations in sorted(observed.observations.items()):
        filename, start, end = span
        place = Place(files.source(filename), start, end)
        is_staged = not settings.tf1 and COMPAT.search(place.source.text) is None
        stage = judge_stage(predictions.stages.get(span, ()), observations) if is_staged else None
        comparison.places.append(_compared(place, span, observations, predictions, observed, stage))
    if observed.status == 0 and not observed.cuts and not settings.tf1 and source is not None:
        comparison.traces += _traces(tracers[0], observed.traces)
    return comparison


def script_of(settings: Settings) -> Path | None:
    """Return the file that runs as `__main__`; None for a module that is not the program's own."""
    if not settings.is_module:
        return Path(os.path.abspath(settings.script))
    stem = Path(os.path.abspath(settings.folder), *settings.script.split("."))
    found = (path for path in (stem.with_suffix(".py"), stem / "__main__.py") if path.is_file())
    return next(found, None)


class _Files:
    """The files of a program, each read once."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}

    def source(self, filename: str) -> Source:
        if filename not in self._sources:
            self._sources[filename] = source_of(Path(filename))
        return self._sources[filename]

    def module(self, filename: str) -> tuple[Source, ir.Module] | None:
        """Return a file and its IR; None if it does not parse."""
        try:
            source = self.source(filename)
            return source, lower(source)
        except (UnreadableSource, UnparsableSource):
            return None


def _wanted(observed: RecordedRun, statements: Statements) -> Wanted:
    paths = {one.path for each in observed.observations.values() for one in each}
    return Wanted(observed.observations, {statements.of(site)[:2] for path in paths for site in path.sites})


def _entered(source: Source | None, observed: RecordedRun, files: _Files) -> Iterator[Source]:
    """Yield the script, and the files whose functions something outside the program calls, as a test runner does."""
    if source is not None:
        yield source
        return
    outermost: dict[str, None] = {}
    for (filename, _, _), observations in observed.observations.items():
        for path in (each.path for each in observations if each.path.is_entry):
            outermost[file_of(path.sites[-1]) if path.sites else filename] = None
    yield from (files.source(filename) for filename in sorted(outermost))


def _compared(
    place: Place,
    span: Span,
    observations: Sequence[Observation],
    predictions: Predictions,
    observed: RecordedRun,
    stage: StageJudgement | None,
) -> Compared:
    """Return the judgement on a place, by the worst one of its call paths."""
    by_path: dict[CallPath, list[Observation]] = {}
    for each in observations:
        by_path.setdefault(each.path, []).append(each)
    judged = []
    for path, seen in by_path.items():
        options, is_exact = predictions.find(span, path)
        found = judge(options, seen, observed.cuts) if options else None
        is_exact = is_exact or any(each.kind in STAGES for each in seen)  # TensorFlow traces functions from anywhere
        if found is None or (found[0].level is Level.WRONG and not is_exact):
            found = Judgement(Level.LOST, predictions.why_not(path)), seen[0]
        elif found[0].level is Level.WRONG and (told := predictions.why_incomplete(path)):
            found = Judgement(Level.LOST, told), seen[0]
        judged.append(found)
    worst, observation = max(judged, key=lambda pair: pair[0].level)
    return Compared(place, observation, worst, stage, tuple(judgement for judgement, _ in judged))


def _traced(
    source: Source, predictions: Predictions, settings: Settings, files: Container[str], *, is_main: bool
) -> RecordingTracer:
    """Return the trace of a file and of what it imports, whose values are added to the predictions.

    The modules among the files that ran are traced even if the analysis, which reads modules on demand, needs them not.
    """
    target = Target(1 if settings.tf1 else 2, 2 if settings.keras2 else 3)

    def make(program: Program) -> RecordingTracer:
        return RecordingTracer(program, predictions)

    tracer = trace_file(
        ParsedFiles([source], common_target([source.text], target)),
        source,
        make=make,
        root=Path(settings.folder).absolute() if settings.root or settings.is_module else None,
        is_main=is_main,
    )
    assert isinstance(tracer, RecordingTracer)
    with_deep_stack(lambda: trace_unread(tracer, files))
    return tracer


def _trace_rest(tracers: Sequence[RecordingTracer], files: Iterable[str]) -> None:
    """Trace the files that ran and that no trace reads, such as those which a package imports for its users."""
    read = {frame.source.filename for tracer in tracers for frame in tracer.frames.values()}
    rest = [filename for filename in files if filename not in read]
    if tracers and rest:
        with_deep_stack(lambda: trace_apart(tracers[-1], rest))


def _traces(tracer: Tracer, seen: Mapping[tuple[str, int], int]) -> Iterator[Traces]:
    """Yield the traced functions. What is certain is compared for those of modules; others, such as methods, may be
    gone with their traces when the program ends."""
    certain = certain_traces(tracer)
    for key in range(len(tracer.functions)):
        definition = tracer.functions[key]
        node, source = definition.node, definition.frame.source
        decorators = node.decorators if isinstance(node, ir.FunctionDef) else ()
        place = Place(source, *((decorators[0].start, node.end) if decorators else (node.start, node.end)))
        count = seen.get((source.filename, place.row), 0)
        expected = certain[key] if definition.frame.kind == "module" else 0
        if count or expected:
            yield Traces(place, node.name if isinstance(node, ir.FunctionDef) else "<lambda>", count, expected)
