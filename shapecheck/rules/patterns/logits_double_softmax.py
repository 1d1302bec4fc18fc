"""A loss that applies the activation itself, on the result of that activation."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP218", Severity.WARNING, on={ClashKind.SOFTMAX_AS_LOGITS})
def logits_double_softmax(call: Call) -> Words | None:
    return call.says("pass the loss the values before the activation") if call.is_everywhere else None
