"""A symbolic tensor is used as a Python bool."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP406", Severity.ERROR, on={ClashKind.SYMBOLIC_BOOL})
def symbolic_as_bool(call: Call) -> Words:
    said = "use tf.cond, tf.where or tf.debugging.assert_equal, or let AutoGraph convert the code"
    return call.says(help=call.advice or said)
