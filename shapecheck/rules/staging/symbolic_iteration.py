"""Python iterates over a symbolic tensor."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP407", Severity.ERROR, on={ClashKind.SYMBOLIC_ITERATION})
def symbolic_iteration(call: Call) -> Words:
    return call.says(help="use tf.unstack for a known number of items, tf.map_fn or a for statement otherwise")
