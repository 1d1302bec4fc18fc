"""Two uses of one model with data that no single input takes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Tensor
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.text import show


@rule("SHP239", Severity.WARNING, on={ClashKind.FEEDS_DISAGREE})
def feeds_disagree(call: Call) -> Words | None:
    if not call.is_everywhere:
        return None
    given, first = (show(argument.shape) for argument in call.arguments)
    row = _row(call, call.arguments[1].tensor)
    before = f"the model was fed {first} before" if row is None else f"line {row} feeds {first}"
    return call.says(message=f"the model is fed {given}, but {before}")


def _row(call: Call, first: Tensor) -> int | None:
    """Return the line in which the model was fed first."""
    uses = (step for step in call.graph.steps if step.id < call.step.id and step.args[:1] == call.step.args[:1])
    return next((step.place.row for step in uses if any(_is_same(first, data) for _, data in step.operands())), None)


def _is_same(first: Tensor, data: Tensor) -> bool:
    return (first.step, first.output, first.shape) == (data.step, data.output, data.shape)
