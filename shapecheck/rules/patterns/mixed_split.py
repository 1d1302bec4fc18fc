"""Data of the training part of a split meets data of the test part."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP233", Severity.WARNING, on={ClashKind.PARTS_MIXED})
def mixed_split(call: Call) -> Words | None:
    hint = "train_test_split returns the parts of the first array, then those of the second"
    if "another fit" in call.clash.message:
        hint = "fit to the training part only, and transform the test part with what was fitted"
    return call.says(help=hint) if call.is_everywhere else None
