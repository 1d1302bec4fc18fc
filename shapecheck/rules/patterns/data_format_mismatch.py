"""Images with the channels on the wrong axis for a convolution."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP216", Severity.WARNING, on={ClashKind.CHANNELS_PLACE})
def data_format_mismatch(call: Call) -> Words | None:
    first = "channels-first" in call.clash.message
    layout = "channels_first" if first else "channels_last"
    return call.says(f'use data_format="{layout}", or transpose the images') if call.is_everywhere else None
