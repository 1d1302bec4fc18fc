"""A gradient is None, or cannot be computed."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP409", Severity.ERROR, on={ClashKind.NO_GRADIENT})
def no_gradient(call: Call) -> Words | None:
    is_expected = call.clash.tolerated or not call.is_everywhere
    if call.clash.claim is None and is_expected:
        return None
    return call.says()
