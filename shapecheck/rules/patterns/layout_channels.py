"""Pictures with the colours in the wrong place for a convolution."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP216", Severity.WARNING, on={ClashKind.CHANNELS_PLACE})
def layout_channels(call: Call) -> Words | None:
    first = "come first" in call.clash.message
    layout = "channels_first" if first else "channels_last"
    return call.says(f'data_format="{layout}", or a transposition, fits') if call.is_everywhere else None
