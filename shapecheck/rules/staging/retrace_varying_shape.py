"""A traced function is called with tensors of many shapes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP403", Severity.PERF, on={ClashKind.RETRACE_SHAPE})
def retrace_varying_shape(call: Call) -> Words:
    return call.says(help="give an input_signature with None for the sizes that change, or reduce_retracing=True")
