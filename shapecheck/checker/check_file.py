"""One file on its own: traced as a script and function by function, with what it imports, and judged.

What is found in a file does not depend on which others are checked beside it, so files can be checked in any order, in
several processes, or not at all where nothing has changed that they depend on.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from shapecheck import ir
from shapecheck.dataflow.entry_points import trace
from shapecheck.dataflow.interpreter.assembly import new_tracer
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.program import Program
from shapecheck.dataflow.tracer import Tracer
from shapecheck.domain.values import Guard, Tensor, Value, walk
from shapecheck.file_result import FileResult, Statistics, Syntax
from shapecheck.findings import Certainty, Finding
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.python_syntax import module_of
from shapecheck.rules.rule import judge
from shapecheck.shapes.solve import forget
from shapecheck.source import Source

Keep = Callable[[Tracer, FileResult], None]


def check(parsed: ParsedFiles, source: Source, keep: Keep | None = None) -> FileResult:
    """Checks one file that can use a library, as if it were the first; the tracer is given to `keep`, or emptied."""
    parsed.files.asked = set()
    forget()
    tracer = trace_file(parsed, source)
    findings = tuple(judge(tracer.clashes, tracer.graph))
    problems = tuple(dict.fromkeys(tracer.diagnostics.problems))
    statistics, were_read = _statistics(tracer), tracer.options.were_read
    _done(tracer, findings, keep)
    if were_read:
        findings += _without_options(parsed, source, findings, keep)
    return FileResult(findings, problems, statistics, parsed.files.asked_with_answers())


def _without_options(
    parsed: ParsedFiles, source: Source, told: tuple[Finding, ...], keep: Keep | None
) -> tuple[Finding, ...]:
    """What must fail besides when the program runs without any options, so that their defaults hold."""
    tracer = trace_file(parsed, source, use_defaults=True)
    places = {(finding.code, finding.place) for finding in told}
    clashes = [clash for clash in tracer.clashes if not _rests_on(tracer.options.left_open, clash.guards)]
    findings = tuple(
        replace(finding, guards=(*finding.guards, "the program runs without options"))
        for finding in judge(clashes, tracer.graph)
        if finding.certainty is Certainty.PROVED and (finding.code, finding.place) not in places
    )
    _done(tracer, findings, keep)
    return findings


def _rests_on(values: AbstractSet[Value], guards: Guard) -> bool:
    """Whether a path is taken only for some of these values."""
    return any(part in values for condition, _ in guards for part in _parts(condition))


def _parts(condition: object) -> Iterator[object]:
    """The values that a condition compares; one that is no comparison is a value itself."""
    for part in condition if isinstance(condition, tuple) else (condition,):
        yield from _parts(part) if isinstance(part, tuple) else (part,)


def _done(tracer: Tracer, findings: tuple[Finding, ...], keep: Keep | None) -> None:
    if keep is not None:
        keep(tracer, FileResult(findings))
    else:
        vars(tracer).clear()  # it refers to itself in many ways


def trace_file(
    parsed: ParsedFiles,
    source: Source,
    *,
    make: Callable[[Program], Tracer] = new_tracer,
    observe: bool = False,
    use_defaults: bool = False,
    root: Path | None = None,
) -> Tracer:
    """Return the tracer of a file after its analysis; `make` makes it.

    With `observe` every expression's value is kept; with `use_defaults` the program has an empty command line; `root`
    is a folder to look for imports in, besides.
    """
    tracer = make(Program(parsed, parsed.checked, root))
    tracer.options.use_defaults = use_defaults
    if observe:
        tracer.observed = {}
    with without_collector():
        with_deep_stack(lambda: trace(tracer, [source]))
    return tracer


@contextmanager
def without_collector() -> Iterator[None]:
    """No search for cycles meanwhile: a tracer makes next to none, and the search costs a fifth of the run."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def syntax(parsed: ParsedFiles, source: Source) -> Syntax:
    """How a file parses; for one that nothing needed, this Python says whether the frontend is asked."""
    if source.filename not in parsed.modules and source.filename not in parsed.unparsable and not _parses(source):
        parsed.lowered(source)
    if source.filename in parsed.unparsable:
        error = parsed.unparsable[source.filename][1]
        fault = (ir.Fault(error.message, error.offset),)
        return Syntax(unread=fault) if _parses(source) else Syntax(fault)
    module = parsed.modules.get(source.filename)
    return Syntax() if module is None else Syntax(module.faults)


def _parses(source: Source) -> bool:
    """Whether this Python accepts the text; much cheaper than the frontend, which has the last word."""
    return module_of(source.code) is not None


def _statistics(tracer: Tracer) -> Statistics:
    known = total = 0
    for step in tracer.graph.steps:
        if step.kind == "op" and step.result is not None:
            for value in walk(step.result):
                if isinstance(value, Tensor):
                    total += 1
                    known += value.shape.is_ranked
    told = tracer.diagnostics
    endings = Counter(tracer.component(Endings).lines())
    return Statistics(known, total, told.unmodelled, told.lost_reasons, tracer.budget.exhausted, endings)
