"""A variable of a loop on tensors changes its dtype or structure."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

HELP = {
    "break": "loop over a tensor, such as tf.range",
    "while": "make the test a tensor before the loop",
    "tf.while_loop": "return the structure and the dtypes of the loop variables from the body",
    "tf.TensorArray.write": "convert the element with tf.cast, or make the array with its dtype",
}


@rule("SHP412", Severity.ERROR, on={ClashKind.LOOP_TYPE})
def loop_type_changes(call: Call) -> Words:
    return call.says(
        help=HELP.get(call.name.replace(".compat.v1", ""), "give the variable its dtype and structure before the loop")
    )
