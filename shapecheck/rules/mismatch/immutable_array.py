"""An element is assigned to an array that cannot be changed."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP118", Severity.ERROR, on={ClashKind.IMMUTABLE})
def immutable_array(call: Call) -> Words:
    return call.says(help=call.advice)
