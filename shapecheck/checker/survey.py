"""What a report shows of a file beside its findings: the shapes in each row, its models, and drawings of its faults."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from shapecheck import ir
from shapecheck.checker.check_file import known_tensors
from shapecheck.checker.inspect import shown
from shapecheck.checker.model_tables import model_tables
from shapecheck.checker.parallel import WORTH_SHARING
from shapecheck.checker.pipeline import Result, source_of, target_of
from shapecheck.checker.trace_file import trace_file
from shapecheck.config import Config
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.tracer import Tracer
from shapecheck.domain.values import Choice, Lost, Seq, Tensor, Value
from shapecheck.findings import Finding
from shapecheck.ir.walk import nodes_in
from shapecheck.progress import Progress
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.versions import common_target
from shapecheck.report.drawing import dataflow, models
from shapecheck.report.drawing.svg import svg
from shapecheck.report.html.page import FileSurvey, ModelPicture, Note, Pictures, key_of
from shapecheck.report.model_table import ModelTable, title
from shapecheck.rules.rule import judge_calls
from shapecheck.shapes.size import symbols
from shapecheck.shapes.solve import reset
from shapecheck.source import Source

_MOST_ITEMS = 4


def survey(parsed: ParsedFiles, source: Source, findings: Sequence[Finding]) -> FileSurvey:
    """Return what is shown of a file with these findings."""
    if not parsed.reaches_libraries(source):
        return FileSurvey(source)
    reset()
    tracer = trace_file(parsed, source, observe=True)
    tables = [table for table in model_tables(tracer) if table.place.filename == source.filename]
    steps = {key_of(finding): call.step for finding, call in judge_calls(tracer.clashes, tracer.graph)}
    pictures = {
        key_of(finding): _pictures(parsed, tracer, finding, steps[key_of(finding)], tables)
        for finding in findings
        if key_of(finding) in steps
    }
    known, total = known_tensors(tracer.graph)
    drawn = [
        ModelPicture(title(table), _row(source, table.place.start), svg(models.drawing(table))) for table in tables
    ]
    notes = sorted(_notes(parsed, tracer, source), key=lambda note: note.row)
    vars(tracer).clear()
    return FileSurvey(source, notes, drawn, known, total, pictures)


# Drawings ----------------------------------------------------------------------------------------------------------


def _pictures(
    parsed: ParsedFiles, tracer: Tracer, finding: Finding, step: Step, tables: Sequence[ModelTable]
) -> Pictures:
    flow = dataflow.slice_of(tracer.graph, step)
    drawn = svg(flow) if len(flow.nodes) > 1 else ""
    about = [table for table in tables if _contains(table, finding)]
    table = next(iter(about or [table for table in tables if _leads_to(table, finding)]), None)
    if table is None:
        return Pictures(drawn)
    return Pictures(drawn, svg(models.drawing(table)), _fixed(parsed, finding, table))


def _contains(table: ModelTable, finding: Finding) -> bool:
    """Return whether a finding is about a layer of a model, or about making it."""
    places = [table.place, *(row.place for row in table.rows if row.is_faulty)]
    around = [place for place in places if place.start <= finding.place.start and finding.place.end <= place.end]
    return table.is_faulty and bool(around)


def _leads_to(table: ModelTable, finding: Finding) -> bool:
    """Return whether a shape of a finding comes from a model, or its fix changes it."""
    fixed = finding.fix.edits if finding.fix is not None else ()
    origins = [edit.place for edit in fixed] + [each.origin for each in finding.operands if each.origin is not None]
    return any(
        origin.filename == place.filename and place.start <= origin.start and origin.end <= place.end
        for origin in origins
        for place in (table.place, *(row.place for row in table.rows))
    )


def _fixed(parsed: ParsedFiles, finding: Finding, table: ModelTable) -> str:
    """Return the drawing of a model after the first fix; empty if there is none."""
    if finding.fix is None:
        return ""
    source = finding.fix.edits[0].place.source
    changed = source.edited([(edit.place.start, edit.place.end, edit.text) for edit in finding.fix.edits])
    tracer = trace_file(parsed.with_changed(changed), changed)
    after = [each for each in model_tables(tracer) if (each.name, each.kind) == (table.name, table.kind)]
    vars(tracer).clear()
    return svg(models.drawing(after[0])) if after else ""


# Shapes in the margin ----------------------------------------------------------------------------------------------


def _notes(parsed: ParsedFiles, tracer: Tracer, source: Source) -> Iterator[Note]:
    """Yield a note for each variable that a row binds, otherwise for its outermost expression."""
    module = parsed.lowered(source)
    if module is None:
        return
    values = {} if tracer.observed is None else tracer.observed.in_file(source.filename)
    for node in nodes_in(module.body):
        bound = [target for each in _targets(node) for target in _names(each)]
        for expression in bound or _expressions(node):
            value = values.get((expression.start, expression.end))
            text = source.text[expression.start : expression.end] if bound else ""
            if value is not None:
                yield from _note(tracer, value, _row(source, expression.start), " ".join(text.split()))


def _targets(node: ir.Node) -> tuple[ir.Expr, ...]:
    match node:
        case ir.Assign(targets=targets):
            return targets
        case ir.Annotated(target=target) | ir.Augmented(target=target) | ir.For(target=target):
            return (target,)
        case ir.With(items=items):
            return tuple(target for _, target in items if target is not None)
    return ()


def _names(target: ir.Expr) -> Iterator[ir.Expr]:
    match target:
        case ir.Display(items=items):
            for item in items:
                yield from _names(item)
        case ir.Starred(value=value):
            yield from _names(value)
        case ir.Name() | ir.Attribute():
            yield target


def _expressions(node: ir.Node) -> tuple[ir.Expr, ...]:
    match node:
        case ir.Evaluate(value=value) | ir.Return(value=value) if value is not None:
            return (value,)
    return ()


def _note(tracer: Tracer, value: Value, row: int, text: str) -> Iterator[Note]:
    frozen = tracer.freeze(value)
    items = frozen.items if isinstance(frozen, Seq) else (frozen,)
    if any(isinstance(item, Tensor) for item in items) and len(items) <= _MOST_ITEMS:
        told = [shown(item) for item in items]
        shapes = ", ".join(shape or "…" for _, shape in told)
        if len(told) == 1 and told[0][0] is not None and not told[0][0].shape.is_ranked and not told[0][0].shape.known:
            yield Note(row, text, "", _unranked(tracer, told[0][0]))
        else:
            yield Note(row, text, shapes, "; ".join(filter(None, map(_more, (tensor for tensor, _ in told)))))
    elif isinstance(frozen, Lost) and text:
        yield Note(row, text, "", frozen.reason)
    elif isinstance(frozen, Choice):
        tensor, shape = shown(frozen)
        if tensor is not None:
            yield Note(row, text, shape, _more(tensor))


def _more(tensor: Tensor | None) -> str:
    """Return the dtype of a tensor, and why sizes of it are not known."""
    if tensor is None:
        return ""
    lost = {symbol.why for size in tensor.shape.known for symbol in symbols(size) if symbol.kind.is_lost and symbol.why}
    return ", ".join(filter(None, (tensor.dtype, *(f"?: {why}" for why in sorted(lost)))))


def _unranked(tracer: Tracer, tensor: Tensor) -> str:
    if not tensor.step or tensor.step > len(tracer.graph.steps):
        return "shape not known"
    return f"the shape of {tracer.graph[tensor.step].name.removesuffix('.__call__')} is not known here"


def _row(source: Source, offset: int) -> int:
    return source.position(offset)[0]


# All files ---------------------------------------------------------------------------------------------------------


_shared: list[tuple[ParsedFiles, Sequence[Finding]]] = []


def surveys(result: Result, config: Config, progress: Progress | None = None) -> list[FileSurvey]:
    """Return what is shown of each checked file, in the order of their names."""
    at = progress or (lambda done, total: None)
    sources = [source_of(Path(name)) for name in result.checked]
    parsed = ParsedFiles(sources, common_target([source.text for source in sources], target_of(config)))
    _shared[:] = [(parsed, result.findings)]
    found = []
    for number, each in enumerate(_surveyed(sources, config.jobs or 1), 1):
        found.append(each)
        at(number, len(sources))
    return found


def _surveyed(sources: Sequence[Source], jobs: int) -> Iterator[FileSurvey]:
    lines = sum(len(source.line_starts) for source in sources)
    if jobs == 1 or len(sources) == 1 or lines < WORTH_SHARING or sys.platform != "linux":
        yield from map(_survey_shared, sources)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Processes that are copies of this one have what is shared.
    with ProcessPoolExecutor(min(jobs, len(sources)), multiprocessing.get_context("fork")) as pool:
        yield from pool.map(_survey_shared, sources)


def _survey_shared(source: Source) -> FileSurvey:
    parsed, findings = _shared[0]
    try:
        return survey(parsed, source, findings)
    except Exception as error:
        if os.environ.get("SHAPECHECK_DEBUG"):
            raise
        told = f"{source.filename}: not drawn: internal error, please report it: {type(error).__name__}: {error}"
        return FileSurvey(source, problem=told)
