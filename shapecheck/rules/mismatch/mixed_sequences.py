"""A list added to a tuple, or a number to either, where parts of a shape are put together; lists taken for arrays."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP120", Severity.ERROR, on={ClashKind.SEQUENCES})
def mixed_sequences(call: Call) -> Words:
    if "not defined" in call.clash.message:
        return call.says("lists and tuples are no arrays: np.array(…)")
    is_number = "integer" in call.clash.message
    return call.says("put the number into a tuple: (n,)" if is_number else "make a tuple of both: (n,) + shape")
