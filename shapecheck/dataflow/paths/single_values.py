"""Arrays of several numbers where Python needs one: as a condition, or converted to a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import end_if_tolerated, require
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import Tensor, Value
from shapecheck.shapes.claims import AtLeast
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.solve import decide
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

CONDITIONS = frozenset({"if", "while", "not", "and", "or", "assert", "the condition of a comprehension"})
CONVERSIONS = frozenset(f"builtins.{name}" for name in ("int", "float", "complex", "range"))
OF_SEVERAL = frozenset(f"math.{name}" for name in ("prod", "fsum", "dist", "sumprod"))


def check_condition(t: Tracer, value: Value, place: Place, operation: str) -> None:
    """Record an array of several elements whose truth Python asks for."""
    if operation in CONDITIONS:
        _require_single(t, value, place, operation, "has no truth value")


def check_conversion(t: Tracer, name: str, given: Arguments) -> None:
    """Record an array of several elements in a function of Python that takes numbers."""
    if name == "builtins.bool" and given.args:
        _require_single(t, given.args[0], given.place, "bool", "has no truth value")
    elif name in CONVERSIONS or (name.startswith("math.") and name not in OF_SEVERAL):
        for value in given.args:
            _require_single(t, value, given.place, name.removeprefix("builtins."), "is no single number")


def _require_single(t: Tracer, value: Value, place: Place, operation: str, said: str) -> None:
    """Record an array that certainly has several elements; of others nothing is learnt."""
    if not isinstance(value, Tensor) or value.library != "np" or value.role != "tensor":
        return
    count = value.shape.elements()
    if count is None or decide(t.path.facts, claim := AtLeast(1, count)) is not Verdict.NEVER:
        return
    step = t.add_step("op", operation, [value], {}, place)
    with t.during(step):
        require(t, ClashKind.RANK, claim, f"an array of shape {value.shape} {said}", value)
    end_if_tolerated(t, operation, place)
