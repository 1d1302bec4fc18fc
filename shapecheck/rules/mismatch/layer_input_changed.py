"""A layer is called on an input of another size than the one it was built for."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP111", Severity.ERROR, on={ClashKind.LAYER_INPUT})
def layer_input_changed(call: Call) -> Words:
    return call.says()
