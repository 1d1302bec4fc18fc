"""A function of NumPy is given a symbolic tensor."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP404", Severity.ERROR, on={ClashKind.SYMBOLIC_NUMPY})
def symbolic_to_numpy(call: Call) -> Words:
    if call.name.startswith("tf."):
        return call.says(help="call the function of keras.ops, or do this in the call of a layer")
    return call.says(help=call.advice or "use the TensorFlow function instead, which takes symbolic tensors")
