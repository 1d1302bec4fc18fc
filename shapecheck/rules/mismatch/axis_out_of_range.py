"""An axis that the operand does not have."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import as_size
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP105", Severity.ERROR, on={ClashKind.AXIS_RANGE})
def axis_out_of_range(call: Call) -> Words:
    return call.says(_last_axis(call))


def _last_axis(call: Call) -> str:
    """Return a hint for axes that are counted from 1, where the last one is meant."""
    keywords = dict(call.step.keywords)
    axis = keywords.get("axis", keywords.get("dim", call.step.args[-1] if len(call.step.args) == 2 else None))
    ranks = {argument.rank for argument in call.arguments}
    rank = ranks.pop() if len(ranks) == 1 else None
    if axis is None or not rank or as_size(axis) != rank:
        return ""
    return f"axes count from 0: the last axis is {rank - 1}, or -1"
