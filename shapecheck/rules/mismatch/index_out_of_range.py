"""An index beyond the end of an axis, or more indices than axes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP106", Severity.ERROR, on={ClashKind.INDEX_RANGE, ClashKind.COLUMN, ClashKind.VALUE_RANGE})
def index_out_of_range(call: Call) -> Words:
    return call.says(message="an array of shape () has no axis to iterate over") if _is_iterated(call) else call.says()


def _is_iterated(call: Call) -> bool:
    """Return whether a number is asked for its items without a subscript, as by a loop or `extend`."""
    return call.step.name.endswith("[]") and not call.written.index and [each.rank for each in call.arguments] == [0]
