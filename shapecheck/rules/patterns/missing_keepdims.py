"""A square matrix combined with a reduction of its own rows, which is aligned with its columns."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import TRUE, Const, Tensor, Value
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule

_REDUCTION = re.compile(r".*\b(reduce_)?(sum|mean|max|min|amax|amin|std|var|median|norm|logsumexp)")
_LAST = (Const(1), Const(-1))


@rule("SHP227", Severity.WARNING, on={ClashKind.ROWS_MEET_COLUMNS})
def missing_keepdims(call: Call) -> Words | None:
    if len(call.arguments) != 2 or not call.is_everywhere:
        return None
    vector, table = sorted(call.arguments, key=lambda argument: argument.shape.min_rank)
    step = call.maker(vector.tensor)
    if step is None or not _REDUCTION.fullmatch(step.name) or not _is_of_rows(step, table.tensor):
        return None
    said = f"{vector.text or 'the reduction'} has one value per row, but is applied per column"
    return call.says("keepdims=True keeps the axis, so that each row gets its own value", said)


def _is_of_rows(step: Step, table: Tensor) -> bool:
    """Return whether a step reduces the rows of this very matrix and does not keep the axis."""
    keywords = dict(step.keywords)
    if any(keywords.get(name) == TRUE for name in ("keepdims", "keep_dims")):
        return False
    reduced = next((operand for _, operand in step.operands()), None)
    same = reduced is not None and reduced.step and (reduced.step, reduced.output) == (table.step, table.output)
    return bool(same) and _axis(step, keywords) in _LAST


def _axis(step: Step, keywords: dict[str, Value]) -> Value | None:
    named = [keywords[name] for name in ("axis", "reduction_indices", "dim") if name in keywords]
    placed = step.args[1:2]
    return next(iter([*named, *placed]), None)
