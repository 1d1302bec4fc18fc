"""A loss that is not averaged over all replicas, or twice."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.models.training.replica_losses import ADDED
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

COUNT = re.compile(r"(/|=)\s*(float\()?[\w.]*num_replicas_in_sync(?!\s*\*)")
"""Where something is divided by the number of replicas, or that is given a name."""


@rule("SHP237", Severity.WARNING, on={ClashKind.REPLICA_LOSS})
def replica_loss(call: Call) -> Words | None:
    is_added = call.clash.message.endswith(ADDED)
    if is_added and call.step.place.source.mentions(COUNT):
        return None  # the sum, or each mean, is divided by it
    if call.name.endswith(".reduce"):
        return call.says(help="add them: tf.distribute.ReduceOp.SUM")
    return call.says(help="divide by the rows of all replicas, with tf.nn.compute_average_loss")
