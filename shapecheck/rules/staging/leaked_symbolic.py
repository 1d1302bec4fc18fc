"""A symbolic tensor is used outside of its function."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP416", Severity.ERROR, on={ClashKind.LEAKED_SYMBOLIC})
def leaked_symbolic(call: Call) -> Words:
    return call.says(help="return the tensor from the function, or keep it in a tf.Variable")
