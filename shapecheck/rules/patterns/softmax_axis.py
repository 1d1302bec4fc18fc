"""A softmax over the rows of a batch."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP208", Severity.WARNING, on={"batch-softmax"})
def softmax_axis(call: Call) -> Words | None:
    return call.says("axis=-1 compares the classes of each sample") if call.is_everywhere else None
