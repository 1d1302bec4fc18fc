"""An input declared with the sizes of its data on other axes, or data that lacks the batch axis."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP226", Severity.WARNING, on={ClashKind.FEED_MISPLACED})
def swapped_input_axes(call: Call) -> Words | None:
    help_ = "declare the input with its axes in the order of the data"
    if len(call.arguments) == 1:
        help_ = "add a batch axis, as in x[np.newaxis]"
    return call.says(help_) if call.is_everywhere else None
