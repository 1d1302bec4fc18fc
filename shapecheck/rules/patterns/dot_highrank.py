"""A `dot` of two batches of matrices, which pairs all of one with all of the other."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rewriting import with_function
from shapecheck.rules.rule import rule


@rule("SHP213", Severity.WARNING, on={ClashKind.DOT_OUTER})
def dot_highrank(call: Call) -> Words | None:
    if not call.is_everywhere:
        return None
    fix = None if ".ndarray." in call.name else with_function(call, "dot", "matmul")
    return call.says("matmul multiplies the matrices of two batches in pairs", fix=fix)
