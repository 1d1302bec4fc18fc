"""A traced function creates variables."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

APPLYING = ("apply", "apply_gradients", "minimize")


@rule("SHP408", Severity.ERROR, on={ClashKind.STATE})
def state_created_when_traced(call: Call) -> Words:
    if call.name.rpartition(".")[2] in APPLYING:
        return call.says(help="build the optimizer with all its variables beforehand, or make one for each model")
    if call.name.startswith("keras.Model."):
        return call.says(help="make the model and compile it within strategy.scope()")
    return call.says(help="create it once, outside of the function, and use it inside")
