"""A softmax over the rows of a batch."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rewriting import with_argument
from shapecheck.rules.rule import rule


@rule("SHP208", Severity.WARNING, on={ClashKind.BATCH_SOFTMAX})
def softmax_over_batch(call: Call) -> Words | None:
    """Scores, one for each of several items, are compared along the axis of the items, wherever that is."""
    if not call.is_everywhere:
        return None
    if any(argument.shape.size(-1) == 1 for argument in call.arguments):
        return call.says()
    fix = with_argument(call, ("axis", "dim"), 1, "-1") if call.name.endswith("softmax") else None
    return call.says("axis=-1 compares the classes of each sample", fix=fix)
