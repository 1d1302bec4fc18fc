"""A loss of probabilities, on the output of a layer without activation."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP219", Severity.WARNING, on={ClashKind.LOGITS_AS_PROBABILITIES})
def logits_missing_softmax(call: Call) -> Words | None:
    return call.says("from_logits=True makes the loss apply the activation") if call.is_everywhere else None
