"""A size is used as a number that a graph does not know while it is built."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

SIZES = "tf.shape gives the sizes when the graph runs, and a shape may have one -1"
RANK = "set_shape tells the rank, and so does expand_animations=False of decode_image"


@rule("SHP410", Severity.ERROR, on={ClashKind.STATIC_SIZE})
def static_size_unknown(call: Call) -> Words:
    return call.says(help=RANK if call.clash.message.endswith("rank") else SIZES)
