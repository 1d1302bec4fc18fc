"""A long loop of Python is copied into a graph."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP421", Severity.PERF, on={ClashKind.UNROLLED})
def unrolled_loop(call: Call) -> Words:
    return call.says(
        help="loop over tf.range or a tensor, which makes one loop of the graph, or compute on all at once"
    )
