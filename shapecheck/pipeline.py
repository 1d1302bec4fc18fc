"""From paths to findings: the whole run, in the order of its parts.

source text ─ frontend ─▶ IR ─ dataflow ─▶ graph and clashes ─ rules ─▶ findings ─ suppress ─▶ result
"""

from __future__ import annotations

import ast
import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import baseline, discover, ir, suppress
from shapecheck.config import Config
from shapecheck.dataflow.entries import Progress, trace
from shapecheck.dataflow.join import generalise
from shapecheck.dataflow.project import Project
from shapecheck.dataflow.tracer import Tracer
from shapecheck.findings import Finding
from shapecheck.frontend import notebook
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.models.lang.context import Target
from shapecheck.notices import SYNTAX_ERROR
from shapecheck.rules.rule import judge
from shapecheck.shapes.text import show, show_size
from shapecheck.source import Place, Source, UnreadableSource, read
from shapecheck.values import Choice, Tensor, Value, walk

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class Statistics:
    """What was and was not followed: library results with a known shape, names without a model, reasons for losses,
    budgets that ran out."""

    tensors_known: int = 0
    tensors_total: int = 0
    unmodelled: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    budgets: int = 0


@dataclass(frozen=True)
class Result:
    """Everything a run found.  `checked` names the files, `problems` are one-line messages for standard error."""

    findings: list[Finding]
    checked: list[str]
    statistics: Statistics
    problems: list[str]
    modules: dict[str, ir.Module]
    tracer: Tracer
    compared: baseline.Compared


@dataclass(frozen=True, slots=True)
class Revealed:
    """An expression and the shape it was seen to have."""

    filename: str
    cell: int | None
    row: int
    column: int
    end_row: int
    end_column: int
    text: str
    shape: str
    dtype: str | None
    tensor: Tensor


def check(
    paths: Sequence[str | Path], config: Config, *, stdin: str | None = None, progress: Progress | None = None
) -> Result:
    """Checks files and folders; `stdin` is the text that the path `-` stands for."""
    found = discover.find(paths, config)
    problems = list(found.problems)
    sources = _read(found.files, problems)
    if stdin is not None:
        sources.append(_standard_input(stdin, config.stdin_filename))
    tracer = run(sources, config, progress=progress)
    broken = _syntax_errors(tracer.project, sources, problems)
    findings = [*judge(tracer.clashes, tracer.graph), *broken]
    by_name = {source.filename: source for source in sources}
    findings = suppress.apply(findings, tracer.project.modules, config, by_name)
    compared = baseline.against(config.baseline, findings, by_name)
    problems += dict.fromkeys(tracer.problems)
    statistics = _statistics(tracer)
    return Result(compared.new, sorted(by_name), statistics, problems, tracer.project.modules, tracer, compared)


def run(sources: list[Source], config: Config, *, observe: bool = False, progress: Progress | None = None) -> Tracer:
    """Traces sources; with `observe` every expression's value is kept."""
    tracer = Tracer(Project(sources, _target(config)))
    if observe:
        tracer.observed = {}
    with _without_collector():
        with_deep_stack(lambda: trace(tracer, sources, progress))
    return tracer


