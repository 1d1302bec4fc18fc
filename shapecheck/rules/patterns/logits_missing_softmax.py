"""A loss of probabilities, on the output of a layer without activation."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP219", Severity.WARNING, on={"logits-as-probabilities"})
def logits_missing_softmax(call: Call) -> Words | None:
    return call.says("from_logits=True lets the loss apply the activation") if call.is_everywhere else None
