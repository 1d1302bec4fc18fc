"""Runs of models for library calls: each is a step of the graph, once for each combination of alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.calls.assumed_batches import with_batch
from shapecheck.dataflow.calls.inlining_policy import has_rank, is_unranked
from shapecheck.dataflow.calls.transcripts import Transcripts
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.allocation import allocated
from shapecheck.dataflow.havoc.opaque_calls import run_callbacks
from shapecheck.dataflow.havoc.unfollowed import note_unfollowed
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.paths.constraints import end_if_tolerated
from shapecheck.dataflow.paths.feasibility import Feasibility
from shapecheck.dataflow.stages import missing_results, static_sizes
from shapecheck.dataflow.stages.array_tracing import trace_of
from shapecheck.dataflow.stages.checks import check_keras_tensors, check_operands, is_keras_tensor
from shapecheck.dataflow.stages.created_state import check_weight
from shapecheck.dataflow.stages.entering import released
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.budget import OPERATION, OutOfFuel
from shapecheck.dataflow.state.heap import AMBIENT
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import NONE, Failed, HomogeneousSeq, Lost, Ref, Seq, Tensor, Value, walk
from shapecheck.models.lang.output_arrays import SHUFFLES
from shapecheck.models.lang.packs import arrays
from shapecheck.models.lang.parameter_kinds import Blind
from shapecheck.models.lang.registry import Model
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def run_model(t: Tracer, model: Model, name: str, given: Arguments) -> Value:
    """Run a model as a step of the graph, and mark the tensors of its result as outputs of that step."""
    makes_objects = model.definition.form in ("behaviour", "layer")  # its arguments may be irrelevant, as for a scope
    values = given.values
    if t.is_standalone and given.args and not makes_objects and not any(has_rank(t, value) for value in values):
        return t.lost("operation on lost values")
    _forget_order(t, name, given.args)
    operands = list(values) if has(name, "keeps its arguments") else [t.freeze(value) for value in values]
    frozen = given.with_values(operands)

    def once(concrete: Sequence[Value]) -> Value:
        of_failed = (value for value in concrete if isinstance(value, Failed))
        failed = None if makes_objects or not t.clashes else next(of_failed, None)
        if failed is not None:
            return failed  # no run of the program reaches this operation
        return _run_once(t, model, name, frozen if concrete is operands else given.with_values(concrete))

    return for_each_alternative(t, operands, once)


def _run_once(t: Tracer, model: Model, name: str, given: Arguments) -> Value:
    """Run a model on values without alternatives."""
    t.budget.consume(OPERATION)
    step = t.add_step("op", name, given.args, given.keywords, given.place)
    step.model, step.ambient = model, t.heap.get(AMBIENT)
    clashes = len(t.clashes)
    with t.during(step):
        check_keras_tensors(t, model, name, given)
        check_weight(t, name)
        if t.has_graphs:
            check_operands(t, model, name, given)
        if t.has_missing:
            missing_results.check_operands(t, model, name, given)
        static_sizes.check_operands(t, model, name, given)
        result = _run_guarded(t, model, name, given.args, given.keywords)
    if any(c.step is step and c.verdict is Verdict.NEVER for c in t.clashes[clashes:]):
        end_if_tolerated(t, name, given.place)
        result = t.failed()
    elif isinstance(result, Lost) and any(map(is_unranked, given.values)):
        t.component(Feasibility).rank_dependent.add(result)
    if t.stage.has_values and not t.stage.is_total and has(name, "ends derivatives"):
        result = released(t, result)
    if step.owner is not None:
        result = _apart(result, given)
    step.result = _with_step(t, with_batch(t, name, given, result), step.id, given)
    if model.definition.form == "op":
        step.result = static_sizes.as_made(t, step.result, given)
    if has(name, "makes variables of its own"):
        note_unfollowed(t)
    if has(name, "calls back"):
        run_callbacks(t)
    if has(name, "reshapes its operand") and given.args:
        return _reshaped_operand(t, given.args[0], step.result)
    _reshape_result(t, given.keywords.get("out"), step.result)
    return allocated(t, step.result)


def _reshape_result(t: Tracer, array: Value | None, result: Value) -> None:
    """Give an array for the result of a call the shape of that, where the library resizes it."""
    if isinstance(array, Tensor) and arrays(array.library).resizes:
        _reshaped_operand(t, array, result)
    elif isinstance(array, Seq):
        items = array.items
        results = result.items if isinstance(result, Seq) and len(result.items) == len(items) else (NONE,) * len(items)
        for item, its in zip(items, results, strict=True):
            _reshape_result(t, item, its)


def _reshaped_operand(t: Tracer, owner: Value, result: Value) -> Value:
    """Return an operand that a method changes in place and returns, with the shape of the result from here on."""
    if not isinstance(owner, Tensor):
        return owner
    shape = result.shape if isinstance(result, Tensor) else UNRANKED
    reshaped = replace(owner, shape=shape, content=None)
    t.refine(owner, reshaped)
    for earlier in _returned(t, owner):
        t.refine(earlier, replace(earlier, shape=shape, content=None))
    return reshaped


def _returned(t: Tracer, tensor: Tensor) -> Iterator[Tensor]:
    """Yield the tensors that methods have changed in place and returned, and which are this one."""
    suffix = arrays(tensor.library).in_place
    while suffix and tensor.step:
        step = t.graph[tensor.step]
        if not step.name.endswith(suffix) or not step.args or not isinstance(step.args[0], Tensor):
            return
        tensor = step.args[0]
        yield tensor


def _run_guarded(t: Tracer, model: Model, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Return the result of a model; after an internal error in it, only this result is lost."""
    try:
        return t.component(Transcripts).run(t, model, args, keywords)
    except (OutOfFuel, PathEnds, RecursionError, MemoryError):
        raise
    except Blind as why:
        return t.lost(f"unknown {why} of {name}")
    except Exception as error:
        t.internal_error(f"model of {name}", error)
        return t.lost("internal error in a model")


def _with_step(t: Tracer, value: Value, step: int, given: Arguments) -> Value:
    """Return the value with every tensor that has no step yet marked as an output of this step and its trace."""
    count = 0
    kind = t.stage.arrays
    trace = trace_of(t, given) if t.stage.is_array_trace else t.stage.trace

    def mark(part: Value) -> Value:
        nonlocal count
        if isinstance(part, Tensor) and not part.step:
            count += 1
            symbolic = trace if part.library == kind and part.role != "variable" else 0
            return replace(part, step=step, output=count - 1, trace=symbolic, is_ambiguous=False)
        return map_children(part, mark)

    return mark(value)


def _apart(result: Value, given: Arguments) -> Value:
    """Return the result of a call of an object with inputs that it passes on as tensors of its own, as those of a layer
    are.
    """
    passed_on = {part for value in given.values for part in walk(value) if is_keras_tensor(part)}

    def apart(part: Value) -> Value:
        if isinstance(part, Tensor) and part in passed_on:
            return replace(part, step=0, output=0)
        return map_children(part, apart)

    return apart(result) if passed_on else result


def _forget_order(t: Tracer, name: str, args: Sequence[Value]) -> None:
    """Forget the order of the items of a list that a call shuffles."""
    if name not in SHUFFLES:
        return
    given = next((arg for arg in args if isinstance(arg, Ref) and arg.cls == "list"), None)
    contents = None if given is None else t.contents(given)
    if given is not None and isinstance(contents, Seq) and any(item != contents.items[0] for item in contents.items):
        t.set_contents(given, HomogeneousSeq("list", iteration.element(t, contents), len(contents.items)))
