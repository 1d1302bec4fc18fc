"""Tensors of two dtypes, which TensorFlow does not combine."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.provenance import dtypes_may_change, has_certain_dtype
from shapecheck.rules.rule import rule


@rule("SHP211", Severity.WARNING, on={ClashKind.DTYPES_MIXED})
def mixed_dtypes(call: Call) -> Words | None:
    tensors = [argument.tensor for argument in call.arguments if argument.tensor.library == "tf"]
    if not tensors or not all(has_certain_dtype(call, tensor) for tensor in tensors):
        return None
    return call.says("convert one of them with tf.cast") if call.is_everywhere and not dtypes_may_change(call) else None
