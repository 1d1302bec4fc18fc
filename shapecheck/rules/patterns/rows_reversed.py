"""Sorted rows of a matrix that is turned upside down."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP248", Severity.WARNING, on={ClashKind.ROWS_REVERSED})
def rows_reversed(call: Call) -> Words | None:
    return call.says("[..., ::-1] sorts each row in descending order") if call.is_everywhere else None
