"""A function returns another result than the one that is declared for it."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP419", Severity.ERROR, on={ClashKind.DECLARED})
def declared_result(call: Call) -> Words:
    return call.says(help="declare what the function returns, or convert its result")
