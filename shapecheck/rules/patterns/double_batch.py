"""A dataset is batched twice with the same size."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP215", Severity.WARNING, on={ClashKind.BATCHED_TWICE})
def double_batch(call: Call) -> Words | None:
    return call.says("call batch only once") if call.is_everywhere else None
