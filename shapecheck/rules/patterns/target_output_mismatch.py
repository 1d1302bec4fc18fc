"""Outputs and targets of a model with different sizes, which the loss broadcasts."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP206", Severity.WARNING, on={ClashKind.TARGETS_STRETCHED})
def target_output_mismatch(call: Call) -> Words | None:
    return call.says("give the output the shape of the targets") if call.is_everywhere else None
