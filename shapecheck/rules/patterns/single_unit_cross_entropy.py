"""A loss that compares classes, on an output of a single one."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP217", Severity.WARNING, on={ClashKind.ONE_CLASS})
def single_unit_cross_entropy(call: Call) -> Words | None:
    return call.says("use binary_crossentropy for a single probability") if call.is_everywhere else None
