"""A filter made for fewer channels than its input has."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

OWN_NAME = "implicit-grouped-convolution"  # in a comment that ignores this rule it is no evidence


@rule("SHP230", Severity.WARNING, on={ClashKind.CHANNELS_GROUPED})
def implicit_grouped_convolution(call: Call) -> Words | None:
    """An intended grouped convolution has the word nearby."""
    text = call.step.place.source.text.lower().replace(OWN_NAME, "")
    is_meant = any(word in text for word in ("group", "cardinality", "depthwise", "resnext"))
    return None if is_meant else call.says("the third size of the filter should be the number of input channels")
