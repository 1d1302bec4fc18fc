"""A graph keeps a value that Python had while the function was traced."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP414", Severity.WARNING, on={ClashKind.TRACE_VALUE})
def trace_time_value(call: Call) -> Words:
    return call.says(help="use an operation such as tf.random.normal, a tf.Variable, or an argument of the function")
