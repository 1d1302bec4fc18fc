"""An input is declared with sizes that its data has, but on other axes, or the data has no axis for the batch."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP226", Severity.WARNING, on={ClashKind.FEED_MISPLACED})
def misplaced_sizes(call: Call) -> Words | None:
    help_ = "the input should have the sizes of the data, on the same axes"
    if len(call.arguments) == 1:
        help_ = "a batch of one sample has an axis more, as x[np.newaxis] has"
    return call.says(help_) if call.is_everywhere else None
