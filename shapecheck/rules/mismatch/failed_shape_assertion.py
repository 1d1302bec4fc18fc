"""An assertion about shapes cannot hold."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP116", Severity.ERROR, on={ClashKind.ASSERTED})
def failed_shape_assertion(call: Call) -> Words:
    return call.says()
