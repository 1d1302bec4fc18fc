"""An operand has a dtype that the function does not take."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.provenance import dtypes_may_change
from shapecheck.rules.rule import rule


@rule("SHP117", Severity.ERROR, on={ClashKind.DTYPE})
def unsupported_dtype(call: Call) -> Words | None:
    return None if dtypes_may_change(call) else call.says()
