"""A declared shape contradicts the known one."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP108", Severity.ERROR, on={ClashKind.SET_SHAPE})
def set_shape_conflict(call: Call) -> Words:
    return call.says()
