"""One file on its own: traced as a script and function by function, with what it imports, and judged.

What is found in a file does not depend on which others are checked beside it, so files can be checked in any order, in
several processes, or not at all where nothing has changed that they depend on.
"""

from __future__ import annotations

import ast
import gc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shapecheck import ir
from shapecheck.dataflow.entries import Progress, trace
from shapecheck.dataflow.known import Known
from shapecheck.dataflow.project import Project
from shapecheck.dataflow.tracer import Tracer
from shapecheck.frontend.deep import with_deep_stack
from shapecheck.outcome import Outcome, Statistics, Syntax
from shapecheck.rules.rule import judge
from shapecheck.shapes.solve import forget
from shapecheck.source import Source
from shapecheck.values import Tensor, walk


def check(known: Known, source: Source, keep: Callable[[Tracer, Outcome], None] | None = None) -> Outcome:
    """Checks one file that can use a library, as if it were the first; the tracer is given to `keep`, or emptied."""
    known.files.asked = set()
    forget()
    tracer = run(known, source)
    findings = tuple(judge(tracer.clashes, tracer.graph))
    outcome = Outcome(
        findings, tuple(dict.fromkeys(tracer.problems)), _statistics(tracer), frozenset(known.files.asked)
    )
    if keep is not None:
        keep(tracer, outcome)
    else:
        vars(tracer).clear()  # it refers to itself in many ways
    return outcome


def run(known: Known, source: Source, *, observe: bool = False, progress: Progress | None = None) -> Tracer:
    """Traces a file; with `observe` every expression's value is kept."""
    tracer = Tracer(Project([source], known=known))
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
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the user's strings
            ast.parse(source.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _statistics(tracer: Tracer) -> Statistics:
    known = total = 0
    for step in tracer.graph.steps:
        if step.kind == "op" and step.result is not None:
            for value in walk(step.result):
                if isinstance(value, Tensor):
                    total += 1
                    known += value.shape.is_ranked
    return Statistics(known, total, tracer.unmodelled, tracer.lost_reasons, tracer.budgets)
