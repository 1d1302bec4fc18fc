"""Labels and predictions of a cross-entropy do not fit each other."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.rule import rule


@rule("SHP110", Severity.ERROR, on={"cross-entropy"})
def cross_entropy_operands(call: Call) -> Words:
    if len(call.arguments) != 2:
        return call.says()
    a, b = call.arguments
    return call.says(_other_form(call, a, b) or _other_form(call, b, a))


def _other_form(call: Call, labels: Argument, logits: Argument) -> str:
    """Whether the labels fit the other form of the loss: class numbers the sparse one, one-hot rows the plain one."""
    if not (labels.shape.is_ranked and logits.shape.is_ranked) or not logits.rank:
        return ""
    given, wanted = labels.shape.sizes, logits.shape.sizes
    if wanted[-1] == 1:
        return ""
    if call.alike(given, wanted):
        return "one-hot labels take the form of the loss that is not sparse"
    rows = given[:-1] if len(given) == len(wanted) and given[-1] == 1 else given
    return "class numbers as labels take the sparse form of the loss" if call.alike(rows, wanted[:-1]) else ""
