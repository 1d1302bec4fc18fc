"""Class numbers for a loss that expects one-hot labels, broadcast over all classes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP220", Severity.WARNING, on={ClashKind.LABELS_ENCODING})
def loss_label_encoding(call: Call) -> Words | None:
    return call.says("sparse_softmax_cross_entropy_with_logits takes class indices") if call.is_everywhere else None
