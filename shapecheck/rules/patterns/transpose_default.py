"""A transposition without a permutation, which moves the batch to the end."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP224", Severity.WARNING, on={"batch-last"})
def transpose_default(call: Call) -> Words | None:
    return call.says("the permutation says where each axis goes") if call.is_everywhere else None
