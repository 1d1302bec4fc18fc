"""A variable of a loop on tensors changes its shape."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP411", Severity.ERROR, on={ClashKind.LOOP_SHAPE})
def loop_shape_changes(call: Call) -> Words:
    return call.says(help="keep the shape, or set shape_invariants with tf.autograph.experimental.set_loop_options")
