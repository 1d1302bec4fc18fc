"""One file on its own: traced as a script and function by function, with what it imports, and judged.

What is found in a file does not depend on which others are checked beside it, so files can be checked in any order, in
several processes, or not at all where nothing has changed that they depend on.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace

from shapecheck import ir
from shapecheck.dataflow.entries import Progress, trace
from shapecheck.dataflow.known import Known
from shapecheck.dataflow.project import Project
from shapecheck.dataflow.tracer import Tracer
from shapecheck.findings import Certainty, Finding
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.outcome import Outcome, Statistics, Syntax
from shapecheck.rules.rule import judge
from shapecheck.shapes.solve import forget
from shapecheck.source import Source
from shapecheck.syntax import module_of
from shapecheck.values import Guard, Tensor, Value, walk

Keep = Callable[[Tracer, Outcome], None]


def check(known: Known, source: Source, keep: Keep | None = None) -> Outcome:
    """Checks one file that can use a library, as if it were the first; the tracer is given to `keep`, or emptied."""
    known.files.asked = set()
    forget()
    tracer = run(known, source)
    findings = tuple(judge(tracer.clashes, tracer.graph))
    problems = tuple(dict.fromkeys(tracer.problems))
    statistics, takes_options = _statistics(tracer), tracer.takes_options
    _done(tracer, findings, keep)
    if takes_options:
        findings += _without_options(known, source, findings, keep)
    return Outcome(findings, problems, statistics, known.files.asked_with_answers())


def _without_options(known: Known, source: Source, told: tuple[Finding, ...], keep: Keep | None) -> tuple[Finding, ...]:
    """What must fail besides when the program runs without any options, so that their defaults hold."""
    tracer = run(known, source, without_options=True)
    places = {(finding.code, finding.place) for finding in told}
    clashes = [clash for clash in tracer.clashes if not _rests_on(tracer.left_open, clash.guards)]
    findings = tuple(
        replace(finding, guards=(*finding.guards, "the program is given no options"))
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
        keep(tracer, Outcome(findings))
    else:
        vars(tracer).clear()  # it refers to itself in many ways


def run(
    known: Known,
    source: Source,
    *,
    observe: bool = False,
    progress: Progress | None = None,
    without_options: bool = False,
) -> Tracer:
    """Traces a file; with `observe` every expression's value is kept, without options defaults hold for them."""
    tracer = Tracer(Project([source], known=known))
    tracer.without_options = without_options
    if observe:
        tracer.observed = {}
    with without_collector():
        with_deep_stack(lambda: trace(tracer, [source], progress))
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


def syntax(known: Known, source: Source) -> Syntax:
    """How a file parses; for one that nothing needed, this Python says whether the frontend is asked."""
    if source.filename not in known.modules and source.filename not in known.unparsable and not _parses(source):
        known.lowered(source)
    if source.filename in known.unparsable:
        error = known.unparsable[source.filename][1]
        fault = (ir.Fault(error.message, error.offset),)
        return Syntax(unread=fault) if _parses(source) else Syntax(fault)
    module = known.modules.get(source.filename)
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
    return Statistics(known, total, tracer.unmodelled, tracer.lost_reasons, tracer.budgets)
