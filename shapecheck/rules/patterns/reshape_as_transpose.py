"""A reshape to the sizes of a transposition, which moves no axis."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP210", Severity.WARNING, on={"axes-reordered"})
def reshape_as_transpose(call: Call) -> Words | None:
    return call.says("") if call.is_everywhere else None
