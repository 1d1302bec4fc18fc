"""Tensors are compared whose shapes do not broadcast, or lists as if they were arrays."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP232", Severity.WARNING, on={ClashKind.NEVER_EQUAL})
def never_equal(call: Call) -> Words | None:
    if not call.is_everywhere:
        return None
    is_list = "as a whole" in call.clash.message
    return call.says(help="lists are no arrays: np.array(…)" if is_list else "compare tensors of one shape")
