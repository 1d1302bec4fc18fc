"""A function that XLA compiles uses an operation that XLA does not have."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP420", Severity.ERROR, on={ClashKind.XLA})
def xla_unsupported(call: Call) -> Words:
    return call.says(help="move it out of the compiled function, or leave jit_compile out")
