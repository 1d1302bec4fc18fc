"""A squeeze of all axes of size 1, of which the batch may be one."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP222", Severity.INFO, on={ClashKind.SQUEEZE_BATCH})
def squeeze_without_axis(call: Call) -> Words | None:
    return call.says("axis=-1 removes only that axis") if call.is_everywhere else None
