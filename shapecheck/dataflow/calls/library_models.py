"""Library calls run their models: each is a step of the dataflow graph, once for each combination of alternatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.calls.inlining_policy import has_rank, is_unranked
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.allocation import allocated
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.stages.checks import check_operands
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.budget import OutOfFuel
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import HomogeneousSeq, Lost, Ref, Seq, Tensor, Value
from shapecheck.models.lang.output_arrays import SHUFFLES
from shapecheck.models.lang.parameter_kinds import Blind
from shapecheck.models.lang.registry import Model
from shapecheck.shapes.facts import Verdict

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

FAILED = "result of an operation that fails"


def run_model(t: Tracer, model: Model, name: str, given: Arguments) -> Value:
    """Run a model as a step of the graph, and mark the tensors of its result as outputs of that step."""
    makes_objects = model.definition.form == "behaviour"  # a scope, an object: what it is made of may not matter
    if t.is_standalone and given.args and not makes_objects and not any(has_rank(t, value) for value in given.values):
        return t.lost("operation on lost values")
    _forget_order(t, name, given.args)

    def once(concrete: Sequence[Value]) -> Value:
        of_failed = (value for value in concrete if isinstance(value, Lost) and value.reason == FAILED)
        failed = None if makes_objects or not t.clashes else next(of_failed, None)
        if failed is not None:
            return failed  # whatever it may be, no run gets there
        return _run_once(t, model, name, given.with_values(concrete))

    return for_each_alternative(t, [t.freeze(value) for value in given.values], once)


def _run_once(t: Tracer, model: Model, name: str, given: Arguments) -> Value:
    step = t.add_step("op", name, given.args, given.keywords, given.place)
    step.model = model
    clashes = len(t.clashes)
    with t.during(step):
        check_operands(t, model, name, given)
        result = _guarded(t, model, name, given.args, given.keywords)
    if any(c.step is step and c.verdict is Verdict.NEVER for c in t.clashes[clashes:]):
        endings = t.component(Endings)
        if t.tolerance and not endings.goes_on:
            raise endings.failed(name, given.place)
        result = t.lost(FAILED)
    elif isinstance(result, Lost) and any(map(is_unranked, given.values)):
        t.component(Feasibility).rank_dependent.add(result)
    step.result = _stamped(result, step.id, t.stage.trace)
    return allocated(t, step.result)


def _guarded(t: Tracer, model: Model, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Return what a model answers; an internal error in it loses this result alone."""
    try:
        return model.run(t.context, args, keywords)
    except (OutOfFuel, PathEnds, RecursionError, MemoryError):
        raise
    except Blind as why:
        return t.lost(f"unknown {why} of {name}")
    except Exception as error:
        t.internal_error(f"model of {name}", error)
        return t.lost("internal error in a model")


def _stamped(value: Value, step: int, trace: int) -> Value:
    """Return the value with every tensor that no step made yet marked as an output of this one, in this trace."""
    count = 0

    def stamp(part: Value) -> Value:
        nonlocal count
        if isinstance(part, Tensor) and not part.step:
            count += 1
            symbolic = trace if part.library == "tf" and part.role != "variable" else 0
            return replace(part, step=step, output=count - 1, trace=symbolic)
        return map_children(part, stamp)

    return stamp(value)


def _forget_order(t: Tracer, name: str, args: Sequence[Value]) -> None:
    """After calls that shuffle a list, its items stand in any order."""
    if name not in SHUFFLES:
        return
    given = next((arg for arg in args if isinstance(arg, Ref) and arg.cls == "list"), None)
    contents = None if given is None else t.contents(given)
    if given is not None and isinstance(contents, Seq) and any(item != contents.items[0] for item in contents.items):
        t.set_contents(given, HomogeneousSeq("list", iteration.element(t, contents), len(contents.items)))
