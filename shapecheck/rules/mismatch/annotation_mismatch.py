"""An array has another shape or dtype than its annotation says."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP115", Severity.ERROR, on={ClashKind.ANNOTATION})
def annotation_mismatch(call: Call) -> Words | None:
    if call.clash.claim is None and not call.is_everywhere:
        return None
    return call.says(help="pass what the annotation says, or correct the annotation")
