"""The batch of one operand is broadcast along another axis of the other."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP207", Severity.WARNING, on={"batch-crossed"})
def batch_axis_broadcast(call: Call) -> Words | None:
    """One axis is missing: that of the heads, for a mask."""
    return call.says("an axis of size 1 after the batch keeps the samples apart") if call.is_everywhere else None
