"""A loop of the graph changes a list or drops a TensorArray."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP417", Severity.ERROR, on={ClashKind.LOOP_STATE})
def loop_python_state(call: Call) -> Words:
    if call.step.name.startswith("tf.TensorArray"):
        return call.says(help="assign the result to the variable of the TensorArray")
    return call.says(help="collect the tensors in a tf.TensorArray, or compute on all of them at once")
