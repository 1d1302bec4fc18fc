"""An embedding has no row for the last word of a tokenizer."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

_OWN_WORD = re.compile(r"\bword_index(?: *\[[^\]\n]*\] *=(?!=)|\.(?:update|setdefault)\()")


@rule("SHP234", Severity.WARNING, on={ClashKind.ROW_OF_LAST_WORD})
def missing_word_row(call: Call) -> Words | None:
    """A program that adds a word, such as one for padding, counts it."""
    has_own = _OWN_WORD.search(call.step.place.source.text) is not None
    is_lookup = "numbers up to" in call.clash.message
    said = "the lookup layer has a number for unknown words as well" if is_lookup else "add 1 to the number of words"
    return call.says(help=said) if call.is_everywhere and not has_own else None
