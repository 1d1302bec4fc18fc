"""An argmax over the samples of a batch, where the class of each sample is wanted."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP209", Severity.WARNING, on={"argmax-rows"})
def argmax_default_axis(call: Call) -> Words | None:
    return call.says("axis=-1 gives the class of each sample") if call.is_everywhere else None
