"""A variable of a loop on tensors changes its shape."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

HELP = {
    "loop": "keep the shape, or set shape_invariants with tf.autograph.experimental.set_loop_options",
    "tf.while_loop": "keep the shape, or give shape_invariants with None for sizes that change",
    "tf.TensorArray.write": "write elements of one shape",
    "tf.TensorArray.stack": "write elements of one shape, or use concat",
}


@rule("SHP411", Severity.ERROR, on={ClashKind.LOOP_SHAPE})
def loop_shape_changes(call: Call) -> Words:
    return call.says(
        help=HELP.get(call.name.replace(".compat.v1", ""), "start with a value of the shape that the function returns")
    )
