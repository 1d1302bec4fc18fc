"""Operators on tensors: steps that run the model of the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.values import Library, Tensor, Value
from shapecheck.models.lang.packs import foremost
from shapecheck.models.lang.registry import Model, lookup_operator
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

NOT_IMPLEMENTED = Library("builtins.NotImplemented")
"""What a method gives that leaves an operator to that of the other operand."""
UNARY_NAMES = {"-": "neg", "~": "invert", "+": "pos"}


def library_of(*values: Value) -> str | None:
    """Return the kind of arrays whose operator applies; None without a tensor."""
    return foremost(value.library for value in values if isinstance(value, Tensor))


def operator_model(library: str, op: str, operands: Sequence[Value]) -> Model | None:
    """Return the model of an operator, which may depend on the role of an operand."""
    roles = [value.role for value in operands if isinstance(value, Tensor) and value.role != "tensor"]
    found = (lookup_operator(library, op, role) for role in roles or ("",))
    return next(filter(None, found), None)


def operate(t: Tracer, library: str, op: str, operands: list[Value], place: Place) -> Value:
    """Run the operator of a library as a step of the graph."""
    model = operator_model(library, op, operands)
    if model is None:
        t.diagnostics.unmodelled[f"{library} operator {op}"] += 1
        return t.lost("operator without a model")
    return t.run_model(model, f"{library}.{op}", Arguments(place, operands))
