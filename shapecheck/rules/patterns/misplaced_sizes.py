"""An input is declared with sizes that its data has, but on other axes."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP226", Severity.WARNING, on={"feed-misplaced"})
def misplaced_sizes(call: Call) -> Words | None:
    return call.says("the input should have the sizes of the data, on the same axes") if call.is_everywhere else None
