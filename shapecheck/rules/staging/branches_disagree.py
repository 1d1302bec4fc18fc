"""Branches on a tensor leave values of different kinds."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP413", Severity.ERROR, on={ClashKind.BRANCHES})
def branches_disagree(call: Call) -> Words:
    return call.says(help="define the variable before the if, with the same type in both branches")
