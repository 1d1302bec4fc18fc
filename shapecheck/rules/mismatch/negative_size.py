"""A size that would be negative: a window larger than its input, or a negative size as an argument."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

_LAYER = re.compile(r"(keras|tf)\.layers\.(Separable|Depthwise)?(Conv|MaxPool|AveragePool)(ing)?[123]D")
_FUNCTION = re.compile(r"tf\.nn\.(conv|depthwise_conv|max_pool|avg_pool)\w*")


@rule("SHP107", Severity.ERROR, on={ClashKind.NEGATIVE_SIZE})
def negative_size(call: Call) -> Words:
    if not call.clash.message.startswith("a window"):
        return call.says()
    if _is_picture_of_one_row(call):
        return call.says("the input is read as (batch, height, width, channels): is its batch axis missing?")
    if _LAYER.fullmatch(call.name):
        return call.says('padding="same" pads the edges, so that the window fits')
    return call.says('padding="SAME" pads the edges, so that the window fits' if _FUNCTION.fullmatch(call.name) else "")


def _is_picture_of_one_row(call: Call) -> bool:
    """Return whether a window meets a width or height of 1 beside a larger one, as that of a picture with its axis of
    channels twice."""
    shape = call.arguments[0].shape if call.arguments else None
    inner = shape.sizes[1:-1] if shape is not None and shape.is_ranked else ()
    return "has 1 on axis" in call.clash.message and len(inner) == 2 and inner.count(1) == 1 and "2D" in call.name
