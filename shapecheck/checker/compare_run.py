"""Comparison of a program's run with the predictions of its analysis."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck import ir
from shapecheck.checker.pipeline import source_of
from shapecheck.checker.trace_file import trace_file
from shapecheck.dataflow.interpreter.assembly import SEMANTICS
from shapecheck.dataflow.stages.retracing import certain_traces
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.program import Program
from shapecheck.dataflow.tracer import Tracer
from shapecheck.domain.join import alike
from shapecheck.domain.values import Value
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.versions import COMPAT, common_target
from shapecheck.runtime.recording.compare import Judgement, Level, StageJudgement, judge, judge_stage, stages_of
from shapecheck.runtime.recording.observe import Observation, RecordedRun, Settings, Span, observe
from shapecheck.source import Place, Source, read
from shapecheck.target import Target

MOST_VALUES = 64


@dataclass(frozen=True, slots=True)
class Compared:
    """A place, the observation there, and the judgement on the prediction."""

    place: Place
    observation: Observation
    judgement: Judgement
    stage: StageJudgement | None = None


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

    def reasons(self, level: Level) -> Counter[str]:
        return Counter(item.judgement.reason for item in self.places if item.judgement.level is level)

    def wrong(self) -> Iterator[Compared]:
        return (item for item in self.places if item.judgement.level is Level.WRONG)


class RecordingTracer(Tracer):
    """A tracer that records the different values of every expression, and its stages where scripts reach it."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, SEMANTICS)
        self.observed = {}
        self.values: dict[Span, list[Value]] = {}
        self.stages: dict[Span, dict[str, None]] = {}

    def observe(self, node: ir.Node, frame: Frame, value: Value) -> None:
        span = (frame.source.filename, node.start, node.end)
        if not self.is_standalone:
            self.stages.setdefault(span, {}).update(dict.fromkeys(stages_of(value)))
        values = self.values.setdefault(span, [])
        if len(values) < MOST_VALUES and not any(alike(other, value) for other in values):
            values.append(value)


def compare(settings: Settings, *, log: Path | None = None, output_to_errors: bool = False) -> Comparison:
    """Run a program, trace it and compare; raises UnreadableSource. For the log, see `observe`."""
    source = source_of(Path(os.path.abspath(settings.script)))
    observed = observe(settings, log=log, output_to_errors=output_to_errors)
    tracer = predictions(source, settings)
    comparison = Comparison(observed, problems=list(dict.fromkeys(tracer.diagnostics.problems)))
    for span, observations in sorted(observed.observations.items()):
        judgement, observation = judge(tracer.values.get(span, ()), observations, observed.cuts)
        filename, start, end = span
        place = Place(_source(tracer, filename), start, end)
        is_staged = not settings.tf1 and COMPAT.search(place.source.text) is None
        stage = judge_stage(tracer.stages.get(span, ()), observations) if is_staged else None
        comparison.places.append(Compared(place, observation, judgement, stage))
    if observed.status == 0 and not observed.cuts and not settings.tf1:
        comparison.traces += _traces(tracer, observed.traces)
    return comparison


def _traces(tracer: Tracer, seen: Mapping[tuple[str, int], int]) -> Iterator[Traces]:
    """Yield the traced functions of modules; others may be gone, with their traces, when the program ends."""
    certain = certain_traces(tracer)
    for key in range(len(tracer.functions)):
        definition = tracer.functions[key]
        node, source = definition.node, definition.frame.source
        decorators = node.decorators if isinstance(node, ir.FunctionDef) else ()
        place = Place(source, *((decorators[0].start, node.end) if decorators else (node.start, node.end)))
        count = seen.get((source.filename, place.row), 0)
        if definition.frame.kind == "module" and (count or certain[key]):
            yield Traces(place, node.name if isinstance(node, ir.FunctionDef) else "<lambda>", count, certain[key])


def predictions(source: Source, settings: Settings) -> RecordingTracer:
    """Return the trace of a script and of what it imports."""
    target = Target(1 if settings.tf1 else 2, 2 if settings.keras2 else 3)
    root = Path(settings.root).absolute() if settings.root else None
    tracer = trace_file(
        ParsedFiles([source], common_target([source.text], target)), source, make=RecordingTracer, root=root
    )
    assert isinstance(tracer, RecordingTracer)
    return tracer


def _source(tracer: Tracer, filename: str) -> Source:
    return tracer.program.sources.get(filename) or read(Path(filename))
