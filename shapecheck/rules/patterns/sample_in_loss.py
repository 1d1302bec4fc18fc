"""Losses and metrics that take single samples out of a batch, as if it were one sample or a list of outputs."""

from __future__ import annotations

import ast

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule


@rule("SHP246", Severity.WARNING, on={ClashKind.SAMPLE_PICKED})
def sample_in_loss(call: Call) -> Words | None:
    """The number is written in the program: one that a loop counts is that of any sample."""
    if not call.is_everywhere or not _is_number(call.step.place.text):
        return None
    name = next((each.text for each in call.arguments if each.text), "")
    columns = f"{name}[:, i] is what each sample has at i; " if name.isidentifier() else ""
    return call.says(f"{columns}a model with several outputs has a loss for each")


def _is_number(text: str) -> bool:
    """Return whether the text of a subscript has a number for the first axis."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return False
    index = node.slice if isinstance(node, ast.Subscript) else None
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    first = first.operand if isinstance(first, ast.UnaryOp) else first
    return isinstance(first, ast.Constant)
