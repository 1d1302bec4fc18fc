"""A symbolic tensor is used outside of its function."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

OF_SEVERAL_GRAPHS = "is of another graph"


@rule("SHP416", Severity.ERROR, on={ClashKind.LEAKED_SYMBOLIC})
def leaked_symbolic(call: Call) -> Words:
    if call.clash.message.endswith(OF_SEVERAL_GRAPHS):
        return call.says(help="make both in one graph, or feed the value that a session gives")
    return call.says(help=call.advice or "return the tensor from the function, or keep it in a tf.Variable")
