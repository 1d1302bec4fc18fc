"""A layer that tells another shape of its output than it returns."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP238", Severity.WARNING, on={ClashKind.OUTPUT_SHAPE})
def output_shape_differs(call: Call) -> Words:
    return call.says("Keras 3 makes the next layers for the shape that compute_output_shape gives")
