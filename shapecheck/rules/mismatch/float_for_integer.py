"""A float as a size, an index or a class number."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

_QUOTIENT, _ROUNDED = re.compile(r"(?<!/)/(?!/)"), re.compile(r"\b(ceil|floor|round|rint|trunc)\(")


@rule("SHP114", Severity.ERROR, on={ClashKind.NOT_INTEGER})
def float_for_integer(call: Call) -> Words:
    text = call.step.place.text
    if _ROUNDED.search(text):
        return call.says(help="int() gives an integer")
    return call.says(help="// gives an integer" if _QUOTIENT.search(text) else "")
