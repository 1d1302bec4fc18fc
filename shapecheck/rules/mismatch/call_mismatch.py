"""A function is called with other arguments than it has parameters for."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP121", Severity.ERROR, on={ClashKind.CALL})
def call_mismatch(call: Call) -> Words:
    return call.says()
