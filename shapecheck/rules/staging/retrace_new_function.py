"""A function is made and traced for a single call."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP402", Severity.PERF, on={ClashKind.RETRACE_FUNCTION})
def retrace_new_function(call: Call) -> Words:
    return call.says(help="make the function once, outside of the loop, and call it many times")
