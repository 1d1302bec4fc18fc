"""A program asks for a shape."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP235", Severity.WARNING, on={ClashKind.REVEALED})
def revealed_shape(call: Call) -> Words:
    return call.says()
