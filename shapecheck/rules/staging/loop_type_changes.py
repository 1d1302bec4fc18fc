"""A variable of a loop on tensors changes its type."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP412", Severity.ERROR, on={ClashKind.LOOP_TYPE})
def loop_type_changes(call: Call) -> Words:
    return call.says(help="give the variable its dtype before the loop")
