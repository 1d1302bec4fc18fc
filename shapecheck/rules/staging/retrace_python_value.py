"""A traced function is called with values of Python that change."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP401", Severity.PERF, on={ClashKind.RETRACE_VALUE})
def retrace_python_value(call: Call) -> Words:
    return call.says(help="pass a tensor instead, such as tf.constant(value) or a tf.Variable")
