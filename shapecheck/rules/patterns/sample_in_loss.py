"""Losses and metrics that take single samples out of a batch, as if it were one sample or a list of outputs."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

_NUMBER = re.compile(r"\(?-?\d")


@rule("SHP246", Severity.WARNING, on={ClashKind.SAMPLE_PICKED})
def sample_in_loss(call: Call) -> Words | None:
    """The number is written in the program: one that a loop counts is that of any sample."""
    if not call.is_everywhere or not _NUMBER.match(call.written.index):
        return None
    name = next((each.text for each in call.arguments if each.text), "")
    columns = f"{name}[:, i] is what each sample has at i; " if name.isidentifier() else ""
    return call.says(f"{columns}a model with several outputs has a loss for each")
