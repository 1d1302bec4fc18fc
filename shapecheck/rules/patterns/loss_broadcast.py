"""A loss function that broadcasts targets and predictions of different sizes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP205", Severity.WARNING, on={ClashKind.LOSS_STRETCHED})
def loss_broadcast(call: Call) -> Words | None:
    return call.says("give both the same shape") if call.is_everywhere else None
