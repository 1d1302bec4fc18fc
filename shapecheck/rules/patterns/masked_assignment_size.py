"""Values for the whole array assigned to the elements that a mask selects."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

FILLED = ("ones", "ones_like", "full", "full_like")


@rule("SHP231", Severity.WARNING, on={ClashKind.UNMASKED})
def masked_assignment_size(call: Call) -> Words | None:
    """A mask that is made of one constant may be all true."""
    masks = [call.maker(tensor) for _, tensor in call.step.operands() if tensor.dtype == "bool"]
    if not call.is_everywhere or any(step and step.name.rsplit(".", 1)[-1] in FILLED for step in masks):
        return None
    return call.says("select the values with the same mask")
