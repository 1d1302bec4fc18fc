"""A tensor is given where a layer is made, or a layer where a tensor is expected: one call is missing."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP119", Severity.ERROR, on={ClashKind.NOT_CALLED})
def layer_not_called(call: Call) -> Words:
    return call.says("make the layer first, and call it with the tensor: Flatten()(x)")
