"""A symbolic tensor is used where Python needs a value."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP405", Severity.ERROR, on={ClashKind.SYMBOLIC_PYTHON})
def symbolic_to_python(call: Call) -> Words:
    return call.says(help=call.advice or "compute with TensorFlow, or return the tensor and read its value outside")
