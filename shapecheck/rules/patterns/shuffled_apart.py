"""Samples and their targets are shuffled one after the other, each in an order of its own."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP250", Severity.WARNING, on={ClashKind.ROWS_SHUFFLED})
def shuffled_apart(call: Call) -> Words | None:
    hint = "shuffle both by one order: order = np.random.permutation(len(x)); x, y = x[order], y[order]"
    return call.says(help=hint) if call.is_everywhere else None
