"""The transposition of a vector, which has no effect."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP223", Severity.INFO, on={ClashKind.VECTOR_TRANSPOSED})
def transpose_rank1(call: Call) -> Words | None:
    return call.says("use a new axis to make a column of a vector") if call.is_everywhere else None
