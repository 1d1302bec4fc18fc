"""Results that are None, such as gradients of what has none: operations that need a value raise for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.stages.in_tests import is_in_test
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import Missing, Seq, Tensor, Value, walk
from shapecheck.models.lang.parameter_kinds import Reading
from shapecheck.models.lang.registry import Model
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import FALSE
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

NUMERIC = frozenset("abs float int len round".split())
"""Builtins that raise for None."""


def missing(t: Tracer, what: str, reason: str) -> Value:
    """Return None as a result of the present step."""
    t.has_missing = True
    return Missing(None, t.step.id if t.step is not None else 0, what, reason)


def refuse_missing(t: Tracer, values: Iterable[Value], operation: str, place: Place) -> None:
    """Record that an operation raises if one of the values is a missing result, and end the path.

    The clash is one of the step that has no result, if that always leads to the operation.
    """
    absent = next((value for value in values if isinstance(value, Missing) and value.step), None)
    if absent is None:
        return
    step = t.graph[absent.step]
    if t.tolerance:
        expect_missing(t, [absent])
    if not t.path.guards.keys() <= step.guards.keys():
        step = t.add_step("op", operation, [absent], {}, place)
        said = f"{absent.what} is None: {absent.reason}"
    else:
        said = f"gives None, which line {place.row} refuses: {absent.reason}"
    with t.during(step):
        require(t, ClashKind.NO_GRADIENT, FALSE, said)
    raise PathEnds


def expect_missing(t: Tracer, values: Iterable[Value]) -> None:
    """Note that the program expects some results to be missing, alone or in a list, which is no fault then."""
    parts = [part for value in values for part in walk(t.freeze(value))]
    steps = {part.step for part in parts if isinstance(part, Missing)}
    for at, clash in enumerate(t.clashes if steps else ()):
        if clash.kind is ClashKind.NO_GRADIENT and clash.step.id in steps:
            t.clashes[at] = replace(clash, tolerated=True)


def expect_some(t: Tracer, value: Value) -> None:
    """Note that the program asks whether a result is missing, as some of several gradients may be, or as tests do."""
    if is_in_test(t):
        expect_missing(t, [value])
    elif isinstance(value, Missing) and value.step:
        result = t.graph[value.step].result
        if result is not None and any(isinstance(part, Tensor) for part in walk(t.freeze(result))):
            expect_missing(t, [value])


def refuse_any(t: Tracer, values: Iterable[Value]) -> None:
    """Record that the present step raises if one of the values is a missing result."""
    if t.has_missing and t.step is not None:
        refuse_missing(t, values, t.step.name.rpartition(".")[2], t.step.place)


def check_operands(t: Tracer, model: Model, name: str, given: Arguments) -> None:
    """Refuse missing results as tensors that an operation reads."""
    if has(name, "assigns"):
        refuse_missing(t, given.values[1:], name.rpartition(".")[2], given.place)
    elif _needs_values(model, name):
        refuse_missing(t, _tensors_read(model, given), name, given.place)


def _needs_values(model: Model, name: str) -> bool:
    """Return whether an operation raises for None as one of its tensors."""
    if model.definition.form != "op" or has(name, "takes None"):
        return False
    return not name.startswith("np.") or model.definition.operator != "" or has(name, "raises for None")


def _tensors_read(model: Model, given: Arguments) -> list[Value]:
    """Return the arguments that an operation reads as tensors, which have no default."""
    found: list[Value] = []
    for parameter, value in zip(model.definition.parameters, given.args, strict=False):
        if parameter.reading is Reading.TENSOR and parameter.required and not parameter.optional:
            found.append(value)
        elif parameter.reading is Reading.TENSORS and isinstance(value, Seq):
            found += value.items
    return found
