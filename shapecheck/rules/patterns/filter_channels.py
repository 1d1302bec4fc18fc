"""A filter made for fewer channels than its input has."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP230", Severity.WARNING, on={ClashKind.CHANNELS_GROUPED})
def filter_channels(call: Call) -> Words | None:
    """Who convolves in groups calls them that somewhere near."""
    text = call.step.place.source.text.lower()
    is_meant = any(word in text for word in ("group", "cardinality", "depthwise", "resnext"))
    return None if is_meant else call.says("the third size of a filter is that of the input")
