"""A transposition without a permutation, which moves the batch to the end."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP224", Severity.WARNING, on={ClashKind.BATCH_LAST})
def transpose_default(call: Call) -> Words | None:
    """If the result is transposed back later, the batch was moved so that something broadcasts along it."""
    if not call.is_everywhere:
        return None
    later = (step for step in call.graph.steps[call.step.id :] if step.name == call.step.name)
    if any(call.step in call.graph.ancestors([step.id]) for step in later):
        return None
    return call.says("give a permutation that keeps the batch first")
