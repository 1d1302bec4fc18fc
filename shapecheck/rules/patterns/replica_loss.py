"""A loss that is not averaged over all replicas, or twice."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP237", Severity.WARNING, on={ClashKind.REPLICA_LOSS})
def replica_loss(call: Call) -> Words:
    if call.name.endswith(".reduce"):
        return call.says(help="add them: tf.distribute.ReduceOp.SUM")
    return call.says(help="divide by the rows of all replicas, with tf.nn.compute_average_loss")
