"""A shape is declared that contradicts the one that is known."""

from __future__ import annotations

from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP108", Severity.ERROR, on={"set-shape"})
def set_shape_conflict(call: Call) -> Words:
    return call.says()
