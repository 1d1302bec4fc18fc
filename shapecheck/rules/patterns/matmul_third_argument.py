"""A product of three written as one call: the third factor is where NumPy puts the result."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP228", Severity.WARNING, on={ClashKind.WRITTEN_OVER})
def matmul_third_argument(call: Call) -> Words | None:
    return call.says("multiply three arrays in two calls") if call.is_everywhere else None
