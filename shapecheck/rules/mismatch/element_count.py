"""A reshape to another number of elements."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import as_sizes
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.facts import Divides
from shapecheck.shapes.shape import Shape, show
from shapecheck.shapes.size import product


@rule("SHP104", Severity.ERROR, on={ClashKind.ELEMENTS})
def element_count(call: Call) -> Words:
    return call.says(_open_rows(call))


def _open_rows(call: Call) -> str:
    """Return the shape with as many rows as the elements fill, if the other axes divide their number."""
    targets = [sizes for _, value in call.sources if (sizes := as_sizes(value)) is not None]
    shapes = [argument.shape for argument in call.arguments if argument.tensor.step]
    if len(targets) != 1 or len(shapes) != 1 or len(targets[0]) < 2 or -1 in targets[0]:
        return ""
    row, total = product(targets[0][1:]), shapes[0].elements()
    if total is None or row in (0, 1) or total == product(targets[0]) or not call.surely(Divides(row, total)):
        return ""
    rest = Shape((-1, *targets[0][1:]))
    return f"shape {show(rest)} fits: {total // row} rows"
