"""A softmax or argmax over an axis of size 1, whose result does not depend on the data."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP203", Severity.WARNING, on={"size1-axis"})
def size1_axis_constant(call: Call) -> Words | None:
    """Code that several callers share may meet the size 1 by chance; it is judged where all of them do."""
    if not call.is_everywhere:
        return None
    is_dense = call.name == "keras.layers.Dense"
    return call.says('activation="sigmoid" gives the probability of one class' if is_dense else "")
