"""A shape or an array is unpacked into another number of names."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP113", Severity.ERROR, on={ClashKind.UNPACK})
def unpack_count(call: Call) -> Words:
    return call.says()
