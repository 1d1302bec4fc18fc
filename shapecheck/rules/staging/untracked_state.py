"""A function that is exported reads a variable which is not saved with it."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP422", Severity.ERROR, on={ClashKind.UNTRACKED})
def untracked_state(call: Call) -> Words:
    return call.says(help="assign the variable to an attribute of the object")
