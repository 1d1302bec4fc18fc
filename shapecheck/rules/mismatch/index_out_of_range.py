"""An index beyond the end of an axis, or more indices than axes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP106", Severity.ERROR, on={ClashKind.INDEX_RANGE, ClashKind.VALUE_RANGE})
def index_out_of_range(call: Call) -> Words:
    return call.says()
