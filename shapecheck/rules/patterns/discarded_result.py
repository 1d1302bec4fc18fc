"""A statement that throws away what it computes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP241", Severity.WARNING, on={ClashKind.DISCARDED})
def discarded_result(call: Call) -> Words:
    return call.says()
