"""A comment states another shape than its line computes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP236", Severity.WARNING, on={ClashKind.COMMENT})
def stale_shape_comment(call: Call) -> Words | None:
    return call.says(help="correct the comment, or the line") if call.is_everywhere else None
