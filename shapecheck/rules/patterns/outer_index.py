"""Indices of one column for each row that take these columns of all rows."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import Tensor
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.common_rows import have_rows_in_common
from shapecheck.rules.rule import rule

_DIAGONAL = re.compile(r".*\b(diag|diagonal|diag_part|trace|einsum)")
_GRID = re.compile(r".*\b(arange|range|linspace|meshgrid|indices|arg(sort|partition)|permutation|where|nonzero)")
_NO_COINCIDENCE = 16
"""The number of rows from which on as many indices are those of the rows."""


@rule("SHP247", Severity.WARNING, on={ClashKind.COLUMNS_OF_ALL})
def outer_index(call: Call) -> Words | None:
    operands = [operand for _, operand in call.step.operands()][:2]
    if len(operands) < 2 or not call.is_everywhere or not _belong_together(call.graph, *operands):
        return None
    if _has_diagonal_taken(call.graph, call.step):
        return None
    name = call.arguments[0].text
    rows = f"the rows of {name}" if name.isidentifier() else "the rows"
    return call.says(f"numbers of {rows} in place of `:` take one column of each row")


def _belong_together(graph: Graph, array: Tensor, numbers: Tensor) -> bool:
    """Return whether it is no coincidence that there are as many numbers as rows: both come from the same rows, or the
    columns of a large batch repeat themselves, as they do not where a grid is made of an array.
    """
    rows, columns = array.shape.size(0), array.shape.size(1 if array.shape.is_ranked else -1)
    if any(_GRID.fullmatch(step.name) for step in graph.ancestors([numbers.step])):
        return False
    if not isinstance(rows, int) or have_rows_in_common(graph, array, numbers):
        return True
    return isinstance(columns, int) and columns < rows >= _NO_COINCIDENCE


def _has_diagonal_taken(graph: Graph, step: Step) -> bool:
    """Return whether the program takes from a result what belongs to each row."""
    later = (each for each in graph.steps[step.id :] if _DIAGONAL.fullmatch(each.name))
    return any(operand.step == step.id for each in later for _, operand in each.operands())
