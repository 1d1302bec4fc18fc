"""An effect of Python happens only while a function is traced."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP415", Severity.WARNING, on={ClashKind.TRACE_EFFECT})
def trace_time_effect(call: Call) -> Words:
    return call.says(help="use tf.print or a tf.Variable, or do it outside of the function")
