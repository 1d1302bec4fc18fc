"""An embedding has no row for the last word of a tokenizer."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP234", Severity.WARNING, on={ClashKind.ROW_OF_LAST_WORD})
def missing_word_row(call: Call) -> Words | None:
    return call.says(help="add 1 to the number of words") if call.is_everywhere else None
