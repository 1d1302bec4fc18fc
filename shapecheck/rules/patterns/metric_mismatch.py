"""A metric that interprets labels in another way than the loss."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP221", Severity.WARNING, on={ClashKind.METRIC_LABELS})
def metric_mismatch(call: Call) -> Words | None:
    return call.says('"accuracy" picks the right metric for the labels') if call.is_everywhere else None
