"""The gradient of a target that is no scalar."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP423", Severity.INFO, on={ClashKind.GRADIENT_SUMMED})
def summed_gradient(call: Call) -> Words | None:
    return call.says(help="reduce the loss to a scalar first") if call.is_everywhere else None
