"""A loss that applies the activation itself, on the result of that activation."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP218", Severity.WARNING, on={"softmax-as-logits"})
def logits_double_softmax(call: Call) -> Words | None:
    return call.says("give the loss what comes before the activation") if call.is_everywhere else None
