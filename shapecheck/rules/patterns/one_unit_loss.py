"""A loss that compares classes, on an output of a single one."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP217", Severity.WARNING, on={ClashKind.ONE_CLASS})
def one_unit_loss(call: Call) -> Words | None:
    return call.says("one probability goes with binary_crossentropy") if call.is_everywhere else None
