"""The shapes that `tf.autograph.experimental.set_loop_options` tells for the variables of a loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from shapecheck import ir
from shapecheck.dataflow.state.frame import Frame
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.arguments import shape_arg
from shapecheck.shapes.shape import Shape

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

NAME = "set_loop_options"
Invariants: TypeAlias = "Mapping[str, Shape]"
"""The shapes of variables by their names."""


def invariants_in(body: Sequence[ir.Stmt]) -> Mapping[str, ir.Expr] | None:
    """Return the expressions of the shapes in the body of a loop, by variable; None if they are not written there."""
    found: dict[str, ir.Expr] = {}
    for node in nodes_in(body):
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.name == NAME:
            told = next((arg.value for arg in node.args if arg.keyword == "shape_invariants"), None)
            pairs = _pairs(told)
            if pairs is None:
                return None
            found |= pairs
    return found


def _pairs(told: ir.Expr | None) -> dict[str, ir.Expr] | None:
    if told is None:
        return {}
    pairs: dict[str, ir.Expr] = {}
    for item in told.items if isinstance(told, ir.Display) else (None,):
        match item:
            case ir.Display(items=(ir.Name(id=name), shape)):
                pairs[name] = shape
            case _:
                return None
    return pairs


def shape_of(t: Tracer, told: ir.Expr, frame: Frame) -> Shape:
    """Return the shape that an expression tells."""
    return shape_arg(t.freeze(t.evaluate(told, frame)), t.context)
