"""Tensors are compared whose shapes do not broadcast."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP232", Severity.WARNING, on={ClashKind.NEVER_EQUAL})
def never_equal(call: Call) -> Words | None:
    return call.says(help="compare tensors of one shape") if call.is_everywhere else None
