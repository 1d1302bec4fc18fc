"""A call that old versions of a library accept and new ones refuse, in a program with no sign of its version."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP229", Severity.WARNING, on={ClashKind.VERSION})
def version_dependent(call: Call) -> Words | None:
    return call.says() if call.is_everywhere else None
