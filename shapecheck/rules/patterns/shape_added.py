"""A list or tuple that is added to the sizes of a shape instead of being joined with them."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP249", Severity.WARNING, on={ClashKind.SHAPE_ADDED})
def shape_added(call: Call) -> Words | None:
    return call.says("join shapes that are tensors by tf.concat([a, b], axis=0)") if call.is_everywhere else None
