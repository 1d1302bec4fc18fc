"""An argument of a traced function does not fit its input signature."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP418", Severity.ERROR, on={ClashKind.SIGNATURE})
def signature_mismatch(call: Call) -> Words:
    return call.says(help="pass what the signature takes, or change the signature")
