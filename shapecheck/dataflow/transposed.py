"""`zip(*rows)` of rows of unknown number: a sequence for each of their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.builtins import BUILTINS
from shapecheck.dataflow.frame import Frame
from shapecheck.source import Place
from shapecheck.values import Library, Many, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

ZIP = Library("builtins.zip")


def transposed(t: Tracer, node: ir.Call, frame: Frame) -> Value:
    """What `zip(*value)` gives; the call has this one argument."""
    place = Place(frame.source, node.start, node.end)
    return t.spread([t.evaluate(node.args[0].value, frame)], lambda values: _columns(t, values[0], place))


def is_transposition(function: Value, node: ir.Call) -> bool:
    return function == ZIP and len(node.args) == 1 and node.args[0].star == "*"


def _columns(t: Tracer, rows: Value, place: Place) -> Value:
    known = t.context.elements(rows)
    if known is not None:
        return BUILTINS["zip"](t, list(known), {}, place)
    with t.at(place):
        row = t.context.freeze(t.context.element(rows), deep=False)
        if not isinstance(row, Seq) or not row.items:
            return t.lost("starred arguments of unknown number")
        length = t.context.length(rows)
        return Seq("list", tuple(Many("tuple", part, length) for part in row.items))
