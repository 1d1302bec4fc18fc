"""An array of fractions, of which an integer tensor keeps only the integer parts."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.provenance import dtypes_may_change, has_certain_dtype, has_fractions
from shapecheck.rules.rule import rule


@rule("SHP225", Severity.WARNING, on={ClashKind.FLOATS_TRUNCATED})
def floats_truncated(call: Call) -> Words | None:
    tensors = [argument.tensor for argument in call.arguments]
    whole = any(has_certain_dtype(call, tensor) for tensor in tensors)
    broken = any(has_fractions(call, tensor) for tensor in tensors)
    if not call.is_everywhere or not whole or not broken or dtypes_may_change(call):
        return None
    return call.says("the fractions are lost; convert the integers to float with tf.cast")
