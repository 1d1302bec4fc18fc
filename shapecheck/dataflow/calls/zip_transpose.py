"""`zip(*rows)` of an unknown number of rows: a sequence for each of their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.builtins import BUILTINS
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import HomogeneousSeq, Library, Seq, Value
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

ZIP = Library("builtins.zip")


def transposed_rows(t: Tracer, node: ir.Call, frame: Frame) -> Value:
    """Return the result of `zip(*value)`, a call with this one argument."""
    place = Place(frame.source, node.start, node.end)
    return for_each_alternative(
        t, [t.evaluate(node.args[0].value, frame)], lambda values: _columns(t, values[0], place)
    )


def is_transposition(function: Value, node: ir.Call) -> bool:
    """Return whether a call is `zip(*value)`."""
    return function == ZIP and len(node.args) == 1 and node.args[0].star == "*"


def _columns(t: Tracer, rows: Value, place: Place) -> Value:
    """Return a sequence for each part of the rows."""
    known = iteration.elements(t, rows)
    if known is not None:
        return BUILTINS["zip"](t, Arguments(place, known))
    with t.at(place):
        row = t.freeze(iteration.element(t, rows), deep=False)
        if not isinstance(row, Seq) or not row.items:
            return t.lost("unknown number of starred arguments")
        length = iteration.length(t, rows)
        return Seq("list", tuple(HomogeneousSeq("tuple", part, length) for part in row.items))
