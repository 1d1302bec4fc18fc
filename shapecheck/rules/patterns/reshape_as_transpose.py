"""A reshape to the sizes of a transposition, which moves no axis."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

_PADDING = ("pad", "concat", "concat_parts", "concatenate", "ZeroPadding1D", "ZeroPadding2D")


@rule("SHP210", Severity.WARNING, on={"axes-reordered"})
def reshape_as_transpose(call: Call) -> Words | None:
    """What was padded just before is skewed on purpose: each row is shifted by one more than the row above it."""
    given = next((argument.tensor for argument in call.arguments), None)
    maker = None if given is None else call.maker(given)
    is_skewed = maker is not None and maker.name.rpartition(".")[2] in _PADDING
    return call.says("") if call.is_everywhere and not is_skewed else None