@contextmanager
def _without_collector() -> Iterator[None]:
    """No search for cycles meanwhile: a tracer makes next to none, and the search costs a fifth of the run."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def reveal(path: str | Path, line: int | None, config: Config, cell: int | None = None) -> list[Revealed]:
    """The shape of every tensor expression of a file, or of one line of it, which is counted in a cell where one is
    given; raises UnreadableSource."""
    source = _source(Path(path))
    tracer = run([source], config, observe=True)
    revealed = []
    for (filename, start, end), value in sorted((tracer.observed or {}).items()):
        tensor, shape = _shown(value)
        if filename != source.filename or tensor is None:
            continue
        place = Place(source, start, end)
        if line in (None, place.row) and cell in (None, place.cell):
            where = (place.cell, place.row, place.column, place.end_row, place.end_column)
            revealed.append(Revealed(filename, *where, place.text, shape, tensor.dtype, tensor))
    return revealed


def _shown(value: Value) -> tuple[Tensor | None, str]:
    """A tensor and the text of its shape; sizes that differ between paths are told as `4|5`."""
    if isinstance(value, Tensor):
        return value, show(value.shape)
    options = [option for _, option in value.options if isinstance(option, Tensor)] if isinstance(value, Choice) else []
    if not isinstance(value, Choice) or len(options) < len(value.options):
        return None, ""
    whole: Value = options[0]
    for option in options[1:]:
        whole = generalise(whole, option)
    if not isinstance(whole, Tensor):
        return None, ""
    if not all(option.shape.is_ranked and option.shape.rank == options[0].shape.rank for option in options):
        return whole, show(whole.shape)
    sizes = [
        "|".join(dict.fromkeys(map(show_size, sizes))) for sizes in zip(*(o.shape.sizes for o in options), strict=True)
    ]
    return whole, f"({', '.join(sizes)})" if len(sizes) != 1 else f"({sizes[0]},)"


def graph(path: str | Path, config: Config) -> networkx.MultiDiGraph[int]:
    """The dataflow graph of a file and what it imports, with plain attributes; raises UnreadableSource."""
    traced = run([_source(Path(path))], config).graph
    digraph = traced.digraph()
    for step in traced.steps:
        attributes = digraph.nodes[step.id]
        attributes.clear()
        attributes |= {"kind": step.kind, "name": step.name, "shape": _shapes(step.result), "place": str(step.place)}
        if step.frames:
            attributes["function"] = step.frames[-1].function
    for _, _, attributes in digraph.edges(data=True):
        if not attributes["output"]:
            del attributes["output"]
    return digraph


def _shapes(result: Value | None) -> str:
    tensors = [value for value in walk(result) if isinstance(value, Tensor)] if result is not None else []
    return ", ".join(show(tensor.shape) for tensor in tensors)


def _read(files: Sequence[Path], problems: list[str]) -> list[Source]:
    sources = []
    for path in files:
        try:
            sources.append(_source(path))
        except UnreadableSource as error:
            problems.append(str(error))
    return sources


def _source(path: Path) -> Source:
    """The program in a file; raises UnreadableSource."""
    return notebook.read(path) if path.suffix == notebook.SUFFIX else read(path)


def _standard_input(text: str, filename: str) -> Source:
    return notebook.program(text.encode(), filename) if filename.endswith(notebook.SUFFIX) else Source(filename, text)


def _target(config: Config) -> Target:
    """The library versions that the configuration names."""

    def major(name: str) -> int | None:
        text = str(config.target.get(name, "")).split(".")[0]
        return int(text) if text.isdigit() else None

    return Target(major("tensorflow"), major("keras"), major("numpy"))


def _syntax_errors(project: Project, sources: Sequence[Source], problems: list[str]) -> list[Finding]:
    """A finding for every file that does not parse, also for those that no tracing needed; a problem for what Python
    would read and the frontend does not."""
    for source in sources:
        known = source.filename in project.modules or any(s is source for s, _ in project.unparsable)
        if not known and not _parses(source):
            project.lowered(source)
    broken = []
    for source, error in project.unparsable:
        if _parses(source) and source in sources:
            problems.append(f"{Place(source, error.offset, error.offset)}: not checked: {error.message}")
        else:
            broken.append((source, ir.Fault(error.message, error.offset)))
    for source in sources:
        module = project.modules.get(source.filename)
        broken += [(source, fault) for fault in module.faults] if module is not None else []
    return [_syntax_error(source, fault) for source, fault in broken if source in sources]


def _parses(source: Source) -> bool:
    """Whether this Python accepts the text; much cheaper than the frontend, which has the last word."""
    try:
        ast.parse(source.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _syntax_error(source: Source, fault: ir.Fault) -> Finding:
    offset = min(fault.start, len(source.text))
    return SYNTAX_ERROR.finding(Place(source, offset, offset), fault.message)


def _statistics(tracer: Tracer) -> Statistics:
    known = total = 0
    for step in tracer.graph.steps:
        if step.kind == "op" and step.result is not None:
            for value in walk(step.result):
                if isinstance(value, Tensor):
                    total += 1
                    known += value.shape.is_ranked
    return Statistics(known, total, tracer.unmodelled, tracer.lost_reasons, tracer.budgets)
